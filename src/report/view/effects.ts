/** Says in words what the changes of a plan do to viewers and to protection, with the resources that do it. */
import { blockingChecks, type Change, type PlaybackReason, writesOnService } from '../../core/model/change.ts';
import { firstOf, groupBy, joinAnd, listOf } from '../../core/model/collections.ts';
import { deviceClauses } from '../../core/model/device-clauses.ts';
import { stopsUnnamedDevices } from '../../core/model/expected-playback.ts';
import { type ImpactOutcome, type ImpactSummary, namePolicies, type Resolution } from '../../core/model/impact.ts';
import type { Plan } from '../../core/model/plan.ts';
import { count, countOfKind, EFFECTS, namesOf, PLAYBACK_LABELS, policyWords } from './labels.ts';
import { deviceDoes, type Tracks } from './outcome-words.ts';

/** Maximum number of sentences. */
const MAX_SENTENCES = 7;
/** Maximum number of reasons that one sentence gives. */
const MAX_REASONS = 4;
/** Maximum number of classes of devices that one sentence names. */
const MAX_DEVICES = 4;

/**
 * Returns a sentence for each thing that changes do to viewers or to protection, worst first, each with the resources that do it. Where a
 * change is blocked, they say what would happen.
 */
export function effectSentences({ changes, impact }: Pick<Plan, 'changes' | 'impact'>): readonly string[] {
  const written = changes.filter(writesOnService);
  const summaries = impact?.summaries ?? [];
  const verb = changes.some(({ blocked }) => blocked !== null) ? would : verbFor;
  const sentences = [
    ...limitSentences(written),
    ...offAirSentences(written, verb),
    ...stopSentences(written, verb),
    ...deviceSentences(summaries, written, ['gained'], verb),
    ...weakeningSentences(summaries, written, verb),
    ...deviceSentences(summaries, written, ['lost', 'uncertain', 'restricted'], verb),
    ...otherSentences(summaries, written, verb),
  ];
  const more = sentences.length - MAX_SENTENCES;
  return [...sentences.slice(0, MAX_SENTENCES), ...(more > 0 ? [`And ${count(more, 'more effect')}, at the changes`] : [])];
}

/** Gives a label that begins with a verb the form that fits its subjects. */
type Verb = (subjects: { readonly length: number }, label: string) => string;

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
function offAirSentences(written: readonly Change[], verb: Verb): readonly string[] {
  const isOverLimit = ({ blocked }: Change) =>
    blocked !== null && blockingChecks(blocked).some(({ check, limit }) => check === 'playback-loss' && limit !== undefined);
  const offAir = written.filter((change) => !isOverLimit(change) && change.playbackReasons?.some(isOffAir));
  return [...groupBy(offAir, ({ kind }) => kind)].map(
    ([kind, all]) => `${countOfKind(all.length, kind)} ${verb(all, 'goes off air')}: ${namesOf(all)}`,
  );
}

/** Names the devices that play nothing any more, and other reasons of changes without any of these. */
function stopSentences(written: readonly Change[], verb: Verb): readonly string[] {
  const stopping = written.filter(({ playback }) => playback === 'stops');
  const reasonsOf = ({ playbackReasons = [] }: Change) => playbackReasons.filter(({ playback }) => playback === 'stops');
  const plain = stopping.filter(stopsUnnamedDevices);
  return [
    ...deviceClauses(stopping.flatMap(reasonsOf), verb === would, namedOrCounted),
    ...withReasons(plain, PLAYBACK_LABELS.stops ?? '', verb, (change) =>
      reasonsOf(change).flatMap(({ text, devices, expected }) => (devices === undefined && expected !== false ? [text] : [])),
    ),
  ];
}

/** Names policies as people call them, or says how many there are. */
function namedOrCounted(policies: readonly string[]): string {
  return policies.length > MAX_POLICIES + 1 ? namePolicies(policies) : policyWords(policies, MAX_POLICIES);
}

/** Gives the reasons why changes weaken protection; as details of those that let more devices play, which is said before. */
function weakeningSentences(summaries: readonly ImpactSummary[], written: readonly Change[], verb: Verb): readonly string[] {
  const gaining = new Set(summaries.flatMap(({ outcome, changes }) => (outcome === 'gained' ? changes : [])));
  const reasonsOf = ({ fields }: Change) =>
    fields.flatMap(({ reasons = [] }) => reasons.filter(({ effect }) => effect === 'weakens').map(({ text }) => text));
  const weakening = written.filter(({ effect }) => effect === 'weakens');
  const detailed = weakening.filter((change) => gaining.has(change.address) && reasonsOf(change).length > 0);
  const others = weakening.filter(({ address }) => !gaining.has(address));
  return [...withReasons(others, EFFECTS.weakens ?? '', verb, reasonsOf), ...withReasons(detailed, 'in detail', verb, reasonsOf)];
}

