import type { AttemptFailure } from './attempts.ts';
import { outage } from './errors.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** Stops writes while a service is unavailable. */
export interface CircuitBreaker {
  /** Records the result of an attempt at a request; `isLast`: it was the last one. */
  onResult(request: Pick<ApiRequest, 'method' | 'after'>, result: ApiResponse | AttemptFailure, isLast: boolean): void;
  /** Returns why writes are not sent; undefined where the circuit breaker is closed. `last` is the failure of the previous attempt. */
  failureIfOpen(last: AttemptFailure | undefined): AttemptFailure | undefined;
}

/** Number of failed requests in a row, after all their retries, that opens the circuit breaker. */
export const FAILURES_TO_OPEN = 5;

/** Failed requests in a row, and the failure of the last one. */
interface Failures {
  count: number;
  cause: AttemptFailure | undefined;
}

/**
 * Creates a circuit breaker. It opens at the fifth failed write in a row, and closes at the answer to a write that was under way. It opens
 * at the fifth failed read in a row, too, and closes at the answer to a read, since reads are still sent. That a read succeeds tells nothing
 * about writes. A create that is repeated is not counted again.
 */
export function circuitBreaker(): CircuitBreaker {
  const reads: Failures = { count: 0, cause: undefined };
  const writes: Failures = { count: 0, cause: undefined };
  return {
    onResult({ method, after }, result, isLast) {
      const failures = method === 'GET' ? reads : writes;
      if (!isUnavailable(result, method)) failures.count = 0;
      else if (isLast && after !== 'repeat') {
        failures.count++;
        failures.cause = result;
      }
    },
    failureIfOpen(last) {
      const open = [writes, reads].find(({ count }) => count >= FAILURES_TO_OPEN);
      return open?.cause && outage(open.count, open.cause, last);
    },
  };
}

/** Decides whether a result means that the service is unavailable; a 429 shows that it is available. A write may fail where reads work. */
function isUnavailable(result: ApiResponse | AttemptFailure, method: ApiRequest['method']): result is AttemptFailure {
  if (!('category' in result) || result.status === 429) return false;
  if (result.category === 'failed') return method !== 'GET';
  return result.category === 'unreachable' || result.category === 'timeout' || result.category === 'throttled';
}
