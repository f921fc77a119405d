/** Says first what a reader asks first: is it blocked, what stops or weakens, and who may unblock it. */
import { type Action, blockingChecks, type Change, isForAll, takesOver, writesOnService } from '../../core/model/change.ts';
import { joinAnd } from '../../core/model/collections.ts';
import { type Hold, type RuleName, STATUSES, type Status } from '../../core/model/decision.ts';
import { stopsExpectedPlayback } from '../../core/model/expected-playback.ts';
import type { Plan } from '../../core/model/plan.ts';
import { couldReadNothing, leftOutText, scopeOf } from '../../core/model/plan-scope.ts';
import { effectSentences } from './effects.ts';
import { isOtherSettings, loweredHeadlines } from './findings.ts';
import { holdText, instantText } from './holds.ts';
import { count, kindsWithStatus, namesOf, sentence } from './labels.ts';
import type { Line, Verdict } from './model.ts';
import { nextLines, otherReasons } from './next.ts';
import { isWorse } from './outcome-words.ts';

/** Returns the verdict on a plan or a drift report, from its changes and from how completely the account was read. */
export function verdictView(type: 'plan' | 'drift', plan: Plan): Verdict {
  const onChanges = verdictOnChanges(type, plan);
  const verdict = { ...onChanges, lines: [...comparisonLines(plan), ...onChanges.lines] };
  const lowered = loweredHeadlines(plan.findings);
  const headlines = [
    ...(plan.base?.unusable ? ['Compared with nothing'] : []),
    ...(plan.base?.unknown ? ['Only the account can tell all'] : []),
    ...(plan.findings.some(isOtherSettings) && lowered.length === 0 ? ['Changes settings of upkeep.yaml'] : []),
    // What holds changes back comes before the changes.
    ...lowered,
  ];
  return headlines.length === 0 ? verdict : { ...verdict, style: 'alarm', headline: [...headlines, verdict.headline].join('. ') };
}

/** Says that a report compares commits, and what it cannot know. */
function comparisonLines({ base }: Plan): readonly Line[] {
  if (!base) return [];
  const commit = base.commit.slice(0, 12);
  const compared = base.unusable
    ? `Compared with nothing: the configuration at ${commit} cannot be used`
    : `Compared with commit ${commit}`;
  const diverged = base.diverged
    ? ' The head lacks commits of the base: what they changed looks as if it were taken back. Compare with the commit where it branched off.'
    : '';
  const unknown = base.unknown ? ` Not known here is what this does: ${base.unknown.join('; ')}.` : '';
  return [
    {
      style: 'title',
      text: `${compared}. The account was not asked: its IDs, edits by hand, what nobody declares, and settings that the base does not declare are known to \`upkeep plan\` only.${diverged}${unknown}`,
    },
  ];
}

function verdictOnChanges(type: 'plan' | 'drift', plan: Plan): Verdict {
  const { unread = [], leftOut } = plan;
  const incomplete = [...new Set([...kindsWithStatus(plan, 'incomplete'), ...unread.map(({ kind }) => kind)])];
  const details: Line = { style: 'title', text: plan.risks };
  if (couldReadNothing(plan))
    return {
      style: 'alarm',
      headline: `Cannot tell: ${plan.base ? 'the base declares nothing of it' : 'nothing could be read'}`,
      lines: [details, ...adviceLines(plan)],
    };
  const onRead = type === 'plan' ? planVerdict(plan, incomplete.length > 0) : driftVerdict(plan);
  const lines: readonly Line[] = [
    ...(incomplete.length > 0 ? [details] : []),
    ...(type === 'plan' ? reasonSentences(plan) : []),
    ...effectSentences(plan).map((text): Line => ({ style: 'plain', text, item: 'bullet' })),
    ...(leftOut ? [{ style: 'plain', text: sentence(leftOutText(leftOut)) } as const] : []),
  ];
  const next = type === 'plan' ? nextLines(plan) : [];
  const how = next.length === 0 ? {} : { next };
  if (incomplete.length === 0) return { ...onRead, lines, ...how };
  const headline = `Cannot tell for ${incomplete.join(', ')}. For the rest: ${onRead.headline}`;
  return { style: 'alarm', headline, lines: [...lines, ...adviceLines(plan)], ...how };
}

