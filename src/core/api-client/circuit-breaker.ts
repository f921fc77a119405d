import { type AttemptFailure, outage } from './errors.ts';
import type { ApiResponse } from './request.ts';

/** Stops writes while a service is unavailable. */
export interface CircuitBreaker {
  /** Records the result of an attempt; `isLast`: it was the last attempt of its request. */
  onResult(result: ApiResponse | AttemptFailure, isLast: boolean): void;
  /** Returns why writes are not sent; undefined where the circuit breaker is closed. `last` is the failure of the previous attempt. */
  failureIfOpen(last: AttemptFailure | undefined): AttemptFailure | undefined;
}

/** Number of failed requests in a row, after all their retries, that opens the circuit breaker. */
export const FAILURES_TO_OPEN = 5;

/**
 * Creates a circuit breaker. It opens at the fifth failed request in a row, and closes at any response. Reads are still sent, and thereby
 * detect that the outage is over.
 */
export function circuitBreaker(): CircuitBreaker {
  let count = 0;
  let cause: AttemptFailure | undefined;
  return {
    onResult(result, isLast) {
      if (!isUnavailable(result)) count = 0;
      else if (isLast) {
        count++;
        cause = result;
      }
    },
    failureIfOpen: (last) => (count >= FAILURES_TO_OPEN && cause ? outage(count, cause, last) : undefined),
  };
}

/** Decides whether a result means that the service is unavailable; a 429 shows that it is available. */
function isUnavailable(result: ApiResponse | AttemptFailure): result is AttemptFailure {
  if (!('category' in result) || result.status === 429) return false;
  return result.category === 'unreachable' || result.category === 'timeout' || result.category === 'throttled';
}
