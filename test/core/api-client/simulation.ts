import type { AttemptFailure } from '../../../src/core/api-client/attempts.ts';
import { createRateLimiter } from '../../../src/core/api-client/rate-limiter.ts';
import { type RetryDeps, retryBudget, sendWithRetries } from '../../../src/core/api-client/retry.ts';
import { UPDATE_V4 } from './harness.ts';

/** A clock for many who sleep at once: it goes on to the next of them when all have done what they can, within `turns` turns of the event loop. */
export function simulatedClock(turns = 1) {
  let time = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => time,
    sleep: (ms: number) => new Promise<void>((wake) => void sleepers.push({ at: time + ms, wake })),
    /** Lets time pass until the work is done. */
    async until(work: Promise<unknown>): Promise<void> {
      let done = false;
      let idle = 0;
      const ended = work.finally(() => {
        done = true;
      });
      for (;;) {
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
        if (done) break;
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers.shift();
        if (next === undefined) {
          // Somebody may still be about to sleep.
          if (++idle > turns * 10) throw new Error('everybody waits for ever');
          continue;
        }
        idle = 0;
        time = Math.max(time, next.at);
        next.wake();
      }
      await ended;
    },
  };
}

/** Whether a server takes a request that arrives then, milliseconds. */
export type Server = (arrival: number) => boolean;

/** Takes so many within any second; a refused one does not count. */
export function slidingWindow(perSecond: number): Server {
  const taken: number[] = [];
  return (arrival) => {
    const fits = taken.filter((time) => time > arrival - 1000).length < perSecond;
    if (fits) taken.push(arrival);
    return fits;
  };
}

/** Takes so many within each second of its clock. */
export function fixedWindow(perSecond: number): Server {
  const taken = new Map<number, number>();
  return (arrival) => {
    const second = Math.floor((arrival + 370) / 1000);
    const count = taken.get(second) ?? 0;
    if (count < perSecond) taken.set(second, count + 1);
    return count < perSecond;
  };
}

/** A token bucket that holds `burst` and is filled evenly. */
export function leakyServer(perSecond: number, burst: number): Server {
  let level = burst;
  let latest = 0;
  return (arrival) => {
    level = Math.min(burst, level + ((arrival - latest) * perSecond) / 1000);
    latest = arrival;
    if (level < 1) return false;
    level--;
    return true;
  };
}

const REFUSED: AttemptFailure = {
  category: 'throttled',
  what: 'HTTP 429',
  advice: '',
  retryClass: 'repeatable',
  notReceived: false,
  status: 429,
};

/** What many requests at once came to; `seconds` from the first to the last answer. */
export interface Load {
  readonly seconds: number;
  readonly sent: number;
  readonly refused: number;
  readonly failed: number;
}

/** What is sent, how, and how far the server is away: 10 to 60 ms, or `near`, 1 to 4 ms. `seed` is a whole number from 1. */
export interface Settings {
  readonly requests: number;
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly near?: boolean;
  readonly seed?: number;
}

/** Sends updates through limiter, retries and budget to the server, by a clock of its own. */
export async function load(server: Server, settings: Settings): Promise<Load> {
  const { now, sleep, until } = simulatedClock();
  const limiter = createRateLimiter({ ...settings, now, sleep });
  const retries = retryBudget();
  const random = lottery(settings.seed ?? 1);
  const away = () => (settings.near ? 0.5 + 1.5 * random() : 5 + 25 * random());
  const tally = { sent: 0, refused: 0, failed: 0 };
  const means: RetryDeps = {
    timeoutMs: 30_000,
    giveUpMs: 20_000,
    now,
    random,
    sleep,
    acquireSlot: limiter.acquireSlot,
    beforeAttempt: () => Promise.resolve(),
    retries,
    blocked: () => undefined,
    async attempt() {
      tally.sent++;
      await sleep(away());
      const taken = server(now());
      if (!taken) tally.refused++;
      await sleep(away());
      return taken ? { status: 200, body: {} } : REFUSED;
    },
    after(_request, _count, started, result) {
      limiter.onResult(result.status, started);
      if (!('category' in result)) retries.earn();
    },
  };
  const one = () => limiter.run(() => sendWithRetries(UPDATE_V4, means)).then(undefined, () => void tally.failed++);
  await until(Promise.all(Array.from({ length: settings.requests }, one)));
  return { ...tally, seconds: now() / 1000 };
}

/** Chance that is the same in every run, 0 to 1. */
function lottery(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
