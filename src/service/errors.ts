/**
 * What went wrong with a request:
 * - `unreachable`: no connection, or it broke, here or behind a gateway (502)
 * - `timeout`: no answer in time, or a gateway got none (504)
 * - `credentials`: 401, 403, and 400 to a read (design section 5, exit code 7)
 * - `absent`: 404
 * - `busy`: 408, 429, 503 after all retries
 * - `refused`: another 4xx, or a v3 `error` other than 0; `written` tells a 400, which may answer a replay, from the others
 * - `failed`: another 5xx
 * - `malformed`: an answer that is not what the documents say (HTML, truncated, too large, a missing member)
 * - `interrupted`: the run was stopped before the request was sent
 * - `overdue`: the time of the run (`http.run_seconds`) was over before the request was sent
 */
export type Fault =
  | 'unreachable'
  | 'timeout'
  | 'credentials'
  | 'absent'
  | 'busy'
  | 'refused'
  | 'failed'
  | 'malformed'
  | 'interrupted'
  | 'overdue';

/** What a ServiceError is made of. */
export interface FaultReport {
  readonly fault: Fault;
  /** Method and path, for example `GET /api/v4/linear-playlist`; never the query, which holds the signature. */
  readonly doing: string;
  /** What happened, one sentence without the request. */
  readonly what: string;
  /** What the user can do now. */
  readonly advice: string;
  /** `maybe` where a write may have taken place although its answer is missing or broken, or speaks of a replay or of haste. */
  readonly written: 'no' | 'maybe';
  readonly status?: number;
  /** Milliseconds for which the service asked to be left alone, where it did. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The one family of the remote side's faults. */
export class ServiceError extends Error {
  readonly fault: Fault;
  readonly doing: string;
  readonly advice: string;
  readonly written: 'no' | 'maybe';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(report: FaultReport) {
    super(`${report.doing}: ${report.what}`, report.cause === undefined ? undefined : { cause: report.cause });
    this.name = 'ServiceError';
    this.fault = report.fault;
    this.doing = report.doing;
    this.advice = report.advice;
    this.written = report.written;
    this.status = report.status;
    this.retryAfterMs = report.retryAfterMs;
  }
}

/** The error for an answer that a kind cannot read: `what` names the missing or wrong member. A write behind it may have happened. */
export function malformed(request: { readonly method: string; readonly path: string }, what: string): ServiceError {
  return new ServiceError({
    fault: 'malformed',
    doing: `${request.method} ${request.path}`,
    what: `the answer cannot be used: ${what}`,
    advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
    written: request.method === 'GET' ? 'no' : 'maybe',
  });
}
