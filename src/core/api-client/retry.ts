/** Retries requests: which failures are retried, after which delay, and how often in a run. */
import { type AttemptFailure, type Attempts, noAttempts, withFailure } from './attempts.ts';
import { expired, failureError, repeatNotSent, retryBudgetSpent, timedOutAfter } from './errors.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

const BASE_MS = 200;
export const MAX_BACKOFF_MS = 5_000;

/**
 * Decides whether the request may be retried after this failure; `refusedBefore`: a 400 has already been retried. A request that is not
 * idempotent is never retried once it may have arrived: no response proves that it was not executed, since a proxy may have repeated it.
 * The caller reads first (design section 4, rule 4).
 */
export function mayTryAgain(request: ApiRequest, failure: AttemptFailure, refusedBefore: boolean): boolean {
  switch (failure.retryClass) {
    case 'never':
      return false;
    case 'once':
      return (request.repeatable || failure.notReceived) && !refusedBefore;
    case 'reads':
      return request.method === 'GET' && request.repeatable;
    case 'repeatable':
      return request.repeatable;
    case 'always':
      return true;
  }
}

/**
 * Returns the milliseconds to wait before the next attempt after `count` attempts: exponential backoff with full jitter, base 200 ms, cap 5
 * s; at least the service's `Retry-After`; none where a reused signature may have been refused. `random` returns 0 to 1.
 */
export function waitMs(failure: AttemptFailure, count: number, random: () => number): number {
  if (failure.retryClass === 'once') return 0;
  const ceiling = Math.min(MAX_BACKOFF_MS, BASE_MS * 2 ** Math.min(count - 1, 10));
  return Math.max(failure.retryAfterMs ?? 0, random() * ceiling);
}

/** Parses a `Retry-After` header, seconds or HTTP date, to milliseconds from `now`; undefined where it is missing or invalid. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = httpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** The forms of a date that are obsolete and still to be read: `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. */
const RFC_850_DATE = /^[A-Z][a-z]{2,5}day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/** Parses an HTTP date, in each of the three forms of RFC 9110 section 5.6.7, to Unix milliseconds; undefined where it is invalid. */
export function httpDate(text: string | undefined): number | undefined {
  const written = text?.trim() ?? '';
  const { day, month, year = '', time } = (RFC_850_DATE.exec(written) ?? ASCTIME_DATE.exec(written))?.groups ?? {};
  // Of two digits, as POSIX reads them.
  const fullYear = year.length === 2 ? `${Number(year) < 69 ? '20' : '19'}${year}` : year;
  const usual = /^[A-Z][a-z]{2},? .*GMT$/.test(written) ? written : '';
  const date = Date.parse(day === undefined ? usual : `${day} ${month} ${fullYear} ${time} GMT`);
  return Number.isNaN(date) ? undefined : date;
}

/** The limit of retries in a whole run, which protects an overloaded service. */
interface RetryBudget {
  /** Uses one retry; returns false where none is left. */
  spend(): boolean;
  /** Records a successful request. */
  earn(): void;
  /** Number of retries so far. */
  spent(): number;
}

/** Capacity of the budget of retries: enough for a short restart of the service at maximum concurrency. */
export const RETRY_BUDGET = 100;
export const RETRIES_PER_SUCCESS = 0.2;

/** Creates the retry budget of a run: an initial number of retries, and one more for every five successful requests. */
export function retryBudget(): RetryBudget {
  let left = RETRY_BUDGET;
  let spent = 0;
  return {
    spend() {
      if (left < 1) return false;
      left--;
      spent++;
      return true;
    },
    earn() {
      left = Math.min(RETRY_BUDGET, left + RETRIES_PER_SUCCESS);
    },
    spent: () => spent,
  };
}