/** A plan or a drift report as a JSON document: with its verdict, which is the first line of the report as text. */
export interface PlanDocument extends Plan {
  readonly verdict: string;
}

/** Returns a plan or a drift report with its verdict. */
export function withVerdict(type: 'plan' | 'drift', plan: Plan): PlanDocument {
  const { schemaVersion, drift, target, fingerprint, decision, ...rest } = plan;
  const verdict = { verdict: verdictView(type, plan).headline };
  // Both stand near the top of the document; a verdict that a saved plan brings does not count.
  return Object.assign(
    {
      schemaVersion,
      ...(drift ? { drift } : {}),
      target,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...verdict,
      ...(decision ? { decision } : {}),
    },
    rest,
    verdict,
  );
}

/** Says what to do where something could not be read. Between two commits, that is said already. */
function adviceLines({ unread = [], base }: Plan): readonly Line[] {
  if (base) return [];
  const isRefused = unread.some(({ refused }) => refused);
  const text = isRefused
    ? 'Check the owner and the key of the target, and the clock of the machine.'
    : unread.length > 0 && unread.every(({ notFound }) => notFound)
      ? 'Check base_url: the service answers, and has nothing at the addresses of the API.'
      : 'Run again when the service answers.';
  return [{ style: 'plain', text }];
}

type Headline = Pick<Verdict, 'style' | 'headline'>;

/** Says of a plan what its decision is, and what its changes do; `isInPart` where something could not be read, which is said before. */
function planVerdict(plan: Plan, isInPart: boolean): Headline {
  const { changes } = plan;
  const { status, holds } = ofWhatWasRead(plan);
  if (changes.length === 0) return status === 'behind' ? BEHIND : nothingToDo(plan);
  const blocked = changes.filter((change) => change.blocked !== null);
  const { style, text, isRisky } = changesText(plan);
  const blockedText =
    blocked.length > 0 ? `${blockedHeadline(blocked, changes.length)}${takenOverText(blocked.filter(isBlockedLikeAll))}` : null;
  if (status === 'unknown') {
    const what = blockedText ?? `The plan has ${text}`;
    return { style: 'alarm', headline: `Cannot tell whether it may be applied: ${holds.map(holdText)[0]}. ${what}` };
  }
  if (blockedText !== null) return { style: 'alarm', headline: blockedText };
  switch (status) {
    case 'behind':
      return { style: atLeastWarning(style), headline: `Behind the commit last applied: rebase, then ${text}` };
    case 'waits':
      return { style: atLeastWarning(style), headline: `${waitsText(plan, holds)}. Then ${text}` };
    default:
      return { style, headline: isInPart ? text : `${readyText(plan, isRisky)}${text}` };
  }
}

/**
 * Returns the status of a plan without what could not be read, which the headline says before it. With nothing to do, only what holds back a
 * change counts, as in the decision.
 */
function ofWhatWasRead({ decision, changes }: Plan): { readonly status: Status; readonly holds: readonly Hold[] } {
  const holds = (decision?.holds ?? []).filter(({ rule, on }) => rule !== 'incomplete-read' && (changes.length > 0 || on !== null));
  const status = STATUSES.find((each) => holds.some((hold) => hold.status === each)) ?? 'ready';
  return { status, holds: holds.filter((hold) => hold.status === status) };
}

function atLeastWarning(style: Headline['style']): Headline['style'] {
  return style === 'alarm' ? 'alarm' : 'warning';
}

/** Says that nothing holds the changes back, before what they do. */
function readyText(plan: Plan, isRisky: boolean): string {
  const written = plan.changes.filter(writesOnService);
  if (written.length === 0) return 'Nothing to write: ';
  if (written.some((change) => isStopping(change) && stopsExpectedPlayback(change)))
    return 'Viewers lose playback, and nothing blocks it: ';
  if (plan.base) return 'Nothing in it is blocked: ';
  return isRisky ? 'May be applied, with a risk: ' : 'Ready to apply: ';
}

/** What a run waits for that these rules hold back. */
const ONCE: { readonly [rule in RuleName]?: string } = {
  dirty: 'the edits are committed',
  'not-on-branch': 'the commit is merged',
};

