import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/service/limiter.ts';
import { fakeClock, START } from './harness.ts';
import { fixedWindow, leakyServer, load, slidingWindow } from './simulation.ts';

function limited(concurrency: number, requestsPerSecond = 0) {
  const clock = fakeClock();
  const now = () => clock.now() - START;
  return { clock, now, limiter: createLimiter({ concurrency, requestsPerSecond, now, sleep: clock.sleep }) };
}

/** How many of 20 tasks run side by side at most. */
async function widthOf(limiter: ReturnType<typeof createLimiter>): Promise<number> {
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
  it('runs as many tasks side by side as allowed, and no more', async () => {
    expect(await widthOf(limited(3).limiter)).toBe(3);
  });

  it.each([429, 503])('runs half as many after %i, once for a whole flight, and more again after successes', async (status) => {
    const { clock, now, limiter } = limited(8);
    clock.advance(50);
    for (let index = 0; index < 8; index++) limiter.heed(status, 0);
    expect(await widthOf(limiter)).toBe(4);
    for (let index = 0; index < 8; index++) limiter.heed(status, 10);
    expect(await widthOf(limiter)).toBe(4);
    clock.advance(1000);
    limiter.heed(status, now());
    expect(await widthOf(limiter)).toBe(2);
    for (let index = 0; index < 5; index++) limiter.heed(200, now());
    expect(await widthOf(limiter)).toBe(4);
  });

  it('never runs fewer than one, and learns nothing from a missing answer', async () => {
    const { clock, now, limiter } = limited(4);
    for (let index = 0; index < 9; index++) {
      clock.advance(5000);
      limiter.heed(503, now());
    }
    for (let index = 0; index < 9; index++) limiter.heed(undefined, now());
    expect(await widthOf(limiter)).toBe(1);
  });
});

describe('turn', () => {
  it('gives every request its own turn where many ask at once', async () => {
    const waits: number[] = [];
    const limiter = createLimiter({ concurrency: 1, requestsPerSecond: 2, now: () => 0, sleep: async (ms) => void waits.push(ms) });
    await Promise.all(Array.from({ length: 6 }, () => limiter.turn()));
    expect(waits).toEqual([1050, 1575, 2100, 2625]);
  });

  it('keeps both the pace asked for and the pace learnt', async () => {
    const { clock, now, limiter } = limited(1, 2);
    limiter.heed(429, now());
    for (let index = 0; index < 3; index++) await limiter.turn();
    expect(clock.slept).toEqual([20, 20, 1030]);
  });

  it('keeps requests a little apart where answers take their time', async () => {
    const { clock, limiter } = limited(8);
    clock.advance(58);
    limiter.heed(200, 10);
    for (let index = 0; index < 4; index++) await limiter.turn();
    expect(clock.slept).toEqual([3, 3, 3]);
  });
});

describe('a service with a limit of its own', () => {
  const servers = [
    ['any second', slidingWindow],
    ['each second of its clock', fixedWindow],
  ] as const;

  it.each(servers)('that counts within %s refuses nothing where requests_per_second is its limit', async (_name, server) => {
    const { seconds, refused, failed } = await load(server(20), { requests: 1000, concurrency: 8, requestsPerSecond: 20 });
    expect({ refused, failed }).toEqual({ refused: 0, failed: 0 });
    expect(seconds).toBeLessThan((1000 / 20) * 1.15);
  });

  it.each([
    ...servers.map(([name, server]) => [name, server(20)] as const),
    ['a bucket of 5', leakyServer(20, 5)] as const,
    ['a bucket of 20', leakyServer(20, 20)] as const,
    ['a bucket of 100', leakyServer(20, 100)] as const,
  ])('that nobody told us of (%s) is found out: within 1.15 of the ideal, next to nothing refused', async (_name, server) => {
    const { seconds, sent, refused, failed } = await load(server, { requests: 1000, concurrency: 8, requestsPerSecond: 0 });
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
    expect(seconds).toBeLessThan((1000 / 20) * 1.15);
  });

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('near by is found out too, with chance %i', async (seed) => {
    const settings = { requests: 600, concurrency: 8, requestsPerSecond: 0, near: true, seed };
    const { seconds, sent, refused, failed } = await load(slidingWindow(20), settings);
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
    expect(seconds).toBeLessThan((600 / 20) * 1.1);
  });

  it.each([5, 100])('of %i requests a second is found out too', async (perSecond) => {
    const { seconds, sent, refused, failed } = await load(slidingWindow(perSecond), {
      requests: 1000,
      concurrency: 8,
      requestsPerSecond: 0,
    });
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
    expect(seconds).toBeLessThan((1000 / perSecond) * 1.2);
  });

  it('that bears no burst at all fails nobody', async () => {
    const { sent, refused, failed } = await load(leakyServer(20, 1), { requests: 1000, concurrency: 8, requestsPerSecond: 20 });
    expect(failed).toBe(0);
    expect(refused / sent).toBeLessThan(0.05);
  });
});
