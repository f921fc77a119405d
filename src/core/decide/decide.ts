/**
 * Decides whether a run may write (design section 16). Pure: whoever plans, applies or reports fetches the facts, asks this function at each
 * moment, and says what it says.
 */
import { blockingChecks, type Change } from '../model/change.ts';
import { firstOf } from '../model/collections.ts';
import { type Condition, type Decision, type Hold, type RuleHold, type RuleName, STATUSES, type Status } from '../model/decision.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../model/exit-codes.ts';
import { changesSent } from '../model/plan.ts';
import { type Fact, type Facts, type LiftedPlan, type Moment, NOT_ASKED } from './facts.ts';
import { type Held, nextSteps } from './next.ts';
import { holdsOfStages } from './stages.ts';
import { holdsOfWindows, opensAt } from './windows.ts';

/** A rule of a run: the fact that it is about, and what it holds back where that is known. */
interface Rule<Value> {
  readonly name: RuleName;
  readonly asked: readonly Moment[];
  /** Exit code of an apply that it holds back. */
  readonly exit: ExitCode;
  readonly fact: (facts: Facts) => Fact<Value>;
  readonly holds: (value: Value, facts: Facts) => readonly RuleHold[];
  /** The value of `--allow` that overrides it; absent where none does. */
  readonly allow?: string;
  readonly isOverridden?: (facts: Facts) => boolean;
  /** Present where it holds nothing back of a run that has nothing to do. */
  readonly needsChanges?: true;
}

/** What one rule holds back of a run. */
interface RuleResult {
  readonly holds: readonly Hold[];
  readonly exit: ExitCode;
  readonly isOverridden: boolean;
  /** Whether `--skip-blocked` leaves out what it holds back, so that the rest goes on. */
  readonly isSkippable: boolean;
  readonly needsChanges: boolean;
}

type AskRule = (facts: Facts) => readonly RuleResult[];

function rule<Value>({ name, asked, exit, fact, holds, allow, isOverridden, needsChanges }: Rule<Value>): AskRule {
  const ask = (facts: Facts): readonly RuleHold[] => {
    if (!asked.includes(facts.moment)) return [];
    const value = fact(facts);
    if ('known' in value) return holds(value.known, facts);
    // A plan is made without looking for everything. All else that is not known never passes.
    if (facts.moment === 'plan' && value === NOT_ASKED) return [];
    return [{ status: 'unknown', reason: value.unknown, lift: allow === undefined ? null : { allow } }];
  };
  return (facts) => [
    {
      holds: ask(facts).map((hold) => ({ rule: name, on: null, ...hold })),
      exit,
      isOverridden: isOverridden?.(facts) ?? false,
      isSkippable: false,
      needsChanges: needsChanges ?? false,
    },
  ];
}

const ALWAYS: readonly Moment[] = ['plan', 'planned', 'answered'];

/** Maximum number of files named in a reason. */
const MAX_NAMED = 4;

/** The kinds that could not be read. */
const unreadKinds: AskRule = ({ plan }) =>
  (plan?.unread ?? []).map(({ kind, refused, reason }) => ({
    holds: [
      {
        rule: 'incomplete-read',
        status: 'unknown',
        on: null,
        reason: `${kind} could not be read: ${reason}`,
        lift: { course: refused ? 'correct the credentials' : 'run it again when the service answers' },
      },
    ],
    exit: refused ? EXIT_CODES.credentials : EXIT_CODES.incomplete,
    isOverridden: false,
    isSkippable: true,
    needsChanges: false,
  }));

/** What safety checks hold back. Those that are overridden hold nothing back: the plan counts them. */
const safetyChecks: AskRule = ({ plan }) => [
  {
    holds: [
      ...(plan?.changes ?? []).flatMap((change) => holdsOfChange(change, 'blocked')),
      ...(plan?.behind ?? []).flatMap((change) => holdsOfChange(change, 'behind')),
    ],
    exit: EXIT_CODES.blocked,
    isOverridden: false,
    isSkippable: true,
    needsChanges: false,
  },
];

function holdsOfChange({ address, blocked }: Change, status: 'blocked' | 'behind'): readonly Hold[] {
  if (blocked === null) return [];
  return blockingChecks(blocked).map(({ check, reason, lift }) => ({
    rule: check,
    status,
    on: address,
    reason,
    lift,
  }));
}