/** Dependencies of the retry loop. Times in milliseconds. */
export interface RetryDeps {
  readonly timeoutMs: number;
  readonly giveUpMs: number;
  /** A monotonic clock. */
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Waits until one more request may start. Returns false at once where that would be after `latest`. */
  acquireSlot(latest: number): Promise<boolean>;
  /** Called right before each attempt. It may make `blocked` return a reason. */
  beforeAttempt(request: ApiRequest): Promise<void>;
  /** Returns why no request may be sent, if that is so; `last` is the failure of the previous attempt, if any. */
  blocked(request: ApiRequest, last: AttemptFailure | undefined): AttemptFailure | undefined;
  /** The retry budget of the whole run. */
  readonly retries: { spend(): boolean; spent(): number };
  /** Sends one signed attempt; attempts are counted from 1. */
  attempt(request: ApiRequest, count: number, timeoutMs: number): Promise<ApiResponse | AttemptFailure>;
  /** Called after each attempt, with its start time; `retryInMs` is null for the last one. */
  after(request: ApiRequest, count: number, started: number, result: ApiResponse | AttemptFailure, retryInMs: number | null): void;
}

/**
 * Sends a request until it succeeds or cannot be retried. No attempt starts after `giveUpMs`, counted from the first attempt, also where a
 * caller sends it for the second time; and none after `freshUntil` of the request. Retries are aborted when `giveUpMs` are over; the first
 * attempt always has its whole `timeoutMs`, since a slow response is better than none.
 * @throws ApiError
 */
export async function sendWithRetries(request: ApiRequest, deps: RetryDeps): Promise<ApiResponse> {
  let attempts = request.earlier ?? noAttempts;
  const isRepeat = request.after === 'repeat' && request.earlier === undefined;
  if (isRepeat && !deps.retries.spend()) throw failureError(request, repeatNotSent(deps.retries.spent()), attempts);
  for (;;) {
    const { last, firstAt } = attempts;
    const blocked = await waitForSlot(request, last, deps);
    if (blocked !== undefined) throw failureError(request, blocked, attempts);
    const started = deps.now();
    const giveUpAt = (firstAt ?? started) + deps.giveUpMs;
    if (last !== undefined && started >= giveUpAt) throw failureError(request, last, attempts);
    // As the last thing before the attempt: all that comes before it takes time.
    if (started > freshUntilOf(request)) throw failureError(request, expired(last), attempts);
    const timeoutMs = last === undefined ? deps.timeoutMs : Math.min(deps.timeoutMs, giveUpAt - started);
    const count = attempts.count + 1;
    const result = await deps.attempt(request, count, timeoutMs);
    const next = 'category' in result ? nextDelay(request, result, attempts, giveUpAt, deps) : null;
    const retryInMs = typeof next === 'number' ? next : null;
    deps.after(request, count, started, result, retryInMs);
    if (!('category' in result)) return result;
    attempts = withFailure(attempts, result, started, deps.now());
    if (typeof next !== 'number')
      throw failureError(request, next ?? ofWholeWait(result, attempts, deps.now() - giveUpAt + deps.giveUpMs), attempts);
    // Also where the next attempt will be too late to be fresh: until then nothing is to be sent, no read either.
    if (next > 0) await deps.sleep(next);
  }
}

function freshUntilOf({ freshUntil = Number.POSITIVE_INFINITY }: ApiRequest): number {
  return freshUntil;
}

/** Returns the last failure of a request. A timeout names the whole wait, since the last attempt may have had only what was left of it. */
function ofWholeWait(failure: AttemptFailure, { count }: Attempts, waitedMs: number): AttemptFailure {
  if (count === 1 || failure.category !== 'timeout' || failure.status !== undefined) return failure;
  return timedOutAfter(waitedMs, !failure.notReceived);
}

/** Waits until the request may start; returns why it may not be sent, if that is so before or after the wait. */
async function waitForSlot(request: ApiRequest, last: AttemptFailure | undefined, deps: RetryDeps): Promise<AttemptFailure | undefined> {
  const blocked = deps.blocked(request, last);
  if (blocked !== undefined) return blocked;
  if (!(await deps.acquireSlot(freshUntilOf(request)))) return expired(last);
  const nowBlocked = deps.blocked(request, last);
  if (nowBlocked !== undefined) return nowBlocked;
  await deps.beforeAttempt(request);
  return deps.blocked(request, last);
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
