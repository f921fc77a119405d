/** Impacts in few words: what is to be told the same way of several resolutions, devices and policies is told once. */
import {
  type DeviceClass,
  type DeviceImpact,
  type ImpactOutcome,
  type ImpactSummary,
  type Judgement,
  OUTCOMES,
  type PlaybackLevel,
  type Resolution,
  type Rule,
} from '../model/impact.ts';
import type { BeforeAfterPolicies } from './input.ts';
import { VMP_FIELD } from './vmp.ts';

/** All that devices notice of these changes (by address), losses first; `vmp` tells where the VMP set stands, and whether it changes. */
export function summarizeImpact(
  impacts: ReadonlyMap<string, readonly DeviceImpact[]>,
  vmp: BeforeAfterPolicies['vmp'],
): readonly ImpactSummary[] {
  const byDevice = [...impacts].flatMap(([change, devices]) => devices.flatMap((each) => storiesOn(change, each, vmp)));
  const byPolicy = united(byDevice, (summary) => `${summary.policies[0]} ${plotOf(summary)}`);
  const all = united(byPolicy, (summary) => `${summary.devices.map(({ device }) => device).join(' ')} ${plotOf(summary)}`);
  return all.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome));
}

/** The stories of one device under one policy. */
function storiesOn(change: string, impact: DeviceImpact, vmp: BeforeAfterPolicies['vmp']): readonly ImpactSummary[] {
  const { address, device, name, system } = impact;
  const about = { devices: [{ device, name, system }], policies: [address] };
  const single = OUTCOMES.flatMap((outcome) =>
    impact[outcome].map((resolution): ImpactSummary => {
      const told = plot(outcome, resolution, impact);
      return { ...about, ...told, changes: causesOf(told.rules, change, vmp), resolutions: [resolution] };
    }),
  );
  return united(single, (summary) => plotOf({ ...summary, resolutions: [] }));
}

/** A policy is told under the VMP sets of both sides: what only their difference brings is none of the policy's doing. */
function causesOf(because: readonly Rule[], change: string, vmp: BeforeAfterPolicies['vmp']): readonly string[] {
  const byVmp = because.filter(({ field }) => field === VMP_FIELD).length;
  if (!vmp.changes || byVmp === 0) return [change];
  return byVmp === because.length ? [vmp.address] : [...new Set([change, vmp.address])];
}

function plot(outcome: ImpactOutcome, resolution: Resolution, { before, after }: DeviceImpact) {
  const [was, is] = [before[resolution], after[resolution]];
  const more = outcome === 'gained' || outcome === 'uncertain' ? is : was;
  return { outcome, uncertain: more.playback === 'unknown', rules: reasonsFor(outcome, was, is) };
}

/** What is told of all that it is about. */
function plotOf({ outcome, uncertain, resolutions, rules }: ImpactSummary): string {
  return JSON.stringify([outcome, uncertain, resolutions, rules.map(wordsOf)]);
}

/** Stories that are equal by `key`, as one about all that they are about. */
function united(summaries: readonly ImpactSummary[], key: (summary: ImpactSummary) => string): readonly ImpactSummary[] {
  const alike = new Map<string, ImpactSummary[]>();
  for (const summary of summaries) {
    const found = alike.get(key(summary));
    if (found) found.push(summary);
    else alike.set(key(summary), [summary]);
  }
  return [...alike.values()].flatMap((all) => {
    const [first] = all;
    return first && all.length > 1 ? [{ ...first, ...subjectsOf(all) }] : all;
  });
}

function subjectsOf(
  summaries: readonly ImpactSummary[],
): Pick<ImpactSummary, 'resolutions' | 'devices' | 'policies' | 'changes' | 'rules'> {
  return {
    resolutions: [...new Set(summaries.flatMap(({ resolutions }) => resolutions))],
    devices: distinct<DeviceClass>(
      summaries.flatMap(({ devices }) => devices),
      ({ device }) => device,
    ),
    policies: [...new Set(summaries.flatMap(({ policies }) => policies))],
    changes: [...new Set(summaries.flatMap(({ changes }) => changes))],
    rules: distinct<Rule>(
      summaries.flatMap(({ rules }) => rules),
      (rule) => `${rule.field} ${wordsOf(rule)}`,
    ),
  };
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

/** The rules that are new on the side that has less, those that decide before the others; where none is new, all that speak of it. */
function reasonsFor(outcome: ImpactOutcome, was: Judgement, is: Judgement): readonly Rule[] {
  const [less, more] = outcome === 'gained' || outcome === 'unrestricted' ? [was, is] : [is, was];
  const spoken = new Set(more.rules.map(wordsOf));
  const deciding = less.rules.filter((rule) => decides(outcome, rule.outcome));
  const fresh = deciding.filter((rule) => !spoken.has(wordsOf(rule)));
  return fresh.length > 0 ? fresh : deciding;
}

function decides(outcome: ImpactOutcome, playback: PlaybackLevel): boolean {
  if (outcome === 'lost' || outcome === 'gained') return playback === 'refused';
  return outcome === 'uncertain' ? playback === 'unknown' : playback !== 'plays';
}

/** A rule without the place where it stands. */
function wordsOf({ outcome, output, text }: Rule): string {
  return `${outcome} ${output} ${text}`;
}
