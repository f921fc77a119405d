/** Impacts in few words: what is to be told the same way of several resolutions, devices and policies is told once. */
import {
  type DeviceClass,
  type DeviceImpact,
  type ImpactOutcome,
  type Judgement,
  OUTCOMES,
  type Playback,
  type Resolution,
  type Rule,
  type Story,
} from '../model/impact.ts';
import type { AccountSides } from './account.ts';
import { VMP_FIELD } from './vmp.ts';

/** All that devices notice of these changes (by address), losses first; `vmp` tells where the VMP set stands, and whether it changes. */
export function storiesOf(impacts: ReadonlyMap<string, readonly DeviceImpact[]>, vmp: AccountSides['vmp']): readonly Story[] {
  const byDevice = [...impacts].flatMap(([change, devices]) => devices.flatMap((each) => storiesOn(change, each, vmp)));
  const byPolicy = united(byDevice, (story) => `${story.policies[0]} ${plotOf(story)}`);
  const all = united(byPolicy, (story) => `${story.devices.map(({ device }) => device).join(' ')} ${plotOf(story)}`);
  return all.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome));
}

/** The stories of one device under one policy. */
function storiesOn(change: string, impact: DeviceImpact, vmp: AccountSides['vmp']): readonly Story[] {
  const { address, device, name, system } = impact;
  const about = { devices: [{ device, name, system }], policies: [address] };
  const single = OUTCOMES.flatMap((outcome) =>
    impact[outcome].map((resolution): Story => {
      const told = plot(outcome, resolution, impact);
      return { ...about, ...told, changes: causesOf(told.because, change, vmp), resolutions: [resolution] };
    }),
  );
  return united(single, (story) => plotOf({ ...story, resolutions: [] }));
}

/** A policy is told under the VMP sets of both sides: what only their difference brings is none of the policy's doing. */
function causesOf(because: readonly Rule[], change: string, vmp: AccountSides['vmp']): readonly string[] {
  const byVmp = because.filter(({ field }) => field === VMP_FIELD).length;
  if (!vmp.changes || byVmp === 0) return [change];
  return byVmp === because.length ? [vmp.address] : [...new Set([change, vmp.address])];
}

function plot(outcome: ImpactOutcome, resolution: Resolution, { before, after }: DeviceImpact) {
  const [was, is] = [before[resolution], after[resolution]];
  const more = outcome === 'gained' || outcome === 'unsure' ? is : was;
  return { outcome, doubtful: more.playback === 'depends', because: reasonsFor(outcome, was, is) };
}

/** What is told of all that it is about. */
function plotOf({ outcome, doubtful, resolutions, because }: Story): string {
  return JSON.stringify([outcome, doubtful, resolutions, because.map(wordsOf)]);
}

/** Stories that are equal by `key`, as one about all that they are about. */
function united(stories: readonly Story[], key: (story: Story) => string): readonly Story[] {
  const alike = new Map<string, Story[]>();
  for (const story of stories) {
    const found = alike.get(key(story));
    if (found) found.push(story);
    else alike.set(key(story), [story]);
  }
  return [...alike.values()].flatMap((all) => {
    const [first] = all;
    return first && all.length > 1 ? [{ ...first, ...subjectsOf(all) }] : all;
  });
}

function subjectsOf(stories: readonly Story[]): Pick<Story, 'resolutions' | 'devices' | 'policies' | 'changes' | 'because'> {
  return {
    resolutions: [...new Set(stories.flatMap(({ resolutions }) => resolutions))],
    devices: distinct<DeviceClass>(
      stories.flatMap(({ devices }) => devices),
      ({ device }) => device,
    ),
    policies: [...new Set(stories.flatMap(({ policies }) => policies))],
    changes: [...new Set(stories.flatMap(({ changes }) => changes))],
    because: distinct<Rule>(
      stories.flatMap(({ because }) => because),
      (rule) => `${rule.field} ${wordsOf(rule)}`,
    ),
  };
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

/** The rules that are new on the side that has less, those that decide before the others; where none is new, all that speak of it. */
function reasonsFor(outcome: ImpactOutcome, was: Judgement, is: Judgement): readonly Rule[] {
  const [less, more] = outcome === 'gained' || outcome === 'freed' ? [was, is] : [is, was];
  const spoken = new Set(more.rules.map(wordsOf));
  const deciding = less.rules.filter((rule) => decides(outcome, rule.outcome));
  const fresh = deciding.filter((rule) => !spoken.has(wordsOf(rule)));
  return fresh.length > 0 ? fresh : deciding;
}

function decides(outcome: ImpactOutcome, playback: Playback): boolean {
  if (outcome === 'lost' || outcome === 'gained') return playback === 'refused';
  return outcome === 'unsure' ? playback === 'depends' : playback !== 'plays';
}

/** A rule without the place where it stands. */
function wordsOf({ outcome, output, text }: Rule): string {
  return `${outcome} ${output} ${text}`;
}
