import { type AttemptFailure, outage } from './attempt-failure.ts';
import type { ApiResponse } from './request.ts';

/** Notices that a service is out of reach. */
export interface CircuitBreaker {
  /** Told what each attempt came to; `last` = it was the request's last. */
  heed(result: ApiResponse | AttemptFailure, last: boolean): void;
  /** Why no write is worth sending; undefined = the service is there, or may be. */
  found(before: AttemptFailure | undefined): AttemptFailure | undefined;
}

/** Requests in a row that came to nothing, after all their retries. */
const ENOUGH = 5;

/** An outage begins with the fifth request in a row that came to nothing, and ends with any answer. Reads are still sent then: they find out that it is over. */
export function circuitBreaker(): CircuitBreaker {
  let count = 0;
  let cause: AttemptFailure | undefined;
  return {
    heed(result, last) {
      if (!isAbsence(result)) count = 0;
      else if (last) {
        count++;
        cause = result;
      }
    },
    found: (before) => (count >= ENOUGH && cause ? outage(count, cause, before) : undefined),
  };
}

/** Whether nobody was there, or nobody had time; 429 is the word of a service that is there. */
function isAbsence(result: ApiResponse | AttemptFailure): result is AttemptFailure {
  if (!('kind' in result) || result.status === 429) return false;
  return result.kind === 'unreachable' || result.kind === 'timeout' || result.kind === 'throttled';
}
