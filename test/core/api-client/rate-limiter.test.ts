import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AdaptiveRate,
  adaptiveRate,
  createRateLimiter,
  type Throttle,
  tokenBucket,
} from '../../../src/core/api-client/rate-limiter.ts';
import { assertProperty } from '../../support/property.ts';
import { fakeClock, START } from './harness.ts';
import { fixedWindow, leakyServer, load, slidingWindow } from './simulation.ts';

/** When each of so many requests starts that are ready from `from` on, milliseconds. */
function starts(bucket: Throttle, count: number, from = 0): number[] {
  return Array.from({ length: count }, () => {
    const start = bucket.earliestStart(from);
    bucket.onStart(start);
    return start;
  });
}

describe('tokenBucket', () => {
  it('allows a burst, and then spaces the requests that follow', () => {
    expect(starts(tokenBucket(3), 8)).toEqual([0, 0, 0, 1050, 1400, 1750, 2100, 2450]);
    expect(starts(tokenBucket(0.5), 3)).toEqual([0, 2100, 4200]);
  });

  it('never allows more than one burst', () => {
    const bucket = tokenBucket(4);
    starts(bucket, 4);
    expect(starts(bucket, 6, 100_000)).toEqual([100_000, 100_000, 100_000, 100_000, 101_050, 101_312.5]);
  });

  it('never waits without a limit', () => {
    expect(starts(tokenBucket(0), 1000)).toEqual(new Array(1000).fill(0));
  });

  it('keeps the limit in every second, for every rate and pattern of requests', () => {
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(3000)), { minLength: 90, maxLength: 90 });
    assertProperty(
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

  it('allows at least 95 % of the rate over time', () => {
    const last = starts(tokenBucket(20), 20_000).at(-1) ?? 0;
    expect(last / 1000).toBeGreaterThan((20_000 / 20) * 1.04);
    expect(last / 1000).toBeLessThan((20_000 / 20) * 1.06);
  });
});

/** The gap that the rate keeps, milliseconds. */
function gapOf(rate: AdaptiveRate, time: number): number {
  const first = rate.earliestStart(time);
  rate.onStart(first);
  return rate.earliestStart(first) - first;
}

describe('adaptiveRate', () => {
  it('has no limit before the first refusal', () => {
    const rate = adaptiveRate();
    for (let index = 0; index < 100; index++) rate.onAccepted(index);
    expect(gapOf(rate, 1000)).toBe(0);
  });

  it('slows down after each refusal, but hardly below the rate that was accepted in the last second', () => {
    const rate = adaptiveRate();
    const gaps = [1, 2, 3, 4, 5].map((time) => {
      for (let index = 0; index < 5; index++) rate.onAccepted(10_000 + time);
      rate.onRefused(10_000 + time);
      return gapOf(rate, 20_000);
    });
    // Half as long again; then 20 in 1.05 s were borne; then at least 5 % longer all the same.
    const expected = [20, 30, 45, 1050 / 20, (1050 / 20) * 1.05];
    expect(gaps).toEqual(expected.map((gap) => expect.closeTo(gap, 1)));
  });

  it('is never slower than one request in two seconds', () => {
    const rate = adaptiveRate();
    for (let index = 0; index < 100; index++) rate.onRefused(index * 5000);
    expect(gapOf(rate, 10_000_000)).toBe(2000);
  });

  it('allows no more requests per second than its gap, of those that the service counts', () => {
    const rate = adaptiveRate();
    for (let start = 0; start < 52; start++) rate.onStart(start);
    rate.uncount(51);
    rate.uncount(1000);
    rate.onRefused(60);
    // A gap of 20 ms: 52 in 1.05 s, of which 51 have started.
    expect(rate.earliestStart(100)).toBe(100);
    rate.onStart(100);
    expect(rate.earliestStart(120)).toBe(0 + 1050);
  });

  it('counts no longer the oldest request where that was refused, and all where a request is unknown', () => {
    const free = [0, 1000].map((refused) => {
      const rate = adaptiveRate();
      for (let start = 0; start < 52; start++) rate.onStart(start);
      rate.uncount(refused);
      rate.onRefused(60);
      return rate.earliestStart(100);
    });
    expect(free).toEqual([100, 1050]);
  });

  it('recovers slowly at first and then faster', () => {
    const rate = adaptiveRate();
    for (let index = 0; index < 3; index++) rate.onRefused(index * 5000);
    const gaps = Array.from({ length: 1000 }, (_, index) => {
      rate.onAccepted(100_000 + index * 100);
      return gapOf(rate, 1_000_000 + index * 3000);
    });
    expect(gaps[50]).toBeGreaterThan(45 * 0.97);
    expect(gaps[400]).toBeLessThan(45 / 2);
    expect(gaps.at(-1)).toBe(0);
  });
});

function limited(concurrency: number, requestsPerSecond = 0) {
  const clock = fakeClock();
  const now = () => clock.now() - START;
  return { clock, now, limiter: createRateLimiter({ concurrency, requestsPerSecond, now, sleep: clock.sleep }) };
}

/** How many of 20 tasks run side by side at most. */
async function widthOf(limiter: ReturnType<typeof createRateLimiter>): Promise<number> {
  let running = 0;
  let most = 0;
  const task = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  };
  await Promise.all(Array.from({ length: 20 }, () => limiter.run(task)));
  return most;
}

