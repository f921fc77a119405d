import type { FieldChange, SafetyCheck } from './change.ts';
import type { CheckOverride, Decision } from './decision.ts';
import type { RunMetadata } from './plan.ts';

/**
 * The result of one change. `unseen`: it was written, and the service does not show it yet. `unchanged`: somebody else made the object as
 * desired since the plan, and this apply did nothing to it.
 */
export type Result = 'created' | 'updated' | 'deleted' | 'adopted' | 'moved' | 'forgotten' | 'failed' | 'skipped' | 'unseen' | 'unchanged';

/** Decides whether the object of a change is as desired, as far as the service shows it. */
export function isDone(result: Result): boolean {
  return result !== 'failed' && result !== 'skipped' && result !== 'unseen';
}

/** Decides whether a change was made by its apply, as far as the service shows it. */
export function isMade(result: Result): boolean {
  return isDone(result) && result !== 'unchanged';
}

/** The outcome of one change. */
export interface ChangeOutcome {
  readonly address: string;
  readonly result: Result;
  /** Why it failed. */
  readonly error?: string;
  /** Why it was skipped or is `unchanged`; or what the service still shows, where it is `unseen`. */
  readonly because?: string;
  /** Milliseconds from the first request of the change to its last response. */
  readonly tookMs: number;
  /** What it changed, without reasons; only in the ledger. Absent for what was skipped or is `unchanged`, and where `paths` stands. */
  readonly fields?: readonly FieldChange[];
  /** The JSON Pointers of its fields, where an entry of the ledger has no room for their values. */
  readonly paths?: readonly string[];
  /**
   * The safety checks that only an override let it pass, sorted; only in the ledger, where the apply overrode any. Absent in older entries,
   * and for what was skipped or is `unchanged`.
   */
  readonly overridden?: readonly SafetyCheck[];
}

/** What was written and is not verified. */
export interface Unverified {
  /** The addresses of what reads back otherwise than desired. */
  readonly differs: readonly string[];
  /** The kinds that could not be read back. */
  readonly notRead: readonly string[];
}

/** The outcome document of `apply` (design section 5, JSON). */
export interface Outcome {
  readonly schemaVersion: 1;
  readonly target: string;
  /** That of the plan; absent where nothing was read, so that nothing was applied. */
  readonly fingerprint?: string;
  /** The overridden safety checks of the plan that was applied, sorted by name; absent where none was. */
  readonly overrides?: readonly CheckOverride[];
  /** What was decided right before the first write; absent where the outcome comes from the ledger. */
  readonly decision?: Decision;
  readonly outcomes: readonly ChangeOutcome[];
  /** `unseen` and `unchanged` are absent where there is none. */
  readonly summary: { readonly [result in Exclude<Result, 'unseen' | 'unchanged'>]: number } & {
    readonly [result in 'unseen' | 'unchanged']?: number;
  };
  /** The commits of the saved plan and of what was applied, null outside git. Absent without a saved plan, and where they are the same. */
  readonly commits?: { readonly planned: string | null; readonly applied: string | null };
  /** Whether everything that was written read back as desired. */
  readonly verified: boolean;
  /** Why what was written is not verified; absent where it is, where only writes failed, and where the outcome comes from the ledger. */
  readonly unverified?: Unverified;
  /** Absent where the outcome comes from the ledger. */
  readonly run?: RunMetadata;
}
