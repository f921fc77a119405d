/** Compares playback on devices before and after a change of a policy or of the rejected VMP statuses. */
import {
  type DeviceImpact,
  type ImpactLists,
  type ImpactOutcome,
  type Judgement,
  OUTCOMES,
  type Output,
  RESOLUTIONS,
  type Row,
  type Rule,
} from '../model/impact.ts';
import { playbackRank, worst } from './combine.ts';
import type { Device } from './device.ts';
import { evaluateDevice, type PolicyUnderTest } from './evaluate.ts';

/**
 * Returns the impact of a change on each device, in the order of the devices. For a change of the VMP statuses alone, both sides have the
 * same policy.
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

/** Decides whether anything about playback on the device changes. */
export function isAffected(impact: ImpactLists): boolean {
  return OUTCOMES.some((outcome) => impact[outcome].length > 0);
}

/**
 * Decides whether two judgements differ, ignoring the fields that their rules come from. What both refuse, as a whole or on one output,
 * does not differ, whichever rules refuse it; nor does what is unknown under both for one setting.
 */
export function isDifferent(before: Judgement, after: Judgement): boolean {
  if (isRefused(before) && isRefused(after)) return false;
  const relevant = ({ rules }: Judgement) => rules.filter((rule) => ![before, after].every((each) => isOutputRefused(each, rule.output)));
  const texts = (judgement: Judgement) =>
    new Set([
      judgement.playback,
      ...relevant(judgement).map((rule) => `${rule.outcome} ${rule.output} ${isOpen(rule) ? settingName(rule) : rule.text}`),
    ]);
  return !equalSets(texts(before), texts(after));
}

function isOutputRefused({ rules }: Judgement, output: Output | undefined): boolean {
  return output !== undefined && rules.some((rule) => rule.output === output && rule.outcome === 'refused');
}

function listsOf(rowBefore: Row, rowAfter: Row): ImpactLists {
  const outcomes = new Map(RESOLUTIONS.map((resolution) => [resolution, outcomesOf(rowBefore[resolution], rowAfter[resolution])]));
  const resolutionsWith = (outcome: ImpactOutcome) => RESOLUTIONS.filter((resolution) => outcomes.get(resolution)?.includes(outcome));
  return {
    lost: resolutionsWith('lost'),
    gained: resolutionsWith('gained'),
    restricted: resolutionsWith('restricted'),
    unrestricted: resolutionsWith('unrestricted'),
    uncertain: resolutionsWith('uncertain'),
    changed: resolutionsWith('changed'),
  };
}

/** Returns the outcomes of a change for one resolution; none where nothing about its playback changes. */
function outcomesOf(before: Judgement, after: Judgement): readonly ImpactOutcome[] {
  if (!isDifferent(before, after)) return [];
  if (isRefused(before) || isRefused(after)) return [isRefused(after) ? 'lost' : 'gained'];
  const [tighter, looser] = [tighterRules(after, before), tighterRules(before, after)];
  const becomesUnknown = plays(before) && !plays(after);
  const becomesKnown = plays(after) && looser.some((rule) => isOpen(rule) && !isOutputRefused(before, rule.output));
  const outcomes: readonly ImpactOutcome[] = [
    ...(becomesUnknown || becomesKnown ? (['uncertain'] as const) : []),
    ...(tighter.some((rule) => !isOpen(rule)) ? (['restricted'] as const) : []),
    // Of what was unknown, nobody knows whether it had more limits.
    ...(looser.some((rule) => !isOpen(rule)) && (plays(before) || !plays(after)) ? (['unrestricted'] as const) : []),
  ];
  return outcomes.length > 0 ? outcomes : ['changed'];
}

/** Decides whether the device refuses to play. */
export function isRefused({ playback }: Judgement): boolean {
  return playback === 'refused';
}

function plays({ playback }: Judgement): boolean {
  return playback === 'plays' || playback === 'restricted';
}

function isOpen({ outcome }: Rule): boolean {
  return outcome === 'unknown';
}

/** Returns the rules of a judgement whose setting allows less there, on the rule's output or as a whole, than in another judgement. */
export function tighterRules(judgement: Judgement, other: Judgement): readonly Rule[] {
  return judgement.rules.filter((rule) => {
    if (isNewlyAllowed(judgement, other, rule)) return false;
    const [own, others] = [allowanceOf(judgement, rule), allowanceOf(other, rule)];
    return own.rank < others.rank || (own.rank === others.rank && own.seconds < others.seconds);
  });
}

/** Decides whether a rule limits what is allowed on its output only now: the other judgement has no such setting, and restricts the output more. */
function isNewlyAllowed(judgement: Judgement, other: Judgement, { field, output }: Rule): boolean {
  if (output === undefined || other.rules.some((rule) => rule.output === output && settingName(rule) === settingName({ field })))
    return false;
  const worstOf = ({ rules }: Judgement) => playbackRank(worst(rules.flatMap((rule) => (rule.output === output ? [rule.outcome] : []))));
  return worstOf(other) < worstOf(judgement);
}

/**
 * Returns what a rule's setting allows on the rule's output: the rank of its playback, and for how many seconds (Infinity without a rule,
 * NaN where its rules say no time). Any setting can refuse an output for all settings.
 */
function allowanceOf(judgement: Judgement, { field, output }: Rule): { readonly rank: number; readonly seconds: number } {
  if (isOutputRefused(judgement, output)) return { rank: playbackRank('refused'), seconds: Number.POSITIVE_INFINITY };
  const sameSetting = judgement.rules.filter((rule) => rule.output === output && settingName(rule) === settingName({ field }));
  const seconds = sameSetting.map((rule) => rule.seconds ?? Number.NaN);
  return { rank: playbackRank(worst(sameSetting.map(({ outcome }) => outcome))), seconds: Math.min(...seconds) };
}

/** Returns the name of the setting behind a rule, without the element of the policy that contains it. */
function settingName({ field }: Pick<Rule, 'field'>): string {
  return field.slice(field.lastIndexOf('/') + 1);
}

function equalSets(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((text) => b.has(text));
}
