/** Compares playback on devices before and after a change of a policy or of the rejected VMP statuses. */
import { type DeviceImpact, type ImpactLists, type Judgement, RESOLUTIONS, type Resolution, type Row, type Rule } from '../model/impact.ts';
import { playbackRank, worst } from './combine.ts';
import type { Device } from './device.ts';
import { evaluateDevice, type PolicyUnderTest } from './evaluate.ts';

/**
 * Returns the impact of a change on each device, in the order of the devices. For a policy that is created or deleted, the caller passes
 * the default policy as the missing side. For a change of the VMP statuses alone, both sides have the same policy.
 */
export function compareDevices(
  address: string,
  before: PolicyUnderTest,
  after: PolicyUnderTest,
  devices: readonly Device[],
): readonly DeviceImpact[] {
  return devices.map((device) => {
    const rows = { before: evaluateDevice(before, device), after: evaluateDevice(after, device) };
    return { address, device: device.id, name: device.name, system: device.system, ...rows, ...listsOf(rows.before, rows.after) };
  });
}

/** Decides whether playback on the device changes in any way, including the conditions under which it plays. */
export function isAffected({ before, after }: Pick<DeviceImpact, 'before' | 'after'>): boolean {
  return RESOLUTIONS.some((resolution) => isDifferent(before[resolution], after[resolution]));
}

/** Decides whether two judgements differ, ignoring the fields that their rules come from. */
export function isDifferent(before: Judgement, after: Judgement): boolean {
  const texts = ({ playback, rules }: Judgement) =>
    new Set([playback, ...rules.map((rule) => `${rule.outcome} ${rule.output} ${rule.text}`)]);
  return !equalSets(texts(before), texts(after));
}

function listsOf(rowBefore: Row, rowAfter: Row): ImpactLists {
  const resolutionsWhere = (test: (before: Judgement, after: Judgement) => boolean): readonly Resolution[] =>
    RESOLUTIONS.filter((resolution) => test(rowBefore[resolution], rowAfter[resolution]));
  return {
    lost: resolutionsWhere((before, after) => !isRefused(before) && isRefused(after)),
    gained: resolutionsWhere((before, after) => isRefused(before) && !isRefused(after)),
    restricted: resolutionsWhere((before, after) => plays(before) && plays(after) && isWeaker(after, before)),
    unrestricted: resolutionsWhere((before, after) => !isRefused(before) && plays(after) && isWeaker(before, after)),
    uncertain: resolutionsWhere((before, after) => plays(before) && after.playback === 'unknown'),
  };
}

/** Decides whether the device refuses to play. */
export function isRefused({ playback }: Judgement): boolean {
  return playback === 'refused';
}

function plays({ playback }: Judgement): boolean {
  return playback === 'plays' || playback === 'restricted';
}

/** Decides whether some setting restricts the device more in `judgement` than in `other`, on one output or as a whole. */
function isWeaker(judgement: Judgement, other: Judgement): boolean {
  return judgement.rules.some((rule) => rank(judgement, rule) < rank(other, rule));
}

/**
 * Returns the rank of the playback that a rule's setting allows on the rule's output. Any setting can refuse an output for all settings.
 */
function rank({ rules }: Judgement, { field, output }: Rule): number {
  const sameOutput = rules.filter((rule) => rule.output === output);
  if (output !== undefined && sameOutput.some(({ outcome }) => outcome === 'refused')) return playbackRank('refused');
  const sameSetting = sameOutput.filter((rule) => settingName(rule) === settingName({ field }));
  return playbackRank(worst(sameSetting.map(({ outcome }) => outcome)));
}

/** Returns the name of the setting behind a rule, without the element of the policy that contains it. */
function settingName({ field }: Pick<Rule, 'field'>): string {
  return field.slice(field.lastIndexOf('/') + 1);
}

function equalSets(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((text) => b.has(text));
}
