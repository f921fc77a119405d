/** Says first what a reader asks first: is it blocked, what stops or weakens, and who may release it. */
import type { Change } from '../../model/change.ts';
import { groupBy } from '../../model/collections.ts';
import type { ImpactOutcome } from '../../model/impact.ts';
import type { Plan } from '../../model/plan.ts';
import { count, kindsWithStatus, quoteFlags, writes } from './labels.ts';
import type { Line, Verdict } from './model.ts';

/** Maximum number of overrides that are named. */
const MAX_OVERRIDES = 5;

/** Returns the verdict on a plan or a drift report, from its changes and from how completely the account was read. */
export function verdictView(type: 'plan' | 'drift', plan: Plan): Verdict {
  const { unread = [], changes } = plan;
  const incomplete = [...new Set([...kindsWithStatus(plan, 'incomplete'), ...unread.map(({ kind }) => kind)])];
  const details: Line = { style: 'title', text: plan.verdict };
  if (incomplete.length > 0 && kindsWithStatus(plan, 'complete').length === 0)
    return { style: 'alarm', headline: 'Cannot tell: nothing could be read', lines: [details] };
  const onRead = type === 'plan' ? planVerdict(plan) : driftVerdict(plan);
  const lines = [...(incomplete.length > 0 || hasMoreToSay(type, changes) ? [details] : []), ...releaseLines(type, plan)];
  if (incomplete.length === 0) return { ...onRead, lines };
  return { style: 'alarm', headline: `Cannot tell for ${incomplete.join(', ')}. For the rest: ${onRead.headline}`, lines };
}

/** Whether the sentence of the plan says more than the headline: what stops, or risks beside those of what is blocked. */
function hasMoreToSay(type: 'plan' | 'drift', changes: readonly Change[]): boolean {
  const risks = riskParts(changes.filter(writes));
  const blocked = type === 'plan' ? changes.filter((change) => change.blocked !== null) : [];
  return changes.some(isStopping) || (blocked.length > 0 && (risks.length > 1 || risks.join() !== riskParts(blocked).join()));
}

type Headline = Pick<Verdict, 'style' | 'headline'>;

function planVerdict(plan: Plan): Headline {
  const { changes, behind = [], config, impact } = plan;
  const blocked = changes.filter((change) => change.blocked !== null);
  const written = changes.filter(writes);
  if (blocked.length > 0) return { style: 'alarm', headline: blockedHeadline(blocked, changes.length) };
  if (written.length === 0) return nothingToWrite(plan, behind.length);
  const isRisky = riskParts(written).length > 0;
  const isBehind = behind.length > 0;
  const says = isRisky
    ? riskText(written, 'change')
    : impact?.summaries.some(({ outcome }) => WORSE.includes(outcome))
      ? `${count(written.length, 'change')}, and some devices play less`
      : null;
  const state = isBehind ? 'Behind the commit last applied' : says !== null || config?.dirty ? notBlocked(written) : 'Ready to apply';
  const isAlarm = written.some((change) => isStopping(change) || change.effect === 'loosens');
  return {
    style: isAlarm ? 'alarm' : says !== null || isBehind ? 'warning' : 'good',
    headline: `${state}: ${says ?? `${count(written.length, 'change')}, ${harmless(written)}`}`,
  };
}

function notBlocked(written: readonly Change[]): string {
  return written.some((change) => isStopping(change) && stopsExpectedPlayback(change))
    ? 'Viewers lose playback, and nothing blocks it'
    : 'Not blocked';
}

/** Says how many of the changes have the only risk that there is, or how many have each. */
function riskText(changes: readonly Change[], noun: string): string {
  const all = count(changes.length, noun);
  const present = RISKS.filter(({ is }) => changes.some(is));
  const [only] = present;
  if (!only || present.length > 1) return [all, ...riskParts(changes)].join(', ');
  const number = changes.filter(only.is).length;
  return `${number === changes.length ? all : `${number} of ${all}`} ${number === 1 ? only.one : only.several}`;
}

/** The outcomes that are worse for viewers. No change is called harmless beside them, whatever it says of itself. */
const WORSE: readonly ImpactOutcome[] = ['lost', 'uncertain', 'restricted'];

