import type { KindSettings, Service, ServiceError } from '../../kinds/kind.ts';
import type { PlannedStep } from '../plan.ts';

/** What became of one change of a batch. */
export interface Verdict {
  readonly step: PlannedStep;
  readonly state: 'done' | 'failed' | 'skipped';
  /** The remote ID, where an answer or a look told it. */
  readonly id?: string;
  /** Why it failed or was skipped. */
  readonly why?: string;
}

/** How long to wait for the service where it does not answer, or asks for time: `giveUpMs` in all. Milliseconds. */
export interface Patience {
  readonly giveUpMs: number;
  sleep(ms: number): Promise<void>;
}

/** What carrying out needs. `now` gives Unix milliseconds; `known` holds the remote IDs that were live when the plan was made. */
export interface Carrier {
  readonly service: Service;
  readonly settings: KindSettings;
  readonly now: () => number;
  readonly patience: Patience;
  readonly known: ReadonlySet<string>;
  /** Told every fault, also those that were settled by looking. */
  onFault(fault: ServiceError): void;
}
