import { type AttemptFailure, type Attempts, failureError, noAttempts, retryBudgetSpent } from './attempt-failure.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { mayTryAgain, waitMs } from './retry.ts';

/** What the attempts of a request need. Times in milliseconds. */
export interface RetryDeps {
  readonly timeoutMs: number;
  readonly giveUpMs: number;
  /** A clock that never goes back. */
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Waits until one more request may start. */
  turn(): Promise<void>;
  /** Why nothing more may be sent; `last` is why the attempt before failed, if there was one. */
  barred(request: ApiRequest, last: AttemptFailure | undefined): AttemptFailure | undefined;
  /** Retries that the whole run has left. */
  readonly retries: { spend(): boolean; spent(): number };
  /** One signed attempt, counted from 1. */
  attempt(request: ApiRequest, count: number, timeoutMs: number): Promise<ApiResponse | AttemptFailure>;
  /** Told after each attempt when it started; `retryInMs` null = the last one. */
  after(request: ApiRequest, count: number, started: number, result: ApiResponse | AttemptFailure, retryInMs: number | null): void;
}

/**
 * Tries until there is an answer, or nothing is left to try. No attempt begins after `giveUpMs`, and later ones are cut off there;
 * the first always has its whole `timeoutMs`, since a slow answer is better than none.
 * @throws ServiceError
 */
export async function sendWithRetries(request: ApiRequest, means: RetryDeps): Promise<ApiResponse> {
  let attempts = noAttempts;
  let giveUpAt = Number.POSITIVE_INFINITY;
  let last: AttemptFailure | undefined;
  for (;;) {
    const barred = await turnOf(request, last, means);
    if (barred !== undefined) throw failureError(request, barred, attempts);
    const started = means.now();
    if (last !== undefined && started >= giveUpAt) throw failureError(request, last, attempts);
    if (last === undefined) giveUpAt = started + means.giveUpMs;
    const timeoutMs = last === undefined ? means.timeoutMs : Math.min(means.timeoutMs, giveUpAt - started);
    const result = await means.attempt(request, attempts.count + 1, timeoutMs);
    const next = 'kind' in result ? nextIn(request, result, attempts, giveUpAt, means) : null;
    const retryInMs = typeof next === 'number' ? next : null;
    attempts = added(attempts, result);
    means.after(request, attempts.count, started, result, retryInMs);
    if (!('kind' in result)) return result;
    if (typeof next !== 'number') throw failureError(request, next ?? result, attempts);
    last = result;
    if (next > 0) await means.sleep(next);
  }
}

/** Waits until the request may start; why it may not, where that is so before or after the wait. */
async function turnOf(request: ApiRequest, last: AttemptFailure | undefined, means: RetryDeps): Promise<AttemptFailure | undefined> {
  const barred = means.barred(request, last);
  if (barred !== undefined) return barred;
  await means.turn();
  return means.barred(request, last);
}

/** Milliseconds until the next attempt; null where there is none, or no time for it; the failure that says so where the run has no retries left. */
function nextIn(
  request: ApiRequest,
  failure: AttemptFailure,
  before: Attempts,
  giveUpAt: number,
  means: RetryDeps,
): number | AttemptFailure | null {
  if (!mayTryAgain(request, failure, before.refused)) return null;
  const wait = waitMs(failure, before.count + 1, means.random);
  if (means.now() + wait >= giveUpAt) return null;
  return means.retries.spend() ? wait : retryBudgetSpent(failure, means.retries.spent());
}

function added(attempts: Attempts, result: ApiResponse | AttemptFailure): Attempts {
  if (!('kind' in result)) return { ...attempts, count: attempts.count + 1 };
  return {
    count: attempts.count + 1,
    lost: attempts.lost || !result.notReceived,
    refused: attempts.refused || result.retryClass === 'once',
  };
}
