/**
 * The kinds of request errors:
 * - `unreachable`: no connection, or it broke, here or behind a gateway (502)
 * - `timeout`: no response in time, or a gateway got none (504)
 * - `credentials`: 401, 403, and 400 to a read (design section 5, exit codes)
 * - `not-found`: 404
 * - `throttled`: 408, 429, 503 after all retries
 * - `rejected`: another 4xx, or a v3 `error` other than 0; for a 400, which may be the response to a replay, `mayHaveWritten` is `maybe`
 * - `failed`: another 5xx
 * - `malformed`: a response that differs from the API documents (HTML, truncated, too large, a missing member)
 * - `interrupted`: the run was interrupted before the request was sent
 * - `deadline`: the run exceeded `http.run_seconds` before the request was sent
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

/** The members of an ApiError. */
export interface ApiErrorReport {
  readonly kind: ApiErrorKind;
  /** Method and path, for example `GET /api/v4/linear-playlist`; never the query, which contains the signature. */
  readonly operation: string;
  /** What happened: one sentence without the request. */
  readonly what: string;
  /** How the user can fix it. */
  readonly advice: string;
  /** `maybe` where a write may have happened although its response is missing, malformed, or reports a replay or throttling. */
  readonly mayHaveWritten: 'no' | 'maybe';
  readonly status?: number;
  /** Milliseconds that the service asked to wait (`Retry-After`), if it did. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** An error of a request to the service. */
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

/** Builds the error for a response that a kind cannot read; `what` names the missing or wrong member. The write may have happened. */
export function malformed(request: { readonly method: string; readonly path: string }, what: string): ApiError {
  return new ApiError({
    kind: 'malformed',
    operation: `${request.method} ${request.path}`,
    what: `the answer cannot be used: ${what}`,
    advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
    mayHaveWritten: request.method === 'GET' ? 'no' : 'maybe',
  });
}