/** Says what a run waits for, and until when. */
function waitsText({ decision }: Plan, holds: readonly Hold[]): string {
  const once = holds.flatMap(({ rule }) => ONCE[rule] ?? []);
  const rest = holds.filter(({ rule }) => ONCE[rule] === undefined);
  const [only] = rest;
  const local = rest.length === 1 && only?.until === decision?.until ? only?.localUntil : undefined;
  const until = decision?.until == null ? '' : ` until ${instantText(decision.until, local)}`;
  const textOf = ({ target, reason }: Hold): string => (target === undefined ? reason : `${target} ${reason}`);
  const [first, ...others] = [...new Set(rest.map(once.length === 0 ? textOf : holdText))];
  const reasons = first === undefined ? '' : `${first}${others.length === 0 ? '' : `, and ${count(others.length, 'more reason')}`}`;
  if (once.length === 0) return `Waits${until}: ${reasons}`;
  return `Waits until ${joinAnd(once)}${reasons === '' ? '' : `, and after that: ${reasons}`}`;
}

/** Says how many changes there are, and what they do. */
function changesText(plan: Plan): { readonly style: Headline['style']; readonly text: string; readonly isRisky: boolean } {
  const { changes, impact } = plan;
  const written = changes.filter(writesOnService);
  if (written.length === 0) return { style: 'good', text: `${count(changes.length, 'change')} of the ledger only`, isRisky: false };
  const takesOver = takenOverText(changes);
  const says =
    riskParts(written).length > 0
      ? riskText(written, 'change')
      : // No change is called harmless beside it, whatever it says of itself.
        impact?.summaries.some(isWorse)
        ? `${count(written.length, 'change')}, and some devices play less`
        : null;
  const isAlarm = written.some((change) => isStopping(change) || change.effect === 'weakens');
  const isRisky = says !== null || takesOver !== '';
  const effects = plan.base?.unknown ? 'not all effects are known' : harmless(written);
  return {
    style: isAlarm ? 'alarm' : isRisky ? 'warning' : 'good',
    text: `${says ?? `${count(written.length, 'change')}${programText(written)}; ${effects}`}${takesOver}`,
    isRisky,
  };
}

/** Decides whether anything blocks a change for a reason that says nothing of the change itself. */
function isBlockedLikeAll({ blocked }: Change): boolean {
  return blocked !== null && blockingChecks(blocked).some(isForAll);
}

