import { type Attempts, type Failure, failureError, interruption, noAttempts } from './failure.ts';
import type { Answer, Request } from './request.ts';
import { mayTryAgain, waitMs } from './retry.ts';

/** What the attempts of a request need. Times in milliseconds. */
export interface Means {
  readonly timeoutMs: number;
  readonly giveUpMs: number;
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Waits until one more request may start. */
  turn(): Promise<void>;
  /** Told the HTTP status of each attempt, undefined without an answer, and when it started. */
  heed(status: number | undefined, started: number): void;
  /** Whether nothing more may be sent. */
  stopped(): boolean;
  /** One signed attempt, counted from 1. */
  attempt(request: Request, count: number, timeoutMs: number): Promise<Answer | Failure>;
  /** Told after each attempt; `retryInMs` null = the last one. */
  after(request: Request, count: number, tookMs: number, result: Answer | Failure, retryInMs: number | null): void;
}

/**
 * Tries until there is an answer, or nothing is left to try. No attempt begins after `giveUpMs`, and later ones are cut off there;
 * the first always has its whole `timeoutMs`, since a slow answer is better than none.
 * @throws ServiceError
 */
export async function persist(request: Request, means: Means): Promise<Answer> {
  let attempts = noAttempts;
  let giveUpAt = Number.POSITIVE_INFINITY;
  let last: Failure | undefined;
  for (;;) {
    await means.turn();
    if (means.stopped()) throw failureError(request, interruption(last), attempts);
    const started = means.now();
    if (last !== undefined && started >= giveUpAt) throw failureError(request, last, attempts);
    if (last === undefined) giveUpAt = started + means.giveUpMs;
    const timeoutMs = last === undefined ? means.timeoutMs : Math.min(means.timeoutMs, giveUpAt - started);
    const result = await means.attempt(request, attempts.count + 1, timeoutMs);
    means.heed(result.status, started);
    const retryInMs = 'fault' in result ? nextIn(request, result, attempts, giveUpAt, means) : null;
    attempts = added(attempts, result);
    means.after(request, attempts.count, means.now() - started, result, retryInMs);
    if (!('fault' in result)) return result;
    if (retryInMs === null) throw failureError(request, result, attempts);
    last = result;
    if (retryInMs > 0) await means.sleep(retryInMs);
  }
}

/** Milliseconds until the next attempt; null where there is none, or no time for it. */
function nextIn(request: Request, failure: Failure, before: Attempts, giveUpAt: number, means: Means): number | null {
  if (!mayTryAgain(request, failure, before.refused)) return null;
  const wait = waitMs(failure, before.count + 1, means.random);
  return means.now() + wait < giveUpAt ? wait : null;
}

function added(attempts: Attempts, result: Answer | Failure): Attempts {
  if (!('fault' in result)) return { ...attempts, count: attempts.count + 1 };
  return {
    count: attempts.count + 1,
    lost: attempts.lost || !result.untouched,
    refused: attempts.refused || result.again === 'once',
  };
}
