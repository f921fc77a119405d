import type { Service, ServiceError } from '../../kinds/kind.ts';
import type { ChangeOutcome, Outcome } from '../../model/outcome.ts';
import type { Seen } from '../fetch.ts';
import type { PlanContext, PlannedStep } from '../plan.ts';
import type { Patience } from './carrier.ts';

/** What is to be applied. */
export interface Application {
  readonly steps: readonly PlannedStep[];
  readonly context: PlanContext;
  readonly fingerprint: string;
  readonly seen: ReadonlyMap<string, Seen>;
  readonly service: Service;
  /** Batches under way at once. */
  readonly concurrency: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly patience: Patience;
  /** Aborted = nothing more is begun; what is in flight finishes. */
  readonly signal: AbortSignal;
  /** Asked before each wave: a reason to begin nothing more (the lock is lost), or null. */
  mayGoOn?(): Promise<string | null>;
  /** Keeps on disk what is about to be created, and that it was: a run that is killed leaves its trace. */
  readonly journal?: Journal;
  onProgress?(done: number, total: number): void;
  /** Told what became of a change as soon as that is known; reading back may tell it anew, as failed. */
  onOutcome?(outcome: ChangeOutcome): void;
}

/** The trace of creates. */
export interface Journal {
  /** Keeps what is about to be created; gives why that cannot be kept, or null. */
  intend(addresses: readonly string[]): string | null;
  /** Keeps that it is known what became of them. Where that cannot be kept the trace says too much, which is the safe side. */
  settle(addresses: readonly string[]): void;
}

/** What came of it. */
export interface Applied {
  readonly outcome: Outcome;
  /** Faults that were met on the way, settled or not. */
  readonly faults: readonly ServiceError[];
  /** Remote IDs of what was created, by address. */
  readonly ids: ReadonlyMap<string, string>;
  /** Whether reading back failed: what was written is then not known to be as desired. */
  readonly unreadable: boolean;
}
