import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/service/limiter.ts';
import { fakeClock, START } from './harness.ts';

describe('run', () => {
  it('runs as many tasks side by side as allowed, and no more', async () => {
    const { now, sleep } = fakeClock();
    const limiter = createLimiter({ concurrency: 3, requestsPerSecond: 0, now, sleep });
    let running = 0;
    let most = 0;
    const task = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => limiter.run(task)));
    expect(most).toBe(3);
    expect(running).toBe(0);
  });
});

describe('turn', () => {
  /** When each of the requests starts, asked for one after the other. */
  async function starts(requestsPerSecond: number, count: number): Promise<number[]> {
    const clock = fakeClock();
    const limiter = createLimiter({ concurrency: 1, requestsPerSecond, now: clock.now, sleep: clock.sleep });
    const times: number[] = [];
    for (let index = 0; index < count; index++) {
      await limiter.turn();
      times.push(clock.now() - START);
    }
    return times;
  }

  it('lets a burst through, then keeps the rate', async () => {
    expect(await starts(3, 7)).toEqual([0, 0, 0, 1000, 1000, 1000, 2000]);
    expect(await starts(0.5, 3)).toEqual([0, 2000, 4000]);
  });

  it('never waits without a rate', async () => {
    expect(await starts(0, 1000)).toEqual(new Array(1000).fill(0));
  });

  it('keeps the rate within any second, for every rate', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0.1, max: 40, noNaN: true }), async (rate) => {
        const times = await starts(rate, 90);
        const crowded = times.some((time, index) => {
          const later = times[index + Math.max(1, Math.ceil(rate))];
          return later !== undefined && later - time < 1000 - 0.01;
        });
        expect(crowded).toBe(false);
      }),
    );
  });

  it('gives every request its own turn where many ask at once', async () => {
    const { now } = fakeClock();
    const waits: number[] = [];
    const limiter = createLimiter({ concurrency: 1, requestsPerSecond: 2, now, sleep: async (ms) => void waits.push(ms) });
    await Promise.all(Array.from({ length: 6 }, () => limiter.turn()));
    expect(waits).toEqual([1000, 1000, 2000, 2000]);
  });

  it('does not wait for the old time when the clock is set back', async () => {
    const clock = fakeClock();
    const limiter = createLimiter({ concurrency: 1, requestsPerSecond: 1, now: clock.now, sleep: clock.sleep });
    await limiter.turn();
    clock.advance(-3_600_000);
    await limiter.turn();
    expect(clock.slept).toEqual([]);
  });
});

describe('heed', () => {
  function limited(concurrency = 1) {
    const clock = fakeClock();
    return { clock, limiter: createLimiter({ concurrency, requestsPerSecond: 0, now: clock.now, sleep: clock.sleep }) };
  }

  it('makes all go slower after a 429, and by and by faster again', async () => {
    const { clock, limiter } = limited();
    await limiter.turn();
    await limiter.turn();
    expect(clock.slept).toEqual([]);
    limiter.heed(429, clock.now());
    for (let index = 0; index < 3; index++) await limiter.turn();
    expect(clock.slept).toEqual([20, 20]);
    for (let index = 0; index < 200; index++) limiter.heed(200, clock.now());
    clock.slept.length = 0;
    clock.advance(1000);
    for (let index = 0; index < 3; index++) await limiter.turn();
    expect(clock.slept).toEqual([]);
  });

  it('learns one lesson from requests that were refused together, and none from a missing answer', async () => {
    const { clock, limiter } = limited(8);
    for (let index = 0; index < 8; index++) limiter.heed(429, START - 1);
    for (let index = 0; index < 8; index++) limiter.heed(undefined, START);
    await limiter.turn();
    await limiter.turn();
    expect(clock.slept).toEqual([20]);
  });

  it('never makes the gap longer than two seconds', async () => {
    const { clock, limiter } = limited();
    for (let index = 0; index < 100; index++) {
      await limiter.turn();
      limiter.heed(429, clock.now());
    }
    expect(Math.max(...clock.slept)).toBe(2000);
  });

  it('outlives a clock that is set back', async () => {
    const { clock, limiter } = limited(4);
    limiter.heed(429, clock.now());
    await limiter.turn();
    clock.advance(-3_600_000);
    await limiter.turn();
    expect(Math.max(...clock.slept, 0)).toBeLessThanOrEqual(80);
  });

  it.each([5, 20, 100])('finds the pace of a service that refuses more than %i requests a second', async (bearable) => {
    const { clock, limiter } = limited();
    const taken: number[] = [];
    let refused = 0;
    while (taken.length < 10_000) {
      await limiter.turn();
      const started = clock.now();
      const tooFast = (taken.at(-bearable) ?? 0) > started - 1000;
      if (tooFast) refused++;
      else taken.push(started);
      clock.advance(1);
      limiter.heed(tooFast ? 429 : 200, started);
    }
    expect(refused).toBeLessThan(1_500);
    expect(clock.now() - START).toBeLessThan((10_000 / bearable) * 1000 * 1.5);
  });
});
