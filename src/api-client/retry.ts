import type { AttemptFailure } from './attempt-failure.ts';
import type { ApiRequest } from './request.ts';

const BASE_MS = 200;
const CAP_MS = 5_000;

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
      return request.repeatable && !refusedBefore;
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
 * s; at least the service's `Retry-After`; none after a possible replay. `random` returns 0 to 1.
 */
export function waitMs(failure: AttemptFailure, count: number, random: () => number): number {
  if (failure.retryClass === 'once') return 0;
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(count - 1, 10));
  return Math.max(failure.retryAfterMs ?? 0, random() * ceiling);
}

/** Parses a `Retry-After` header, seconds or HTTP date, to milliseconds from `now`; undefined where it is missing or invalid. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = httpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Parses an HTTP date to Unix milliseconds; undefined where it is invalid. */
export function httpDate(text: string | undefined): number | undefined {
  const date = text !== undefined && /^[A-Z][a-z]{2},? .*GMT$/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
