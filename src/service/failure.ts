import { type Fault, ServiceError } from './errors.ts';
import type { Request } from './request.ts';

/**
 * Which requests may be tried again after a failure:
 * - `never`: none, the same would come back
 * - `once`: those that do no harm twice, at once, but only the first time (a 400 may be a replay: design section 4, rule 11)
 * - `reads`: GET
 * - `repeatable`: those that do no harm twice
 * - `always`: any, because nothing was sent
 */
export type Again = 'never' | 'once' | 'reads' | 'repeatable' | 'always';

/** Why one attempt failed: a value until nothing is left to try. */
export interface Failure {
  readonly fault: Fault;
  readonly what: string;
  readonly advice: string;
  readonly again: Again;
  /** Whether the service surely did nothing. */
  readonly untouched: boolean;
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
export function failureError(request: Request, failure: Failure, attempts: Attempts): ServiceError {
  const tries = attempts.count > 1 ? ` (after ${attempts.count} tries)` : '';
  return new ServiceError({
    fault: failure.fault,
    doing: `${request.method} ${request.path}`,
    what: `${failure.what}${tries}`,
    advice: failure.advice,
    written: attempts.lost && request.method !== 'GET' ? 'maybe' : 'no',
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  });
}

/** An answer that is not what the documents say; a write behind it may have happened. */
export function unusable(what: string, again: Again, status: number): Failure {
  return {
    fault: 'malformed',
    what,
    advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
    again,
    untouched: false,
    status,
  };
}

/** Nothing more is sent; `last` is why the attempt before failed, if there was one. */
function unsent(fault: Fault, why: string, advice: string, last: Failure | undefined): Failure {
  const what = last === undefined ? `not sent, because ${why}` : `not tried again, because ${why}; before that: ${last.what}`;
  return { fault, what, advice, again: 'never', untouched: true };
}

/** The run was stopped. */
export function interruption(last: Failure | undefined): Failure {
  return unsent('interrupted', 'the run was stopped', 'Run again: what was written stays written, and the rest is planned anew.', last);
}

/** The run took longer than it may, in seconds. */
export function overdue(runSeconds: number, last: Failure | undefined): Failure {
  const advice = 'Run again: what was written stays written; where a run needs longer, raise http.run_seconds.';
  return unsent('overdue', `the ${runSeconds} s that a run may take (http.run_seconds) are over`, advice, last);
}

/** The service is out of reach: so many requests in a row came to nothing, the last of them by `cause`. */
export function outage(count: number, cause: Failure, last: Failure | undefined): Failure {
  const why = `the ${count} requests before it came to nothing, the last with: ${cause.what}`;
  return unsent(
    'unreachable',
    why,
    'Run again when the service is back: what was written stays written, and the rest is planned anew.',
    last,
  );
}

/** The same failure where the run has no retries left, after so many. */
export function unretried(failure: Failure, spent: number): Failure {
  return { ...failure, what: `${failure.what}; not tried again, because this run has spent its retries (${spent})` };
}

/** A path that would not reach what it names, for example because the account holds an ID such as `..`. */
export function misdirection(): Failure {
  return {
    fault: 'malformed',
    what: 'not sent, because an ID in the path is empty or would lead elsewhere',
    advice: 'Look for that ID in the account, and under `adopt` in the configuration.',
    again: 'never',
    untouched: true,
  };
}
