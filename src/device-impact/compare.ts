/** What a change of a policy, or of the VMP set, does to devices. */
import { type DeviceImpact, type Judgement, RESOLUTIONS, type Resolution, type Row, type Rule } from '../model/impact.ts';
import { rankOfRule, worst } from './combine.ts';
import type { Device } from './device.ts';
import { evaluateDevice, type PolicyUnderTest } from './evaluate.ts';

/**
 * The change seen by every device, in the order of the devices. A policy that is new or goes is compared with the default policy: the
 * caller gives the kind's defaults for the absent side. A change of the VMP set has the same policy on both sides.
 */
export function impact(
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

/** Whether the device can tell the two sides apart, be it only by the conditions under which it plays. */
export function isAffected({ before, after }: Pick<DeviceImpact, 'before' | 'after'>): boolean {
  return RESOLUTIONS.some((resolution) => isDifferent(before[resolution], after[resolution]));
}

/** Whether two judgements differ in more than the places where their rules stand. */
export function isDifferent(before: Judgement, after: Judgement): boolean {
  const texts = ({ playback, rules }: Judgement) =>
    new Set([playback, ...rules.map((rule) => `${rule.outcome} ${rule.output} ${rule.text}`)]);
  return !equalSets(texts(before), texts(after));
}

type Lists = Pick<DeviceImpact, 'lost' | 'gained' | 'restricted' | 'unrestricted' | 'uncertain'>;

function listsOf(before: Row, after: Row): Lists {
  const where = (test: (was: Judgement, is: Judgement) => boolean): readonly Resolution[] =>
    RESOLUTIONS.filter((resolution) => test(before[resolution], after[resolution]));
  return {
    lost: where((was, is) => was.playback !== 'refused' && is.playback === 'refused'),
    gained: where((was, is) => was.playback === 'refused' && is.playback !== 'refused'),
    restricted: where((was, is) => plays(was) && plays(is) && falls(was, is)),
    unrestricted: where((was, is) => was.playback !== 'refused' && plays(is) && falls(is, was)),
    uncertain: where((was, is) => plays(was) && is.playback === 'unknown'),
  };
}

function plays({ playback }: Judgement): boolean {
  return playback === 'plays' || playback === 'restricted';
}

/** Whether some setting does more to the device in `is` than in `was`, on some output or as a whole. */
function falls(was: Judgement, is: Judgement): boolean {
  return is.rules.some((rule) => standing(is, rule) < standing(was, rule));
}

/** How far a setting lets the device go, on the output of this rule; where the output is closed, no other setting can take more. */
function standing({ rules }: Judgement, { field, output }: Rule): number {
  const here = rules.filter((rule) => rule.output === output);
  const isClosed = output !== undefined && here.some(({ outcome }) => outcome === 'refused');
  return isClosed
    ? rankOfRule('refused')
    : rankOfRule(worst(here.filter((rule) => settingOf(rule) === settingOf({ field })).map(({ outcome }) => outcome)));
}

/** The setting that makes a rule, whichever element of the policy it stands in. */
function settingOf({ field }: Pick<Rule, 'field'>): string {
  return field.slice(field.lastIndexOf('/') + 1);
}

function equalSets(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((text) => b.has(text));
}
