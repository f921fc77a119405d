import { ApiError, type ApiErrorKind } from './errors.ts';
import type { ApiRequest } from './request.ts';

/**
 * Which requests may be tried again after a failure:
 * - `never`: none, the same would come back
 * - `once`: those that do no harm twice, at once, but only the first time (a 400 may be a replay: design section 4, rule 11)
 * - `reads`: GET
 * - `repeatable`: those that do no harm twice
 * - `always`: any, because nothing was sent
 */
export type RetryClass = 'never' | 'once' | 'reads' | 'repeatable' | 'always';

/** Why one attempt failed: a value until nothing is left to try. */
export interface AttemptFailure {
  readonly kind: ApiErrorKind;
  readonly what: string;
  readonly advice: string;
  readonly retryClass: RetryClass;
  /** Whether the service surely did nothing. */
  readonly notReceived: boolean;
  readonly status?: number;
  /** Milliseconds for which the service asks to be left alone. */
  readonly retryAfterMs?: number;
  readonly cause?: Error;
}

/** What became of the attempts of one request so far. */
export interface Attempts {
  readonly count: number;
  /** Whether one of them may have reached the service without a refusal. */
  readonly lost: boolean;
  /** Whether one of them was answered with 400, which is tried again only once. */
  readonly refused: boolean;
}

/** Before the first attempt. */
export const noAttempts: Attempts = { count: 0, lost: false, refused: false };

/** The error that ends a request. A write may have happened where any of its attempts was lost, not only the last. */
export function failureError(request: ApiRequest, failure: AttemptFailure, attempts: Attempts): ApiError {
  const tries = attempts.count > 1 ? ` (after ${attempts.count} tries)` : '';
  return new ApiError({
    kind: failure.kind,
    operation: `${request.method} ${request.path}`,
    what: `${failure.what}${tries}`,
    advice: failure.advice,
    mayHaveWritten: attempts.lost && request.method !== 'GET' ? 'maybe' : 'no',
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  });
}

/** An answer that is not what the documents say; a write behind it may have happened. */
export function unusable(what: string, again: RetryClass, status: number): AttemptFailure {
  return {
    kind: 'malformed',
    what,
    advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
    retryClass: again,
    notReceived: false,
    status,
  };
}

/** Nothing more is sent; `last` is why the attempt before failed, if there was one. */
function unsent(fault: ApiErrorKind, why: string, advice: string, last: AttemptFailure | undefined): AttemptFailure {
  const what = last === undefined ? `not sent, because ${why}` : `not tried again, because ${why}; before that: ${last.what}`;
  return { kind: fault, what, advice, retryClass: 'never', notReceived: true };
}

/** The run was stopped. */
export function interruption(last: AttemptFailure | undefined): AttemptFailure {
  return unsent('interrupted', 'the run was stopped', 'Run again: what was written stays written, and the rest is planned anew.', last);
}

/** The run took longer than it may, in seconds. */
export function deadlineExceeded(runSeconds: number, last: AttemptFailure | undefined): AttemptFailure {
  const advice = 'Run again: what was written stays written; where a run needs longer, raise http.run_seconds.';
  return unsent('deadline', `the ${runSeconds} s that a run may take (http.run_seconds) are over`, advice, last);
}

/** The service is out of reach: so many requests in a row came to nothing, the last of them by `cause`. */
export function outage(count: number, cause: AttemptFailure, last: AttemptFailure | undefined): AttemptFailure {
  const why = `the ${count} requests before it came to nothing, the last with: ${cause.what}`;
  return unsent(
    'unreachable',
    why,
    'Run again when the service is back: what was written stays written, and the rest is planned anew.',
    last,
  );
}

/** The same failure where the run has no retries left, after so many. */
export function retryBudgetSpent(failure: AttemptFailure, spent: number): AttemptFailure {
  return { ...failure, what: `${failure.what}; not tried again, because this run has spent its retries (${spent})` };
}

/** A path that would not reach what it names, for example because the account holds an ID such as `..`. */
export function invalidPath(): AttemptFailure {
  return {
    kind: 'malformed',
    what: 'not sent, because an ID in the path is empty or would lead elsewhere',
    advice: 'Look for that ID in the account, and under `adopt` in the configuration.',
    retryClass: 'never',
    notReceived: true,
  };
}