/** Says how much is blocked, and what that would do: the worst that all of it has in common, or else each risk with its number. */
function blockedHeadline(blocked: readonly Change[], all: number): string {
  const outOf = blocked.length === all ? count(all, 'change') : `${blocked.length} of ${count(all, 'change')}`;
  const common = [...RISKS, DELETES].find(({ is }) => blocked.every(is));
  if (common) return `Blocked: ${outOf} ${blocked.length === 1 ? common.one : common.several}`;
  const parts = partsOf([...RISKS, DELETES], blocked);
  return `Blocked: ${outOf}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

/** Says that changes do no harm, and what good they do; the whole sentence only where it is true of both axes. */
function harmless(written: readonly Change[]): string {
  const noun = written.length === 1 ? 'it' : 'none';
  const verbs = (one: string, several: string) => (noun === 'it' ? one : several);
  if (written.every(({ effect, playback }) => effect === 'neutral' && playback === 'neutral'))
    return `${verbs('it affects neither', 'none affects')} protection ${verbs('nor', 'or')} playback`;
  return `${verbs('it neither weakens', 'none weakens')} protection ${verbs('nor stops or reduces', 'or stops or reduces')} playback`;
}

function nothingToWrite(plan: Plan, behind: number): Headline {
  const { changes, observed } = plan;
  if (changes.length > 0) return { style: 'good', headline: `Nothing to write: ${count(changes.length, 'change')} of the ledger only` };
  if (behind > 0) return { style: 'warning', headline: 'Nothing to apply: this commit is behind the commit last applied' };
  if (!Object.values(observed).includes('complete')) return { style: 'quiet', headline: 'Nothing was looked at' };
  return {
    style: 'good',
    headline: isPartial(plan) ? 'Nothing to do in what was looked at' : 'Nothing to do: the account matches the repository',
  };
}

function driftVerdict(plan: Plan): Headline {
  const drifted = plan.changes;
  if (drifted.length === 0) {
    if (!Object.values(plan.observed).includes('complete')) return { style: 'quiet', headline: 'Nothing was looked at' };
    return { style: 'good', headline: isPartial(plan) ? 'No drift in what was looked at' : 'No drift: the account is as expected' };
  }
  const isAlarm = drifted.some((change) => isStopping(change) || change.effect === 'loosens');
  return {
    style: isAlarm ? 'alarm' : 'warning',
    headline: `Drift: ${riskText(drifted, 'difference')}`,
  };
}

/** Whether a part was left out on purpose, or could not be read. */
function isPartial(plan: Plan): boolean {
  return kindsWithStatus(plan, 'skipped').length + kindsWithStatus(plan, 'incomplete').length > 0;
}

function isStopping({ playback }: Change): boolean {
  return playback === 'stops';
}

/** Decides whether what stops was expected to play: anything that goes off air, and any class of devices that is not declared unexpected. */
function stopsExpectedPlayback({ playbackReasons = [] }: Change): boolean {
  const reasons = playbackReasons.filter(
    ({ playback, offAir, devices }) => playback === 'stops' && (offAir === true || devices !== undefined),
  );
  return reasons.length === 0 || reasons.some(({ expected = true }) => expected);
}

/** A risk with its verbs for one and for several changes. */
interface Risk {
  readonly is: (change: Change) => boolean;
  readonly one: string;
  readonly several: string;
}

/** The risks, worst first. */
const RISKS: readonly Risk[] = [
  { is: (change) => isStopping(change) && stopsExpectedPlayback(change), one: 'stops playback', several: 'stop playback' },
  { is: ({ effect }) => effect === 'loosens', one: 'weakens protection', several: 'weaken protection' },
  {
    is: (change) => isStopping(change) && !stopsExpectedPlayback(change),
    one: 'stops playback on devices that are not expected to play',
    several: 'stop playback on devices that are not expected to play',
  },
  { is: ({ playback }) => playback === 'reduces', one: 'reduces playback', several: 'reduce playback' },
  { is: ({ playback }) => playback === 'unknown', one: 'may affect playback', several: 'may affect playback' },
];

/** What weighs by its number, whatever it does. */
const DELETES: Risk = { is: ({ action }) => action === 'delete', one: 'deletes something', several: 'delete something' };

/** Counts changes by risk, in words, worst first; empty if there is no risk. A change with several risks counts for each. */
function riskParts(changes: readonly Change[]): readonly string[] {
  return partsOf(RISKS, changes);
}

function partsOf(risks: readonly Risk[], changes: readonly Change[]): readonly string[] {
  return risks.flatMap(({ is, one, several }) => {
    const number = changes.filter(is).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : several}`];
  });
}

/** Says who may release what is blocked, and how: each override once, with the number of changes. */
function releaseLines(type: 'plan' | 'drift', { changes, behind = [], target }: Plan): readonly Line[] {
  const blocked = [...changes, ...behind].flatMap((change) => (change.blocked ? [{ change, override: change.blocked.override }] : []));
  if (blocked.length === 0 || type === 'drift') return [];
  const groups = [...groupBy(blocked, ({ override }) => override)];
  const more = groups.length - MAX_OVERRIDES;
  const named = (group: typeof blocked) =>
    group.length === 1 ? group.map(({ change }) => change.name || change.address).join('') : count(group.length, 'change');
  return [
    {
      style: 'plain',
      text: `While this is blocked, apply writes nothing, unless \`--skip-blocked\` is given. Who may release it: whoever may apply to ${target}; where CI asks for an approval, with that approval.`,
    },
    ...groups
      .slice(0, MAX_OVERRIDES)
      .map(([override, group]): Line => ({ style: 'plain', text: `To release ${named([...group])}: ${quoteFlags(override)}` })),
    ...(more > 0 ? [{ style: 'quiet', text: `And ${more} more ways, each at its change.` } as const] : []),
  ];
}
