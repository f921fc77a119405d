import type { Service, ServiceError } from '../kinds/kind.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Patience } from './carrier.ts';
import type { Seen } from './fetch.ts';
import type { PlanContext, PlannedStep } from './plan.ts';

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
  onProgress?(done: number, total: number): void;
}

/** What came of it. */
export interface Applied {
  readonly outcome: Outcome;
  /** Faults that were met on the way, settled or not. */
  readonly faults: readonly ServiceError[];
  /** Whether reading back failed: what was written is then not known to be as desired. */
  readonly unreadable: boolean;
}