/** The rules, in order of precedence. */
const RULES: readonly AskRule[] = [
  rule({
    name: 'stale-plan',
    asked: ['planned'],
    exit: EXIT_CODES.stale,
    fact: ({ differs }) => differs,
    holds: (differs) => differs.map((reason) => ({ status: 'refused', reason, lift: { course: 'have a new plan reviewed' } })),
  }),
  rule({
    name: 'lock',
    asked: ['planned', 'answered'],
    exit: EXIT_CODES.locked,
    fact: ({ lock }) => lock,
    holds: (lock) => (lock === 'held' ? [] : [{ status: 'refused', reason: 'the lock was lost or can no longer be read', lift: null }]),
  }),
  unreadKinds,
  safetyChecks,
  rule({
    name: 'dirty',
    asked: ALWAYS,
    exit: EXIT_CODES.blocked,
    fact: ({ commit }) => commit,
    holds: (commit) =>
      commit === null || commit.dirty.length === 0
        ? []
        : [
            {
              status: 'waits',
              reason: `the work tree differs from commit ${shortId(commit.id)}: ${firstOf(commit.dirty, MAX_NAMED).join(', ')}`,
              lift: { course: 'commit the changes', allow: 'dirty' },
            },
          ],
    allow: 'dirty',
    isOverridden: ({ overrides }) => overrides.dirty === true,
    needsChanges: true,
  }),
  rule({
    name: 'not-on-branch',
    asked: ALWAYS,
    exit: EXIT_CODES.blocked,
    fact: ({ branch }) => branch,
    holds: (branch, { target }) =>
      branch === null || branch.hasCommit
        ? []
        : [
            {
              status: 'waits',
              reason: `commit ${shortId(branch.commit)} is not on ${branch.name}, from which ${target} is applied`,
              lift: { course: 'merge it first' },
            },
          ],
    needsChanges: true,
  }),
  rule({
    name: 'promotion',
    asked: ALWAYS,
    exit: EXIT_CODES.blocked,
    fact: ({ stages }) => stages,
    holds: holdsOfStages,
    ...condition('promotion'),
  }),
  rule({
    name: 'window',
    asked: ALWAYS,
    exit: EXIT_CODES.blocked,
    fact: ({ windows }) => windows,
    holds: (windows, { plan, now }) => holdsOfWindows(windows, plan && changesSent(plan), now),
    ...condition('window'),
  }),
  rule({
    name: 'not-confirmed',
    asked: ['answered'],
    exit: EXIT_CODES.blocked,
    fact: ({ answer }) => answer,
    holds: (answer) =>
      answer === 'yes'
        ? []
        : [{ status: 'refused', reason: 'nobody confirmed it', lift: { course: 'run it again and answer the question' } }],
    needsChanges: true,
  }),
];

function condition(allow: Condition): Pick<Rule<unknown>, 'allow' | 'isOverridden' | 'needsChanges'> {
  return { allow, isOverridden: ({ overrides }) => overrides.conditions?.has(allow) ?? false, needsChanges: true };
}

function shortId(commit: string): string {
  return commit.slice(0, 12);
}

/** Decides whether a run may write, what holds it back, what it sends, and how it goes on. */
export function decide(facts: Facts): Decision {
  const { deciding, ...decided } = decideNow(facts);
  const lifted = facts.commands?.lifted ?? null;
  const held = heldIn(facts, decided.status, deciding);
  return { ...decided, next: nextSteps(facts, held, lifted === null ? null : heldOnceLifted(facts, lifted)) };
}

/** Returns what is decided of a run once its plan has the overrides that lift what is blocked. */
function heldOnceLifted(facts: Facts, { plan, overrides }: LiftedPlan): Held {
  const lifted = { ...facts, plan, overrides };
  const { status, deciding } = decideNow(lifted);
  return heldIn(lifted, status, deciding);
}

function heldIn(facts: Facts, status: Status, holds: readonly Hold[]): Held {
  return {
    status,
    holds,
    until: untilOf(
      holds.filter((hold) => hold.status === 'waits'),
      facts,
    ),
  };
}

/** Decides all but how it goes on; `deciding` is what holds it back. */
function decideNow(facts: Facts): Omit<Decision, 'next'> & { readonly deciding: readonly Hold[] } {
  const { plan, skipsHeld } = facts;
  // Without a plan, the question is what a run would be told that has something to do.
  const hasChanges = plan === null || plan.changes.length > 0;
  const results = RULES.flatMap((ask) => ask(facts));
  const open = results.filter(({ isOverridden }) => !isOverridden);
  const counting = open.filter(({ needsChanges }) => hasChanges || !needsChanges);
  const stopping = counting.filter(({ isSkippable }) => !(isSkippable && skipsHeld)).flatMap(({ holds }) => holds);
  const withSkip = plan === null ? [] : changesSent(plan).map(({ address }) => address);
  // With nothing left to send, what is left out decides.
  const deciding = stopping.length === 0 && withSkip.length === 0 ? counting.flatMap(({ holds }) => holds) : stopping;
  const status = statusOf(deciding, hasChanges);
  return {
    at: new Date(facts.now).toISOString(),
    status,
    exit: highestPrecedence(counting.flatMap(({ holds, exit }) => (holds.length > 0 ? [exit] : []))),
    ...(status === 'waits' ? { until: untilOf(deciding, facts) } : {}),
    sends: stopping.length === 0 ? withSkip : [],
    withSkip,
    holds: open.flatMap(({ holds }) => holds),
    overridden: results.flatMap(({ holds, isOverridden }) => (isOverridden ? holds : [])),
    deciding,
  };
}

function statusOf(holds: readonly Hold[], hasChanges: boolean): Status {
  return STATUSES.find((status) => holds.some((hold) => hold.status === status)) ?? (hasChanges ? 'ready' : 'nothing');
}

/** Returns when none of these holds is left: the windows, open now or not, may be closed by the time that all else is over. */
function untilOf(holds: readonly Hold[], { windows, plan, overrides, now }: Facts): string | null {
  let at = now;
  for (const { rule: name, until } of holds) {
    if (name === 'window') continue;
    if (until === undefined || until === null) return null;
    at = Math.max(at, Date.parse(until));
  }
  const isClosed =
    'known' in windows && !overrides.conditions?.has('window') && holdsOfWindows(windows.known, plan && changesSent(plan), at).length > 0;
  const open = isClosed ? opensAt(windows.known, at) : at;
  return open === null ? null : new Date(open).toISOString();
}
