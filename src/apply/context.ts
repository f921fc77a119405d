import type { ApiError, ApiService, RequestOptions } from '../kinds/kind.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';

/** The result of one change of a batch. */
export interface ChangeResult {
  readonly planned: ExecutableChange;
  readonly state: 'done' | 'failed' | 'skipped';
  /** The remote ID, where a response or a read named it. */
  readonly id?: string;
  /** Why it failed or was skipped. */
  readonly reason?: string;
}

/** How long to wait for a service that does not answer, or that throttles: at most `giveUpMs` milliseconds for each change. */
export interface WaitPolicy {
  readonly giveUpMs: number;
  sleep(ms: number): Promise<void>;
}

/** All that executing a change needs. `now` returns Unix milliseconds; `idsAtPlan` are the remote IDs that were live at the plan. */
export interface ApplyContext {
  readonly service: ApiService;
  readonly requestOptions: RequestOptions;
  readonly now: () => number;
  readonly waitPolicy: WaitPolicy;
  readonly idsAtPlan: ReadonlySet<string>;
  /** Called with every error, also with those that a read resolved. */
  onError(error: ApiError): void;
}
