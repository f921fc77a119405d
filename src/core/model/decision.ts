/** Whether a run may write now, and if not, what holds it back (design section 16). Data only, which every report reads. */
import type { SafetyCheck } from './change.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Lift } from './lift.ts';

/** What a `deny` can let through: plans that only strengthen protection, and plans that only take back edits by hand. */
export const EXCEPTIONS = ['strengthens', 'reverts'] as const;

/** One of `EXCEPTIONS`. */
export type Exception = (typeof EXCEPTIONS)[number];

const EXCEPTION_TEXTS: { readonly [exception in Exception]: string } = {
  strengthens: 'strengthens protection',
  reverts: 'takes back edits by hand',
};

/** Says what gets through, as the subject of a sentence. */
export function exceptionsText(exceptions: readonly Exception[]): string {
  return `what only ${exceptions.map((exception) => EXCEPTION_TEXTS[exception]).join(' or ')}`;
}

/** The statuses of a run, in order of precedence. All but the last two hold it back. */
export const STATUSES = ['unknown', 'refused', 'blocked', 'behind', 'waits', 'ready', 'nothing'] as const;

/**
 * One of `STATUSES`. `unknown`: something could not be read. `refused`: the run is not what was approved. `blocked`: a person lifts it.
 * `behind`: the commit lacks what a newer one has brought. `waits`: the normal course of things lifts it. `nothing`: there is nothing to do.
 */
export type Status = (typeof STATUSES)[number];

/** The status of a hold: who lifts it. */
export type HoldStatus = Exclude<Status, 'ready' | 'nothing'>;

/** The rules of a run by which `--allow` overrides them. */
export const CONDITIONS = ['promotion', 'window'] as const;

/** One of `CONDITIONS`. */
export type Condition = (typeof CONDITIONS)[number];

/** The rules of a run that are no safety check, in order of precedence. */
export const RUN_RULES = [
  'incomplete-read',
  'stale-plan',
  'lock',
  'dirty',
  'not-on-branch',
  'promotion',
  'window',
  'not-confirmed',
] as const;

/** What holds back: a rule of the run, or a safety check. */
export type RuleName = (typeof RUN_RULES)[number] | SafetyCheck;

/** What holds back a run, or one of its changes. */
export interface Hold {
  readonly rule: RuleName;
  readonly status: HoldStatus;
  /** The address of the change; null for the run. */
  readonly on: string | null;
  /** A clause. */
  readonly reason: string;
  /** Null where nothing lifts it. */
  readonly lift: Lift | null;
  /** When it is over without anybody doing anything, ISO 8601 in UTC; null where nobody knows, absent where that is no matter of time. */
  readonly until?: string | null;
  /** The same time as the clocks of the rule's zone show it, with the zone; absent where the rule has none. */
  readonly localUntil?: string;
  /** Of a promotion: the earlier target, or the target itself where it has taken back what would be applied. */
  readonly target?: string;
  /** What passes all the same; absent for nothing. */
  readonly unless?: readonly Exception[];
  /** Of a promotion: the newest commit of the branch that every earlier target has carried; null where there is none. */
  readonly promoted?: string | null;
}

/** A hold as its rule finds it, without the rule's name and an address. */
export type RuleHold = Omit<Hold, 'rule' | 'on'>;

/**
 * A safety check that is overridden, and how many changes only that override permits, as far as guards do not deny them; or a condition of the
 * run, and how many changes were written before it was met.
 */
export interface CheckOverride {
  readonly check: SafetyCheck | Condition;
  readonly count: number;
  /** The globs of the addresses for which it is overridden; absent for all. */
  readonly only?: readonly string[];
}

/** Returns the overrides of a document as a member of another one; nothing where there are none. */
export function overridesIn({ overrides }: { readonly overrides?: readonly CheckOverride[] }): {
  readonly overrides?: readonly CheckOverride[];
} {
  return overrides === undefined ? {} : { overrides };
}

/** One thing to do so that a run goes on. */
export interface NextStep {
  /** `now`, or when to do it, ISO 8601 in UTC; null for once nothing waits any more, where nobody knows when. */
  readonly from: string | null;
  /** The arguments of a command, the program first; absent where there is none. */
  readonly command?: readonly string[];
  /** What to do, or what the command does, a clause. */
  readonly say: string;
  /**
   * Of the step that applies a blocked plan: the overrides that lift its blocks, as they are written after `--allow`. The command has them
   * already, so that it is for a person who decides so.
   */
  readonly allow?: readonly string[];
  /** The overrides that the command of the step before takes to pass now in spite of a wait, as they are written after `--allow`. */
  readonly adds?: readonly string[];
}

/** What a run may do at a moment. A stored one permits nothing: an apply decides anew. */
export interface Decision {
  /** The moment, ISO 8601 in UTC. */
  readonly at: string;
  readonly status: Status;
  /** The exit code of an apply now. */
  readonly exit: ExitCode;
  /** Of `waits`: when nothing holds the run back any more, ISO 8601 in UTC; null where that is no matter of time, or nobody knows. */
  readonly until?: string | null;
  /** The addresses of the changes that are sent; none while anything holds the run back. */
  readonly sends: readonly string[];
  /** Those that are sent with `--skip-blocked` once nothing holds the run itself back. */
  readonly withSkip: readonly string[];
  /** In order of precedence. */
  readonly holds: readonly Hold[];
  /** The holds of the run that are overridden, in the same order. */
  readonly overridden: readonly Hold[];
  /** How it goes on, in the order in which that is done; empty where there is nothing to do. */
  readonly next: readonly NextStep[];
}

/** What the merge of a pull request, or a commit, lifts. */
const LIFTED_BY_MERGE: readonly RuleName[] = ['dirty', 'not-on-branch'];

/** Decides whether a merge, or a commit, lifts a hold. */
export function isLiftedByMerge({ rule }: Hold): boolean {
  return LIFTED_BY_MERGE.includes(rule);
}

/** Returns the holds of some rules. */
export function holdsOf({ holds }: Pick<Decision, 'holds'>, rules: readonly RuleName[]): readonly Hold[] {
  return holds.filter(({ rule }) => rules.includes(rule));
}
