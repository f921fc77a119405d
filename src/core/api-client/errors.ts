import { sentMethod } from './api-version.ts';
import type { ApiErrorCategory, AttemptFailure, Attempts, RetryClass } from './attempts.ts';
import type { ApiRequest } from './request.ts';

/** The members of an ApiError. */
export interface ApiErrorReport {
  readonly category: ApiErrorCategory;
  /** Method and path, for example `GET /api/v4/linear-playlist`; never the query, which contains the signature. */
  readonly operation: string;
  /** What happened: one sentence without the request. */
  readonly what: string;
  /** How the user can fix it. */
  readonly advice: string;
  /** `maybe` where a write may have happened although its response is missing, malformed, or reports a reused signature or throttling. */
  readonly mayHaveWritten: 'no' | 'maybe';
  readonly status?: number;
  /** Milliseconds that the service asked to wait (`Retry-After`), if it did. */
  readonly retryAfterMs?: number;
  /** Of an `expired` request: what its attempts came to, with which the caller sends it again. */
  readonly attempts?: Attempts;
  readonly cause?: unknown;
}

/** An error of a request to the service. */
export class ApiError extends Error {
  readonly category: ApiErrorCategory;
  readonly operation: string;
  readonly what: string;
  readonly advice: string;
  readonly mayHaveWritten: 'no' | 'maybe';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: Attempts | undefined;

  constructor(report: ApiErrorReport) {
    super(`${report.operation}: ${report.what}`, report.cause === undefined ? undefined : { cause: report.cause });
    this.name = 'ApiError';
    this.category = report.category;
    this.operation = report.operation;
    this.what = report.what;
    this.advice = report.advice;
    this.mayHaveWritten = report.mayHaveWritten;
    this.status = report.status;
    this.retryAfterMs = report.retryAfterMs;
    this.attempts = report.attempts;
  }
}

/** Builds the error for a response that a kind cannot read; `what` names the missing or wrong member. The write may have happened. */
export function malformed(request: Pick<ApiRequest, 'method' | 'path'>, what: string): ApiError {
  return new ApiError({
    category: 'malformed',
    operation: `${sentMethod(request)} ${request.path}`,
    what: `the answer cannot be used: ${what}`,
    advice:
      'Nothing is concluded from this answer. If it stays so and base_url is right, show this message to the operators of the service.',
    mayHaveWritten: request.method === 'GET' ? 'no' : 'maybe',
  });
}

/** Builds the error that ends a request. A write may have happened where the result of any attempt is unknown, not only of the last. */
export function failureError(request: ApiRequest, failure: AttemptFailure, attempts: Attempts): ApiError {
  const tries = attempts.count > 1 ? ` (after ${attempts.count} tries)` : '';
  return new ApiError({
    category: failure.category,
    operation: `${sentMethod(request)} ${request.path}`,
    what: `${failure.what}${tries}`,
    advice: failure.advice,
    mayHaveWritten: attempts.lost && request.method !== 'GET' ? 'maybe' : 'no',
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.category === 'expired' ? { attempts } : {}),
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  });
}

/** Builds the failure for a response that differs from the API documents; the write may have happened. */
export function unusable(what: string, retryClass: RetryClass, status: number): AttemptFailure {
  return {
    category: 'malformed',
    what,
    advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
    retryClass,
    notReceived: false,
    status,
  };
}

/** Builds the failure for a timeout. A request that never got a connection was not sent. */
export function timedOutAfter(timeoutMs: number, sent: boolean): AttemptFailure {
  return {
    category: 'timeout',
    what: `no ${sent ? 'complete answer' : 'connection'} within ${Number((timeoutMs / 1000).toFixed(1))} s`,
    advice: 'Run again; where the service is known to be slow, raise http.timeout_seconds and http.give_up_seconds.',
    retryClass: sent ? 'repeatable' : 'always',
    notReceived: !sent,
  };
}

/** Builds the failure for a request that is not sent; `last` is the failure of the previous attempt, if any. */
function unsent(category: ApiErrorCategory, why: string, advice: string, last: AttemptFailure | undefined): AttemptFailure {
  const what = last === undefined ? `not sent, because ${why}` : `not tried again, because ${why}; before that: ${last.what}`;
  return { category, what, advice, retryClass: 'never', notReceived: true };
}

/** Builds the failure for a run that was interrupted. */
export function interruption(last: AttemptFailure | undefined): AttemptFailure {
  return unsent('interrupted', 'the run was stopped', 'Run again: what was written stays written, and the rest is planned anew.', last);
}

/** Builds the failure for a run that exceeded `runSeconds`, in seconds. */
export function deadlineExceeded(runSeconds: number, last: AttemptFailure | undefined): AttemptFailure {
  const advice = 'Run again: what was written stays written; where a run needs longer, raise http.run_seconds.';
  return unsent('deadline', `the ${runSeconds} s that a run may take (http.run_seconds) are over`, advice, last);
}

/** Builds the failure for a request that would start after its `freshUntil`. */
export function expired(last: AttemptFailure | undefined): AttemptFailure {
  const advice = last?.advice ?? 'Run again; where it happens often, raise http.requests_per_second.';
  return unsent('expired', 'what it writes was read too long ago', advice, last);
}

/** Builds the failure for an open circuit breaker, after `count` failed requests in a row; `cause` is the last failure. */
export function outage(count: number, cause: AttemptFailure, last: AttemptFailure | undefined): AttemptFailure {
  const why = `the ${count} requests before it came to nothing, the last with: ${cause.what}`;
  return unsent(
    'unreachable',
    why,
    'Run again when the service is back: what was written stays written, and the rest is planned anew.',
    last,
  );
}

/** Returns the failure for a run that has no retries left, after `spent` retries. */
export function retryBudgetSpent(failure: AttemptFailure, spent: number): AttemptFailure {
  return { ...failure, what: `${failure.what}; not tried again, because this run has spent its retries (${spent})` };
}

/** Returns the failure for a repeated create in a run that has no retries left, after `spent` retries. */
export function repeatNotSent(spent: number): AttemptFailure {
  const advice = 'Run again when the service is back: what was written stays written, and the rest is planned anew.';
  return unsent('unreachable', `this run has spent its retries (${spent})`, advice, undefined);
}

/** Builds the failure for an unsafe path, for example because an object of the account has the ID `..`. */
export function invalidPath(): AttemptFailure {
  return {
    category: 'malformed',
    what: 'not sent, because an ID in the path is empty or would lead elsewhere',
    advice: 'Look for that ID in the account, and under `adopt` in the configuration.',
    retryClass: 'never',
    notReceived: true,
  };
}
