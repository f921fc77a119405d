import { type AttemptFailure, type Attempts, failureError, noAttempts, retryBudgetSpent } from './attempt-failure.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { mayTryAgain, waitMs } from './retry.ts';

/** Dependencies of the retry loop. Times in milliseconds. */
export interface RetryDeps {
  readonly timeoutMs: number;
  readonly giveUpMs: number;
  /** A monotonic clock. */
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Waits until one more request may start. */
  turn(): Promise<void>;
  /** Returns why no request may be sent; `last` is the failure of the previous attempt, if any. */
  barred(request: ApiRequest, last: AttemptFailure | undefined): AttemptFailure | undefined;
  /** The retry budget of the whole run. */
  readonly retries: { spend(): boolean; spent(): number };
  /** Sends one signed attempt; attempts are counted from 1. */
  attempt(request: ApiRequest, count: number, timeoutMs: number): Promise<ApiResponse | AttemptFailure>;
  /** Called after each attempt, with its start time; `retryInMs` is null for the last one. */
  after(request: ApiRequest, count: number, started: number, result: ApiResponse | AttemptFailure, retryInMs: number | null): void;
}

/**
 * Sends a request until it succeeds or cannot be retried. No attempt starts after `giveUpMs`, and retries are aborted at that time;
 * the first attempt always has its whole `timeoutMs`, since a slow response is better than none.
 * @throws ApiError
 */
export async function sendWithRetries(request: ApiRequest, deps: RetryDeps): Promise<ApiResponse> {
  let attempts = noAttempts;
  let giveUpAt = Number.POSITIVE_INFINITY;
  let last: AttemptFailure | undefined;
  for (;;) {
    const barred = await acquireSlot(request, last, deps);
    if (barred !== undefined) throw failureError(request, barred, attempts);
    const started = deps.now();
    if (last !== undefined && started >= giveUpAt) throw failureError(request, last, attempts);
    if (last === undefined) giveUpAt = started + deps.giveUpMs;
    const timeoutMs = last === undefined ? deps.timeoutMs : Math.min(deps.timeoutMs, giveUpAt - started);
    const result = await deps.attempt(request, attempts.count + 1, timeoutMs);
    const next = 'kind' in result ? nextDelay(request, result, attempts, giveUpAt, deps) : null;
    const retryInMs = typeof next === 'number' ? next : null;
    attempts = withAttempt(attempts, result);
    deps.after(request, attempts.count, started, result, retryInMs);
    if (!('kind' in result)) return result;
    if (typeof next !== 'number') throw failureError(request, next ?? result, attempts);
    last = result;
    if (next > 0) await deps.sleep(next);
  }
}

/** Waits until the request may start; returns why it may not be sent, if that is so before or after the wait. */
async function acquireSlot(request: ApiRequest, last: AttemptFailure | undefined, deps: RetryDeps): Promise<AttemptFailure | undefined> {
  const barred = deps.barred(request, last);
  if (barred !== undefined) return barred;
  await deps.turn();
  return deps.barred(request, last);
}

/**
 * Returns the milliseconds until the next attempt; null where no retry is possible or in time; a failure where the run has no retries left.
 */
function nextDelay(
  request: ApiRequest,
  failure: AttemptFailure,
  before: Attempts,
  giveUpAt: number,
  deps: RetryDeps,
): number | AttemptFailure | null {
  if (!mayTryAgain(request, failure, before.refused)) return null;
  const wait = waitMs(failure, before.count + 1, deps.random);
  if (deps.now() + wait >= giveUpAt) return null;
  return deps.retries.spend() ? wait : retryBudgetSpent(failure, deps.retries.spent());
}

function withAttempt(attempts: Attempts, result: ApiResponse | AttemptFailure): Attempts {
  if (!('kind' in result)) return { ...attempts, count: attempts.count + 1 };
  return {
    count: attempts.count + 1,
    lost: attempts.lost || !result.notReceived,
    refused: attempts.refused || result.retryClass === 'once',
  };
}
