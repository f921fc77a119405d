import type { ApiError, ApiService, KindSettings } from '../kinds/kind.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';

/** What became of one change of a batch. */
export interface StepResult {
  readonly step: ExecutableChange;
  readonly state: 'done' | 'failed' | 'skipped';
  /** The remote ID, where an answer or a look told it. */
  readonly id?: string;
  /** Why it failed or was skipped. */
  readonly why?: string;
}

/** How long to wait for the service where it does not answer, or asks for time: `giveUpMs` in all. Milliseconds. */
export interface WaitPolicy {
  readonly giveUpMs: number;
  sleep(ms: number): Promise<void>;
}

/** What carrying out needs. `now` gives Unix milliseconds; `known` holds the remote IDs that were live when the plan was made. */
export interface ApplyContext {
  readonly service: ApiService;
  readonly settings: KindSettings;
  readonly now: () => number;
  readonly waitPolicy: WaitPolicy;
  readonly known: ReadonlySet<string>;
  /** Told every fault, also those that were settled by looking. */
  onError(error: ApiError): void;
}