describe('run', () => {
  it('runs at most as many tasks at once as allowed', async () => {
    expect(await widthOf(limited(3).limiter)).toBe(3);
  });

  it.each([429, 503])(
    'halves the concurrency after %i, once for requests in flight together, and increases it after successes',
    async (status) => {
      const { clock, now, limiter } = limited(8);
      clock.advance(50);
      for (let index = 0; index < 8; index++) limiter.onResult(status, 0);
      expect(await widthOf(limiter)).toBe(4);
      for (let index = 0; index < 8; index++) limiter.onResult(status, 10);
      expect(await widthOf(limiter)).toBe(4);
      clock.advance(1000);
      limiter.onResult(status, now());
      expect(await widthOf(limiter)).toBe(2);
      for (let index = 0; index < 5; index++) limiter.onResult(200, now());
      expect(await widthOf(limiter)).toBe(4);
    },
  );

  it('always runs at least one task, and does not adapt to a missing response', async () => {
    const { clock, now, limiter } = limited(4);
    for (let index = 0; index < 9; index++) {
      clock.advance(5000);
      limiter.onResult(503, now());
    }
    for (let index = 0; index < 9; index++) limiter.onResult(undefined, now());
    expect(await widthOf(limiter)).toBe(1);
  });
});

describe('acquireSlot', () => {
  it('gives each of many waiting requests a start time of its own', async () => {
    const waits: number[] = [];
    const limiter = createRateLimiter({ concurrency: 1, requestsPerSecond: 2, now: () => 0, sleep: async (ms) => void waits.push(ms) });
    await Promise.all(Array.from({ length: 6 }, () => limiter.acquireSlot()));
    expect(waits).toEqual([1050, 1575, 2100, 2625]);
  });

  it('keeps both the configured rate and the adaptive rate', async () => {
    const { clock, now, limiter } = limited(1, 2);
    limiter.onResult(429, now());
    for (let index = 0; index < 3; index++) await limiter.acquireSlot();
    expect(clock.slept).toEqual([20, 20, 1030]);
  });
});

describe('the rate after a refusal', () => {
  /** How long the next request waits after a burst of 52, and after the results of some of them. */
  async function waitAfterBurst(...results: readonly (readonly [status: number, started: number])[]): Promise<readonly number[]> {
    const { clock, limiter } = limited(1);
    for (let start = 0; start < 52; start++) {
      await limiter.acquireSlot();
      clock.advance(1);
    }
    clock.advance(8);
    for (const [status, started] of results) limiter.onResult(status, started);
    clock.advance(40);
    await limiter.acquireSlot();
    return clock.slept;
  }

  it('counts what the service accepted, and not what it refused with 429', async () => {
    expect(await waitAfterBurst([429, 51])).toEqual([]);
    expect(await waitAfterBurst([429, 51], [429, 50], [200, 49], [503, 48])).toEqual([]);
    expect(await waitAfterBurst([429, 1000])).toEqual([950]);
    expect(await waitAfterBurst([429, 1000], [200, 51], [503, 50])).toEqual([950]);
  });

  it('is not changed by 503', async () => {
    const { clock, now, limiter } = limited(1);
    limiter.onResult(503, now());
    for (let index = 0; index < 3; index++) await limiter.acquireSlot();
    expect(clock.slept).toEqual([]);
  });
});

describe('a service with its own rate limit', () => {
  const servers = [
    ['any second', slidingWindow],
    ['each second of its clock', fixedWindow],
  ] as const;

  it.each(servers)('that counts within %s refuses no request where requests_per_second is that limit', async (_name, server) => {
    const { seconds, refused, failed } = await load(server(20), { requests: 1000, concurrency: 8, requestsPerSecond: 20 });
    expect({ refused, failed }).toEqual({ refused: 0, failed: 0 });
    expect(seconds).toBeLessThan((1000 / 20) * 1.15);
  });

  it.each([
    ...servers.map(([name, server]) => [name, server(20)] as const),
    ['a bucket of 5', leakyServer(20, 5)] as const,
    ['a bucket of 20', leakyServer(20, 20)] as const,
    ['a bucket of 100', leakyServer(20, 100)] as const,
  ])('that is not configured (%s) is detected: within 1.15 of the ideal time, with hardly any refusal', async (_name, server) => {
    const { seconds, sent, refused, failed } = await load(server, { requests: 1000, concurrency: 8, requestsPerSecond: 0 });
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
    expect(seconds).toBeLessThan((1000 / 20) * 1.15);
  });

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('with short latency is detected, too, with random seed %i', async (seed) => {
    const settings = { requests: 600, concurrency: 8, requestsPerSecond: 0, near: true, seed };
    const { seconds, sent, refused, failed } = await load(slidingWindow(20), settings);
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
    expect(seconds).toBeLessThan((600 / 20) * 1.1);
  });

  it.each([5, 100])('of %i requests per second is detected, too', async (perSecond) => {
    const { seconds, sent, refused, failed } = await load(slidingWindow(perSecond), {
      requests: 1000,
      concurrency: 8,
      requestsPerSecond: 0,
    });
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
    expect(seconds).toBeLessThan((1000 / perSecond) * 1.2);
  });

  it('that allows no burst makes no request fail', async () => {
    const { sent, refused, failed } = await load(leakyServer(20, 1), { requests: 1000, concurrency: 8, requestsPerSecond: 20 });
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
  });
});
