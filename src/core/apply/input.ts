/** The input and the result of an apply, and of the changes in it. */
import type { ApiError, ApiService, RequestOptions, WhyNotDeclarable } from '../kinds/kind.ts';
import type { ChangeOutcome, Outcome } from '../model/outcome.ts';
import type { Settling } from '../model/pauses.ts';
import type { KindRead } from '../plan/kind-state.ts';
import type { PlanContext } from '../plan/plan-document.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { Looks } from './looks.ts';
import type { ObjectsOfOthers } from './objects-of-others.ts';
import type { Refusals } from './refusals.ts';

/** The changes to apply, and all that applying them needs. */
export interface ApplyInput {
  /** Those of the plan that may be written: none that is blocked, under `behind`, or of a kind that could not be read. */
  readonly changes: readonly PlannedChange[];
  readonly context: PlanContext;
  /** That of the plan; undefined where nothing was read. */
  readonly fingerprint: string | undefined;
  readonly readByKind: ReadonlyMap<string, KindRead>;
  readonly service: ApiService;
  /** The number of request sequences that are sent concurrently. */
  readonly concurrency: number;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
  /** Returns milliseconds of the clock by which the reads of the plan were timed; it never goes back. */
  readonly elapsed: () => number;
  readonly waitPolicy: WaitPolicy;
  readonly settling: Settling;
  /** As in the input of the plan: by it, what is sent with live values of ignored fields is checked. */
  readonly whyNotDeclarable: WhyNotDeclarable;
  /** Once it is aborted no further change is started; requests in flight finish. */
  readonly signal: AbortSignal;
  /** Called before each wave. Returns why no further change may be started (the lock is lost), or null. */
  whyStop?(): Promise<string | null>;
  /** Records on disk which creates were started, so that the next run recognizes what a killed one created. */
  readonly journal?: ApplyJournal;
  onProgress?(done: number, total: number): void;
  /** Called when all is written, before it is read back. */
  onVerify?(): void;
  /** Called with the outcome of a change as soon as it is known. Verification may call it again, with a failure. */
  onOutcome?(outcome: ChangeOutcome): void;
}

/** How long to wait for a service that does not answer, or that throttles: at most `giveUpMs` milliseconds for each change. */
export interface WaitPolicy {
  readonly giveUpMs: number;
  sleep(ms: number): Promise<void>;
}

/** The journal of creates. */
export interface ApplyJournal {
  /** Records creates before they are sent. Returns why they cannot be recorded, or null. */
  recordIntent(addresses: readonly string[]): string | null;
  /** Records that their results are known. If this fails the journal lists too many creates, which is safe. */
  recordResult(addresses: readonly string[]): void;
}

/** The result of an apply. */
export interface ApplyResult {
  readonly outcome: Outcome;
  /** All errors, also those that were resolved by reading. */
  readonly errors: readonly ApiError[];
  /** Remote IDs of created objects, by address. */
  readonly ids: ReadonlyMap<string, string>;
  /** The errors of reading back, because of which it is unknown whether all written objects are as desired. */
  readonly verificationErrors: readonly ApiError[];
}

/** All that executing a change needs. `now` returns Unix milliseconds, `elapsed` those of a clock that never goes back. */
export interface ApplyContext {
  readonly service: ApiService;
  readonly requestOptions: RequestOptions;
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly waitPolicy: WaitPolicy;
  readonly settling: Settling;
  readonly looks: Looks;
  /** As in `PlanContext` and in the input of the plan. */
  readonly resettableMembers: readonly string[];
  readonly whyNotDeclarable: WhyNotDeclarable;
  readonly objectsOfOthers: ObjectsOfOthers;
  readonly refusals: Refusals;
  /** Records the creates among some changes before they are sent. Returns why they may not be sent, or null. */
  recordCreates(changes: readonly PlannedChange[]): string | null;
  /** Called with every error, also with those that a read resolved. */
  onError(error: ApiError): void;
}

/** The result of one change of a request sequence. */
export interface ChangeResult {
  readonly planned: PlannedChange;
  /** `unchanged`: it was as desired, and this run sent nothing. */
  readonly state: 'done' | 'unchanged' | 'failed' | 'skipped';
  /** The remote ID, where a response or a read named it. */
  readonly id?: string;
  /** Why it is not done. */
  readonly reason?: string;
  /** Whether nobody knows if a create was made, because its response was lost and no read shows it. */
  readonly isUncertain?: boolean;
}
