/** Summarizes the impacts on devices: equal effects on several resolutions, devices and policies become one summary. */
import { groupBy } from '../model/collections.ts';
import {
  type DeviceClass,
  type DeviceImpact,
  type ImpactOutcome,
  type ImpactSummary,
  type Judgement,
  OUTCOMES,
  type Rule,
  VMP_FIELD,
} from '../model/impact.ts';
import { tighterRules } from './compare.ts';

/** The change of the rejected VMP statuses. */
interface VmpChange {
  readonly address: string;
  /** Whether the plan contains the change. */
  readonly isWritten: boolean;
}

/** Returns the summaries of the impacts of each change (by address), losses first. */
export function summarizeImpact(impacts: ReadonlyMap<string, readonly DeviceImpact[]>, vmp: VmpChange): readonly ImpactSummary[] {
  const perDevice = [...impacts].flatMap(([change, devices]) => devices.flatMap((impact) => summarizeDevice(change, impact, vmp)));
  const perPolicy = mergeBy(perDevice, (summary) => `${summary.policies[0]} ${effectKey(summary)}`);
  const all = mergeBy(perPolicy, (summary) => `${summary.devices.map(({ device }) => device).join(' ')} ${effectKey(summary)}`);
  return all.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome));
}

function summarizeDevice(change: string, impact: DeviceImpact, vmp: VmpChange): readonly ImpactSummary[] {
  const { address, device, name, system } = impact;
  const subject = { devices: [{ device, name, system }], policies: [address] };
  const perResolution = OUTCOMES.flatMap((outcome) =>
    impact[outcome].map((resolution): ImpactSummary => {
      const effect = effectOf(outcome, impact.before[resolution], impact.after[resolution]);
      return { ...subject, ...effect, changes: causesOf(effect.rules, change, vmp), resolutions: [resolution] };
    }),
  );
  return mergeBy(perResolution, (summary) => effectKey({ ...summary, resolutions: [] }));
}

/** Returns the effect of an outcome on one resolution, with the rules that cause it. */
export function effectOf(
  outcome: ImpactOutcome,
  before: Judgement,
  after: Judgement,
): Pick<ImpactSummary, 'outcome' | 'uncertain' | 'side' | 'rules'> {
  const playing = outcome === 'lost' ? before : after;
  return { outcome, uncertain: playing.playback === 'unknown', ...causingRules(outcome, before, after) };
}

/**
 * Returns the addresses of the changes that cause an effect. A policy is evaluated together with the VMP statuses of the same side, so the
 * cause of its effect may be the change of the VMP statuses.
 */
export function causesOf(rules: readonly Rule[], change: string, vmp: VmpChange): readonly string[] {
  const vmpRules = rules.filter(({ field }) => field === VMP_FIELD);
  if (!vmp.isWritten || vmpRules.length === 0) return [change];
  return vmpRules.length === rules.length ? [vmp.address] : [...new Set([change, vmp.address])];
}

/** Returns a text that is equal for summaries of the same effect. */
function effectKey({ outcome, uncertain, resolutions, side, rules }: ImpactSummary): string {
  return JSON.stringify([outcome, uncertain, resolutions, side, rules.map(ruleKey)]);
}

/** Merges summaries with equal keys into one about all their resolutions, devices and policies. */
function mergeBy(summaries: readonly ImpactSummary[], keyOf: (summary: ImpactSummary) => string): readonly ImpactSummary[] {
  return [...groupBy(summaries, keyOf).values()].flatMap((group) => {
    const [first] = group;
    return first && group.length > 1 ? [{ ...first, ...mergeSubjects(group) }] : group;
  });
}

function mergeSubjects(
  summaries: readonly ImpactSummary[],
): Pick<ImpactSummary, 'resolutions' | 'devices' | 'policies' | 'changes' | 'rules'> {
  return {
    resolutions: [...new Set(summaries.flatMap(({ resolutions }) => resolutions))],
    devices: distinctBy<DeviceClass>(
      summaries.flatMap(({ devices }) => devices),
      ({ device }) => device,
    ),
    policies: [...new Set(summaries.flatMap(({ policies }) => policies))],
    changes: [...new Set(summaries.flatMap(({ changes }) => changes))],
    rules: distinctBy<Rule>(
      summaries.flatMap(({ rules }) => rules),
      (rule) => `${rule.field} ${ruleKey(rule)}`,
    ),
  };
}

function distinctBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/**
 * Returns the rules that cause an outcome, and the side that has them: of the rules that decide it on the worse side, those that the better
 * side does not have; if the better side has them all, all that decide it. Other conditions are those after the change, or those before it
 * where none is new. What is uncertain was so before the change unless it is afterwards.
 */
function causingRules(outcome: ImpactOutcome, before: Judgement, after: Judgement): Pick<ImpactSummary, 'side' | 'rules'> {
  const isBeforeWorse = outcome === 'gained' || outcome === 'unrestricted' || (outcome === 'uncertain' && after.playback !== 'unknown');
  const side = isBeforeWorse ? 'before' : 'after';
  const [worse, better] = isBeforeWorse ? [before, after] : [after, before];
  const deciding = decidingRules(outcome, worse, better);
  const added = withoutRulesOf(better, deciding);
  if (added.length === 0 && outcome === 'changed') return { side: 'before', rules: withoutRulesOf(after, before.rules) };
  return { side, rules: added.length > 0 ? added : deciding };
}

function decidingRules(outcome: ImpactOutcome, worse: Judgement, better: Judgement): readonly Rule[] {
  if (outcome === 'changed') return worse.rules;
  if (outcome === 'lost' || outcome === 'gained') return worse.rules.filter((rule) => rule.outcome === 'refused');
  if (outcome === 'uncertain') return worse.rules.filter((rule) => rule.outcome === 'unknown');
  return tighterRules(worse, better).filter((rule) => rule.outcome !== 'unknown');
}

function withoutRulesOf({ rules: others }: Judgement, rules: readonly Rule[]): readonly Rule[] {
  const known = new Set(others.map(ruleKey));
  return rules.filter((rule) => !known.has(ruleKey(rule)));
}

/** Returns a text that is equal for rules that differ only in their field and section. */
function ruleKey({ outcome, output, text }: Rule): string {
  return `${outcome} ${output} ${text}`;
}
