import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptFailure, RetryClass } from '../../src/api-client/attempt-failure.ts';
import { httpDate, mayTryAgain, retryAfterMs, waitMs } from '../../src/api-client/retry.ts';
import { CREATE_V4, READ_V4, START, UPDATE_V4 } from './harness.ts';

const failure = (again: RetryClass, more: Partial<AttemptFailure> = {}): AttemptFailure => ({
  kind: 'throttled',
  what: '',
  advice: '',
  retryClass: again,
  notReceived: true,
  ...more,
});

describe('mayTryAgain', () => {
  it.each<[RetryClass, boolean, boolean, boolean]>([
    ['never', false, false, false],
    ['once', true, true, false],
    ['reads', true, false, false],
    ['repeatable', true, true, false],
    ['always', true, true, true],
  ])('%s: read %s, repeatable write %s, create %s', (again, read, update, create) => {
    const allowed = [READ_V4, UPDATE_V4, CREATE_V4].map((request) => mayTryAgain(request, failure(again), false));
    expect(allowed).toEqual([read, update, create]);
  });

  it('tries a 400 again only once', () => {
    expect(mayTryAgain(READ_V4, failure('once'), true)).toBe(false);
  });
});

describe('waitMs', () => {
  it('doubles from 200 ms to 5 s, and takes a random part of it', () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 5000].map((count) => waitMs(failure('always'), count, () => 1));
    expect(ceilings).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(waitMs(failure('always'), 3, () => 0.25)).toBe(200);
    expect(waitMs(failure('always'), 3, () => 0)).toBe(0);
  });

  it('is never shorter than the service asks for', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (asked, count, chance) => {
        expect(waitMs(failure('always', { retryAfterMs: asked }), count, () => chance)).toBeGreaterThanOrEqual(asked);
      }),
    );
  });

  it('is nothing after a possible replay', () => {
    expect(waitMs(failure('once'), 1, () => 1)).toBe(0);
  });
});

describe('retryAfterMs', () => {
  it('reads seconds and HTTP dates, the past as now', () => {
    expect(retryAfterMs(' 7 ', START)).toBe(7000);
    expect(retryAfterMs(new Date(START + 9000).toUTCString(), START)).toBe(9000);
    expect(retryAfterMs(new Date(START - 9000).toUTCString(), START)).toBe(0);
  });

  it.each([undefined, '', '-1', '1.5', 'soon', '1e3', '99999999999', '2023-11-14', 'Xyz, nonsense GMT'])('ignores %j', (header) => {
    expect(retryAfterMs(header, START)).toBeUndefined();
  });

  it('takes only dates in HTTP form', () => {
    expect(httpDate('Tue, 14 Nov 2023 22:13:20 GMT')).toBe(START);
    expect(httpDate('2023-11-14')).toBeUndefined();
  });
});