/** Says how many objects are bound for the first time where one of them would be changed; empty otherwise. */
function takenOverText(changes: readonly Change[]): string {
  const taken = changes.filter(takesOver);
  const changed = taken.filter(writesOnService).length;
  if (changed === 0) return '';
  const of = taken.length === 1 ? 'and changes it' : `${changed} of them changed`;
  return `; takes over ${count(taken.length, 'object')}${taken.length === 1 ? ' ' : ', '}${of}`;
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

/** Says for which other reasons than their effects changes are blocked, unless the headline says it. */
function reasonSentences({ changes }: Plan): readonly Line[] {
  const blocked = changes.filter((change) => change.blocked !== null);
  if (commonReason(blocked) !== undefined) return [];
  return otherReasons(blocked).map((each): Line => ({ style: 'plain', text: `${namesOf(each.changes)}: ${each.reason}`, item: 'bullet' }));
}

/** Returns the reason, other than its effects, for which each of the changes is blocked; undefined where there is none, or several. */
function commonReason(blocked: readonly Change[]): string | undefined {
  const [only, ...others] = otherReasons(blocked);
  return only !== undefined && others.length === 0 && only.changes.length === blocked.length ? only.reason : undefined;
}

/** Says what is blocked: the reason that is no effect, where all have it; one change with all that it does, or of several how many, and the worst that all have in common, or each risk. */
function blockedHeadline(blocked: readonly Change[], all: number): string {
  const [first, ...others] = blocked;
  const reason = commonReason(blocked);
  if (reason !== undefined)
    return `Blocked: ${others.length === 0 ? namesOf(blocked) : outOfAll(blocked, all)}: ${reason.replace(/\.$/, '')}`;
  if (first && others.length === 0) return `Blocked: ${namesOf(blocked)} ${joinAnd(deedsOf(first))}`;
  const outOf = outOfAll(blocked, all);
  const common = [...RISKS, DELETES].find(({ is }) => blocked.every(is));
  if (common) return `Blocked: ${outOf} ${wouldDo(common)}`;
  const parts = partsOf(
    [...RISKS, DELETES].map((risk) => ({ ...risk, one: wouldDo(risk), several: wouldDo(risk) })),
    blocked,
  );
  return `Blocked: ${outOf}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

function outOfAll({ length }: readonly Change[], all: number): string {
  return length === all ? count(all, 'change') : `${length} of ${count(all, 'change')}`;
}

const ACTION_CONSEQUENCES: { readonly [action in Action]: string } = {
  create: 'would be created',
  update: 'would be updated',
  delete: 'would be deleted',
  adopt: 'would be adopted',
  move: 'would be moved',
  forget: 'would be forgotten',
};

/** Says what a risk would do: `would stop playback`, `might affect playback`. */
function wouldDo({ several }: Risk): string {
  return several.startsWith('may ') ? several.replace(/^may/, 'might') : `would ${several}`;
}

/** Says what one change would do, worst first; its action if that is no risk, or a delete. */
function deedsOf(change: Change): readonly string[] {
  const risks = RISKS.filter(({ is }) => is(change)).map(wouldDo);
  return risks.length === 0
    ? [ACTION_CONSEQUENCES[change.action]]
    : risks.map((risk, index) => (index === 0 ? risk : risk.replace(/^would /, '')));
}

/** Says that changes do no harm: what stays as it is, which is everything only where it is true of both axes, and what viewers see. */
function harmless(written: readonly Change[]): string {
  const isNeutral = written.every(({ effect, playback }) => effect === 'neutral' && playback === 'neutral');
  if (isNeutral) return `protection and ${written.some(changesRunningOrder) ? 'devices' : 'playback'} stay as they are`;
  const none = written.length === 1 ? ['it neither weakens', 'nor stops or reduces'] : ['none weakens', 'or stops or reduces'];
  return none.join(' protection ').concat(' playback');
}

/** Names the playlists of which viewers see something else, or in another order; empty where there is none. */
function programText(written: readonly Change[]): string {
  const playlists = written.filter(changesRunningOrder);
  if (playlists.length === 0) return '';
  const some = playlists.length === written.length ? '' : ` of which ${playlists.length}`;
  return `,${some} in what ${namesOf(playlists)} ${playlists.length === 1 ? 'plays' : 'play'}`;
}

/** Decides whether viewers of a playlist see something else, or in another order. */
function changesRunningOrder({ kind, action, fields }: Change): boolean {
  return kind === 'playlist' && action === 'update' && fields.some(({ path }) => path === '/playlist');
}

const BEHIND: Headline = { style: 'warning', headline: 'Behind the commit last applied: rebase; this commit brings no change of its own' };

function nothingToDo(plan: Plan): Headline {
  const scope = scopeOf(plan);
  if (scope === 'none') return NOTHING_LOOKED_AT;
  return {
    style: plan.leftOut ? 'quiet' : 'good',
    headline:
      scope === 'part'
        ? 'Nothing to do in what was looked at'
        : plan.base
          ? 'No resource changes: both commits declare the same'
          : 'Nothing to do: the account matches the repository',
  };
}

const NOTHING_LOOKED_AT: Headline = { style: 'quiet', headline: 'Nothing was looked at' };

function driftVerdict(plan: Plan): Headline {
  const drifted = plan.changes;
  if (drifted.length === 0) {
    const scope = scopeOf(plan);
    if (scope === 'none') return NOTHING_LOOKED_AT;
    return { style: 'good', headline: scope === 'part' ? 'No drift in what was looked at' : 'No drift: the account is as expected' };
  }
  const isAlarm = drifted.some((change) => isStopping(change) || change.effect === 'weakens');
  return {
    style: isAlarm ? 'alarm' : 'warning',
    headline: `Drift: ${riskText(drifted, 'difference')}`,
  };
}

function isStopping({ playback }: Change): boolean {
  return playback === 'stops';
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
  { is: ({ effect }) => effect === 'weakens', one: 'weakens protection', several: 'weaken protection' },
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
