/**
 * What went wrong with a request:
 * - `unreachable`: no connection, or it broke, here or behind a gateway (502)
 * - `timeout`: no answer in time, or a gateway got none (504)
 * - `credentials`: 401, 403, and 400 to a read (design section 5, exit codes)
 * - `not-found`: 404
 * - `throttled`: 408, 429, 503 after all retries
 * - `rejected`: another 4xx, or a v3 `error` other than 0; `mayHaveWritten` tells a 400, which may answer a replay, from the others
 * - `failed`: another 5xx
 * - `malformed`: an answer that is not what the documents say (HTML, truncated, too large, a missing member)
 * - `interrupted`: the run was stopped before the request was sent
 * - `deadline`: the time of the run (`http.run_seconds`) was over before the request was sent
 */
export type ApiErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'credentials'
  | 'not-found'
  | 'throttled'
  | 'rejected'
  | 'failed'
  | 'malformed'
  | 'interrupted'
  | 'deadline';

/** What a ServiceError is made of. */
export interface ApiErrorReport {
  readonly kind: ApiErrorKind;
  /** Method and path, for example `GET /api/v4/linear-playlist`; never the query, which holds the signature. */
  readonly operation: string;
  /** What happened, one sentence without the request. */
  readonly what: string;
  /** What the user can do now. */
  readonly advice: string;
  /** `maybe` where a write may have taken place although its answer is missing or broken, or speaks of a replay or of haste. */
  readonly mayHaveWritten: 'no' | 'maybe';
  readonly status?: number;
  /** Milliseconds for which the service asked to be left alone, where it did. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The one family of the remote side's faults. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly operation: string;
  readonly advice: string;
  readonly mayHaveWritten: 'no' | 'maybe';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(report: ApiErrorReport) {
    super(`${report.operation}: ${report.what}`, report.cause === undefined ? undefined : { cause: report.cause });
    this.name = 'ApiError';
    this.kind = report.kind;
    this.operation = report.operation;
    this.advice = report.advice;
    this.mayHaveWritten = report.mayHaveWritten;
    this.status = report.status;
    this.retryAfterMs = report.retryAfterMs;
  }
}

/** The error for an answer that a kind cannot read: `what` names the missing or wrong member. A write behind it may have happened. */
export function malformed(request: { readonly method: string; readonly path: string }, what: string): ApiError {
  return new ApiError({
    kind: 'malformed',
    operation: `${request.method} ${request.path}`,
    what: `the answer cannot be used: ${what}`,
    advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
    mayHaveWritten: request.method === 'GET' ? 'no' : 'maybe',
  });
}
