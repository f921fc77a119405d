import type { AttemptFailure } from './attempt-failure.ts';
import type { ApiRequest } from './request.ts';

const BASE_MS = 200;
const CAP_MS = 5_000;

/**
 * Whether the request may be tried again after this failure; `refusedBefore` tells that a 400 has already been tried again.
 * One that is not repeatable never is once it may have arrived: no answer proves that nothing was done, since a proxy may have
 * repeated the request. Whoever sent it looks first (design section 4, rule 4).
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
 * Milliseconds to wait before the next attempt after `count` of them: exponential backoff with full jitter, base 200 ms, cap 5 s;
 * at least as long as the service asks for; none after a possible replay. `random` gives 0 to 1.
 */
export function waitMs(failure: AttemptFailure, count: number, random: () => number): number {
  if (failure.retryClass === 'once') return 0;
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(count - 1, 10));
  return Math.max(failure.retryAfterMs ?? 0, random() * ceiling);
}

/** A `Retry-After` header, seconds or HTTP date, as milliseconds from `now`; undefined where it is missing or unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = httpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** An HTTP date as Unix milliseconds; undefined where it is none. */
export function httpDate(text: string | undefined): number | undefined {
  const date = text !== undefined && /^[A-Z][a-z]{2},? .*GMT$/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
