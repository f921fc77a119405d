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
