import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDelay } from '../../../src/core/model/pauses.ts';
import { assertProperty } from '../../support/property.ts';

/** Returns all delays until `giveUpMs`. */
function delays(giveUpMs: number): readonly number[] {
  const all: number[] = [];
  for (let waited = 0; ; ) {
    const pause = nextDelay(waited, giveUpMs);
    if (pause === null) return all;
    all.push(pause);
    waited += pause;
  }
}

describe('nextDelay', () => {
  it('grows from 0.2 to 5 s', () => {
    expect(delays(21_200)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(delays(0)).toEqual([]);
  });

  it('adds up to exactly `giveUpMs`', () => {
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 600_000 }), (giveUpMs) => {
        const all = delays(giveUpMs);
        expect(all.reduce((sum, ms) => sum + ms, 0)).toBe(giveUpMs);
        expect(all.every((ms) => ms > 0 && ms <= 5000)).toBe(true);
      }),
    );
  });

  it('is never shorter than Retry-After, nor longer than the remaining time', () => {
    assertProperty(
      fc.property(fc.nat(30_000), fc.nat(30_000), fc.nat(30_000), (waited, giveUpMs, asked) => {
        const pause = nextDelay(waited, giveUpMs, asked);
        if (pause === null) expect(giveUpMs - waited < Math.max(1, asked)).toBe(true);
        else {
          expect(pause).toBeGreaterThanOrEqual(asked);
          expect(waited + pause).toBeLessThanOrEqual(giveUpMs);
        }
      }),
    );
  });
});
