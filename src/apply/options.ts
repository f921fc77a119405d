import type { ApiError, ApiService } from '../kinds/kind.ts';
import type { ChangeOutcome, Outcome } from '../model/outcome.ts';
import type { ExecutableChange, PlanContext } from '../plan/plan-document.ts';
import type { KindRead } from '../plan/refresh.ts';
import type { WaitPolicy } from './context.ts';

/** What is to be applied. */
export interface ApplyInput {
  readonly changes: readonly ExecutableChange[];
  readonly context: PlanContext;
  readonly fingerprint: string;
  readonly reads: ReadonlyMap<string, KindRead>;
  readonly service: ApiService;
  /** Batches under way at once. */
  readonly concurrency: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly waitPolicy: WaitPolicy;
  /** Aborted = nothing more is begun; what is in flight finishes. */
  readonly signal: AbortSignal;
  /** Asked before each wave: a reason to begin nothing more (the lock is lost), or null. */
  shouldContinue?(): Promise<string | null>;
  /** Keeps on disk what is about to be created, and that it was: a run that is killed leaves its trace. */
  readonly journal?: ApplyJournal;
  onProgress?(done: number, total: number): void;
  /** Told what became of a change as soon as that is known; reading back may tell it anew, as failed. */
  onOutcome?(outcome: ChangeOutcome): void;
}

/** The trace of creates. */
export interface ApplyJournal {
  /** Keeps what is about to be created; gives why that cannot be kept, or null. */
  recordIntent(addresses: readonly string[]): string | null;
  /** Keeps that it is known what became of them. Where that cannot be kept the trace says too much, which is the safe side. */
  recordResult(addresses: readonly string[]): void;
}

/** What came of it. */
export interface ApplyResult {
  readonly outcome: Outcome;
  /** Faults that were met on the way, settled or not. */
  readonly errors: readonly ApiError[];
  /** Remote IDs of what was created, by address. */
  readonly ids: ReadonlyMap<string, string>;
  /** Whether reading back failed: what was written is then not known to be as desired. */
  readonly verificationIncomplete: boolean;
}
