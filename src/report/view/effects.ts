/** Says in words what the changes of a plan do to viewers and to protection, with the resources that do it. */
import { blockingChecks, type Change, type PlaybackReason } from '../../core/model/change.ts';
import { firstOf, groupBy } from '../../core/model/collections.ts';
import { deviceClauses } from '../../core/model/device-clauses.ts';
import { stopsUnnamedDevices } from '../../core/model/expected-playback.ts';
import type { ImpactOutcome, ImpactSummary, Resolution } from '../../core/model/impact.ts';
import type { Plan } from '../../core/model/plan.ts';
import { count, EFFECTS, namesOf, PLAYBACK_LABELS, writes } from './labels.ts';

/** Maximum number of sentences. */
const MAX_SENTENCES = 7;
/** Maximum number of reasons that one sentence gives. */
const MAX_REASONS = 4;
/** Maximum number of classes of devices that one sentence names. */
const MAX_DEVICES = 4;

/** Returns a sentence for each thing that changes do to viewers or to protection, worst first, each with the resources that do it. */
export function effectSentences({ changes, impact }: Pick<Plan, 'changes' | 'impact'>): readonly string[] {
  const written = changes.filter(writes);
  const summaries = impact?.summaries ?? [];
  const sentences = [
    ...limitSentences(written),
    ...offAirSentences(written),
    ...stopSentences(written),
    ...deviceSentences(summaries, written, ['gained']),
    ...weakeningSentences(summaries, written),
    ...deviceSentences(summaries, written, ['lost', 'uncertain', 'restricted']),
    ...otherSentences(summaries, written),
  ];
  const more = sentences.length - MAX_SENTENCES;
  return [...sentences.slice(0, MAX_SENTENCES), ...(more > 0 ? [`And ${count(more, 'more effect')}, at the changes`] : [])];
}

function limitsOf({ blocked }: Change): readonly string[] {
  return blocked ? blockingChecks(blocked).flatMap(({ limit }) => limit ?? []) : [];
}

/** Names each limit that is exceeded, with its figures and its changes. */
function limitSentences(written: readonly Change[]): readonly string[] {
  const over = groupBy(
    written.flatMap((change) => limitsOf(change).map((limit) => ({ limit, change }))),
    ({ limit }) => limit,
  );
  return [...over].map(([limit, all]) => `${limit}: ${namesOf(all.map(({ change }) => change))}`);
}

function isOffAir({ offAir }: PlaybackReason): boolean {
  return offAir === true;
}

/** Names what goes off air and exceeds no limit. */
function offAirSentences(written: readonly Change[]): readonly string[] {
  const isOverLimit = ({ blocked }: Change) =>
    blocked !== null && blockingChecks(blocked).some(({ check, limit }) => check === 'playback-loss' && limit !== undefined);
  const offAir = written.filter((change) => !isOverLimit(change) && change.playbackReasons?.some(isOffAir));
  return [...groupBy(offAir, ({ kind }) => kind)].map(
    ([kind, all]) => `${count(all.length, kind)} ${all.length === 1 ? 'goes' : 'go'} off air: ${namesOf(all)}`,
  );
}

/** Names the devices that play nothing any more, and other reasons of changes without any of these. */
function stopSentences(written: readonly Change[]): readonly string[] {
  const stopping = written.filter(({ playback }) => playback === 'stops');
  const reasonsOf = ({ playbackReasons = [] }: Change) => playbackReasons.filter(({ playback }) => playback === 'stops');
  const plain = stopping.filter(stopsUnnamedDevices);
  return [
    ...deviceClauses(stopping.flatMap(reasonsOf)),
    ...withReasons(plain, PLAYBACK_LABELS.stops ?? '', (change) =>
      reasonsOf(change).flatMap(({ text, devices }) => (devices === undefined ? [text] : [])),
    ),
  ];
}

/** Gives the reasons why changes weaken protection; as details of those that let more devices play, which is said before. */
function weakeningSentences(summaries: readonly ImpactSummary[], written: readonly Change[]): readonly string[] {
  const gaining = new Set(summaries.flatMap(({ outcome, changes }) => (outcome === 'gained' ? changes : [])));
  const reasonsOf = ({ fields }: Change) =>
    fields.flatMap(({ reasons = [] }) => reasons.filter(({ effect }) => effect === 'weakens').map(({ text }) => text));
  const weakening = written.filter(({ effect }) => effect === 'weakens');
  const detailed = weakening.filter((change) => gaining.has(change.address) && reasonsOf(change).length > 0);
  const others = weakening.filter(({ address }) => !gaining.has(address));
  return [...withReasons(others, EFFECTS.weakens ?? '', reasonsOf), ...withReasons(detailed, 'in detail', reasonsOf)];
}

