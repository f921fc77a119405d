import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Brake, tokenBucket } from '../../src/service/bucket.ts';

/** When each of so many requests starts that are ready from `from` on, milliseconds. */
function starts(bucket: Brake, count: number, from = 0): number[] {
  return Array.from({ length: count }, () => {
    const start = bucket.earliest(from);
    bucket.took(start);
    return start;
  });
}

describe('tokenBucket', () => {
  it('lets a burst through, then spreads what follows', () => {
    expect(starts(tokenBucket(3), 8)).toEqual([0, 0, 0, 1050, 1400, 1750, 2100, 2450]);
    expect(starts(tokenBucket(0.5), 3)).toEqual([0, 2100, 4200]);
  });

  it('saves up no more than one burst', () => {
    const bucket = tokenBucket(4);
    starts(bucket, 4);
    expect(starts(bucket, 6, 100_000)).toEqual([100_000, 100_000, 100_000, 100_000, 101_050, 101_312.5]);
  });

  it('never waits without a rate', () => {
    expect(starts(tokenBucket(0), 1000)).toEqual(new Array(1000).fill(0));
  });

  it('keeps the rate within any second, for every rate and every pattern of arrivals', () => {
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(3000)), { minLength: 90, maxLength: 90 });
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 40, noNaN: true }), pauses, (rate, waits) => {
        const bucket = tokenBucket(rate);
        let time = 0;
        const times = waits.map((wait) => {
          time += wait;
          return starts(bucket, 1, time)[0] ?? 0;
        });
        const crowded = times.some(
          (start, index) => (times[index + Math.max(1, Math.floor(rate))] ?? Number.POSITIVE_INFINITY) - start < 1000,
        );
        expect(crowded).toBe(false);
      }),
    );
  });

  it('gives all of the rate but 5 % in the long run', () => {
    const last = starts(tokenBucket(20), 20_000).at(-1) ?? 0;
    expect(last / 1000).toBeGreaterThan((20_000 / 20) * 1.04);
    expect(last / 1000).toBeLessThan((20_000 / 20) * 1.06);
  });
});