/** Says the same of all changes with the same reasons. */
function withReasons(
  changes: readonly Change[],
  label: string,
  verb: Verb,
  reasonsOf: (change: Change) => readonly string[],
): readonly string[] {
  const groups = groupBy(changes, (change) => firstOf([...new Set(reasonsOf(change))], MAX_REASONS).join('; '));
  return [...groups].map(([reasons, all]) => `${namesOf(all)} ${verb(all, label)}${reasons === '' ? '' : `: ${reasons}`}`);
}

/** Returns a label that begins with a verb, such as `stops playback`, in the number of its subjects. */
export function verbFor({ length }: { readonly length: number }, label: string): string {
  return length === 1 ? label : label.replace(VERB, '$1');
}

/** Returns the same label for what has not happened, because it is blocked: `would stop playback`. */
function would(_subjects: { readonly length: number }, label: string): string {
  return label.replace(/\bmay\b/, 'might').replace(VERB, 'would $1');
}

/** A verb in the third person at the beginning of a label. */
const VERB = /^(\w+?)(?:(?<=go)es|s)\b/;

const RESOLUTION_NAMES: { readonly [resolution in Resolution]: string } = { SD: 'SD', HD: 'HD', UHD1: '4K (UHD1)', UHD2: '8K (UHD2)' };

/** Maximum number of policies that one clause names. */
const MAX_POLICIES = 3;

/**
 * Says which resolutions devices lose or gain by risky changes, and under which policies: in one sentence for the same devices, and for those
 * that play the same. Without the devices that lose everything, which are named before.
 */
function deviceSentences(
  summaries: readonly ImpactSummary[],
  written: readonly Change[],
  outcomes: readonly ImpactOutcome[],
  verb: Verb,
): readonly string[] {
  const isRisky = ({ effect, playback }: Change) => effect === 'weakens' || (playback !== 'neutral' && playback !== 'gains');
  const risky = new Map(written.filter(isRisky).map((change) => [change.address, change]));
  const isStopped = stoppedUnder(written);
  const shown = summaries.filter(({ outcome, changes }) => outcomes.includes(outcome) && changes.some((each) => risky.has(each)));
  const left = shown.flatMap((summary) => {
    const devices = summary.devices.filter(({ device }) => !summary.policies.every((policy) => isStopped(device, policy)));
    const causes = summary.changes.filter((address) => risky.has(address));
    return devices.length === 0 ? [] : [{ ...summary, names: [...new Set(devices.map(({ name }) => name))], causes }];
  });
  const byDevices = groupBy(left, ({ outcome, uncertain, names, causes }) => JSON.stringify([outcome, uncertain, names, causes]));
  const facts = [...byDevices.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const causes = first.causes.flatMap((address) => risky.get(address) ?? []);
    return [{ outcome: first.outcome, uncertain: first.uncertain, names: first.names, causes, tracks: tracksOf(group, causes) }];
  });
  // Different devices may play the same.
  const byContent = groupBy(facts, ({ outcome, uncertain, causes, tracks }) =>
    JSON.stringify([outcome, uncertain, causes.map(({ address }) => address), tracks]),
  );
  return [...byContent.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const names = [...new Set(group.flatMap((fact) => fact.names))];
    const isWeakening = first.outcome === 'gained' && first.causes.every(({ effect }) => effect === 'weakens');
    const cause = `${namesOf(first.causes)}${isWeakening ? ` ${verb(first.causes, EFFECTS.weakens ?? '')}` : ''}`;
    const devices = names.length > MAX_DEVICES ? listOf(names, MAX_DEVICES) : joinAnd(names);
    return [`${cause}: ${devices} ${deviceDoes(first, first.tracks, { isOne: names.length === 1, isConditional: verb === would })}`];
  });
}

/** Returns which resolutions some devices play, and under which policies, unless that is the one change that causes it. */
function tracksOf(group: readonly Pick<ImpactSummary, 'resolutions' | 'policies'>[], causes: readonly Change[]): readonly Tracks[] {
  const byResolutions = groupBy(group, ({ resolutions }) => resolutions.map((resolution) => RESOLUTION_NAMES[resolution]).join(', '));
  return [...byResolutions].map(([names, all]) => {
    const policies = [...new Set(all.flatMap((summary) => summary.policies))];
    const isCause = policies.length === 1 && causes.length === 1 && policies[0] === causes[0]?.address;
    return { names, where: isCause ? '' : ` under ${policyWords(policies, MAX_POLICIES)}` };
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
function otherSentences(summaries: readonly ImpactSummary[], written: readonly Change[], verb: Verb): readonly string[] {
  const covered = new Set(summaries.flatMap(({ outcome, changes }) => (outcome === 'gained' ? [] : changes)));
  return (['reduces', 'unknown'] as const).flatMap((level) =>
    withReasons(
      written.filter(({ address, playback }) => playback === level && !covered.has(address)),
      PLAYBACK_LABELS[level] ?? '',
      verb,
      ({ playbackReasons = [] }) => playbackReasons.filter(({ playback }) => playback === level).map(({ text }) => text),
    ),
  );
}