/** Says the same of all changes with the same reasons. */
function withReasons(changes: readonly Change[], label: string, reasonsOf: (change: Change) => readonly string[]): readonly string[] {
  const groups = groupBy(changes, (change) => firstOf([...new Set(reasonsOf(change))], MAX_REASONS).join('; '));
  return [...groups].map(([reasons, all]) => `${namesOf(all)} ${verbFor(all, label)}${reasons === '' ? '' : `: ${reasons}`}`);
}

/** Returns a label that begins with a verb, such as `stops playback`, in the number of its subjects. */
export function verbFor({ length }: { readonly length: number }, label: string): string {
  return length === 1 ? label : label.replace(/^(\w+)s\b/, '$1');
}

const RESOLUTION_NAMES: { readonly [resolution in Resolution]: string } = { SD: 'SD', HD: 'HD', UHD1: '4K (UHD1)', UHD2: '8K (UHD2)' };

const OUTCOME_VERBS: { readonly [outcome in ImpactOutcome]?: readonly [one: string, several: string] } = {
  lost: ['no longer plays', 'no longer play'],
  uncertain: ['may no longer play', 'may no longer play'],
  restricted: ['plays with a new limit', 'play with a new limit'],
  gained: ['also plays', 'also play'],
};

/** Says which resolutions devices lose or gain by risky changes; without the devices that lose everything, which are named before. */
function deviceSentences(
  summaries: readonly ImpactSummary[],
  written: readonly Change[],
  outcomes: readonly ImpactOutcome[],
): readonly string[] {
  const isRisky = ({ effect, playback }: Change) => effect === 'weakens' || (playback !== 'neutral' && playback !== 'gains');
  const risky = new Map(written.filter(isRisky).map((change) => [change.address, change]));
  const isStopped = stoppedUnder(written);
  const shown = summaries.filter(({ outcome, changes }) => outcomes.includes(outcome) && changes.some((each) => risky.has(each)));
  const groups = [...groupBy(shown, ({ outcome, resolutions }) => JSON.stringify([outcome, resolutions])).values()];
  return groups.flatMap((group) => {
    const [first] = group;
    const verbs = first && OUTCOME_VERBS[first.outcome];
    const left = group.flatMap((summary) => {
      const devices = summary.devices.filter(({ device }) => !summary.policies.every((policy) => isStopped(device, policy)));
      return devices.length === 0 ? [] : [{ ...summary, devices }];
    });
    const classes = left.flatMap(({ devices }) => devices);
    if (!verbs || classes.length === 0) return [];
    const causes = [...new Set(left.flatMap(({ changes }) => changes))].flatMap((address) => risky.get(address) ?? []);
    const resolutions = first.resolutions.map((resolution) => RESOLUTION_NAMES[resolution]).join(', ');
    const names = firstOf([...new Set(classes.map(({ name }) => name))], MAX_DEVICES).join('; ');
    const label =
      first.outcome === 'gained' && causes.every(({ effect }) => effect === 'weakens') ? ` ${verbFor(causes, EFFECTS.weakens ?? '')}` : '';
    return [`${namesOf(causes)}${label}: ${resolutions} ${verbs[first.resolutions.length === 1 ? 0 : 1]} on ${names}`];
  });
}

/** Returns what decides whether a class of devices plays nothing any more under a policy: it may lose only a part under another one. */
function stoppedUnder(written: readonly Change[]): (device: string, policy: string) => boolean {
  const reasons = written.flatMap(({ playbackReasons = [] }) => playbackReasons.filter(({ playback }) => playback === 'stops'));
  const stopped = new Set(
    reasons.flatMap(({ devices = [], policies = [] }) =>
      devices.flatMap(({ device }) => policies.map((policy) => JSON.stringify([device, policy]))),
    ),
  );
  return (device, policy) => stopped.has(JSON.stringify([device, policy]));
}

/** Names the changes that reduce playback, or may affect it, of which nothing is known about devices. */
function otherSentences(summaries: readonly ImpactSummary[], written: readonly Change[]): readonly string[] {
  const covered = new Set(summaries.flatMap(({ outcome, changes }) => (outcome === 'gained' ? [] : changes)));
  return (['reduces', 'unknown'] as const).flatMap((level) =>
    withReasons(
      written.filter(({ address, playback }) => playback === level && !covered.has(address)),
      PLAYBACK_LABELS[level] ?? '',
      ({ playbackReasons = [] }) => playbackReasons.filter(({ playback }) => playback === level).map(({ text }) => text),
    ),
  );
}
