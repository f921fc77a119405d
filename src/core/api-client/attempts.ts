/** What the attempts of one request come to. */

/**
 * The categories of request errors:
 * - `unreachable`: no connection, or it broke, here or behind a gateway (502)
 * - `timeout`: no response in time, or a gateway got none (504)
 * - `credentials`: 401, 403, and 400 to a read (design section 5, exit codes)
 * - `not-found`: 404
 * - `throttled`: 408, 429, 503 after all retries
 * - `rejected`: another 4xx, or a v3 `error` other than 0; for a 400, which may refuse a reused signature, `mayHaveWritten` is `maybe`
 * - `failed`: another 5xx
 * - `malformed`: a response that differs from the API documents (HTML, truncated, too large, a missing member)
 * - `interrupted`: the run was interrupted before the request was sent
 * - `deadline`: the run exceeded `http.run_seconds` before the request was sent
 * - `expired`: an attempt would have started after `freshUntil` of the request
 */
export type ApiErrorCategory =
  | 'unreachable'
  | 'timeout'
  | 'credentials'
  | 'not-found'
  | 'throttled'
  | 'rejected'
  | 'failed'
  | 'malformed'
  | 'interrupted'
  | 'deadline'
  | 'expired';

/**
 * The requests that may be retried after a failure:
 * - `never`: none, since the result would be the same
 * - `once`: idempotent ones, and every request that was not sent, immediately, but only once (a 400 may refuse a reused signature: design section 4,
 *   rule 11; or the name of the host is unknown)
 * - `reads`: GET
 * - `repeatable`: idempotent ones
 * - `always`: every request, because nothing was sent
 */
export type RetryClass = 'never' | 'once' | 'reads' | 'repeatable' | 'always';

/** Why one attempt failed; the last failure of a request becomes an `ApiError`. */
export interface AttemptFailure {
  readonly category: ApiErrorCategory;
  readonly what: string;
  readonly advice: string;
  readonly retryClass: RetryClass;
  /** Whether the service certainly did nothing. */
  readonly notReceived: boolean;
  readonly status?: number;
  /** Milliseconds that the service asks to wait (`Retry-After`). */
  readonly retryAfterMs?: number;
  readonly cause?: Error;
}

/** The attempts of one request so far. Times in milliseconds of the client's clock. */
export interface Attempts {
  readonly count: number;
  /** When the first one started; absent before it. */
  readonly firstAt?: number;
  /** When the last one ended. */
  readonly endedAt?: number;
  /** What the last one failed with. */
  readonly last?: AttemptFailure;
  /** Whether one of them may have been executed by the service. */
  readonly lost: boolean;
  /** When the last of those ended, without those that a 429 refused, which nothing is done for. */
  readonly lostAt?: number;
  /** Whether the response to one of them was 400, which is retried only once. */
  readonly refused: boolean;
}

/** The state before the first attempt. */
export const noAttempts: Attempts = { count: 0, lost: false, refused: false };

/** Returns the attempts with one more, which started and ended at these times and failed. */
export function withFailure(attempts: Attempts, last: AttemptFailure, startedAt: number, endedAt: number): Attempts {
  const isLost = !last.notReceived;
  return {
    count: attempts.count + 1,
    firstAt: attempts.firstAt ?? startedAt,
    endedAt,
    last,
    lost: attempts.lost || isLost,
    ...(isLost && last.status !== 429 ? { lostAt: endedAt } : attempts.lostAt === undefined ? {} : { lostAt: attempts.lostAt }),
    refused: attempts.refused || last.retryClass === 'once',
  };
}
