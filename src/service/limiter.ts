import pLimit from 'p-limit';

/** How fast and how wide the service may be asked (`http` in upkeep.yaml, design section 3). */
export interface Limiter {
  /** Runs the task when fewer than `concurrency` are running; first come, first served. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Waits until one more request may start: never more than `requestsPerSecond` within any second, and no faster than the service bears. */
  turn(): Promise<void>;
  /** Told what a request came to that started then: its HTTP status, undefined without an answer. A 429 makes all go slower. */
  heed(status: number | undefined, started: number): void;
}

/** What a limiter needs; `concurrency` is a whole number from 1, `requestsPerSecond` 0 = unlimited, `now` in milliseconds. */
export interface LimiterOptions {
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const limit = pLimit(options.concurrency);
  const allowed = options.requestsPerSecond > 0 ? pacing(options) : () => Promise.resolve();
  const { bearable, heed } = learning(options);
  return {
    run: (task) => limit(task),
    turn: async () => {
      await allowed();
      await bearable();
    },
    heed,
  };
}

const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 2_000;

/**
 * The gap between two requests that the service bears: half as long again after a 429, and 2 % shorter after every other answer.
 * Everybody waits in one line, so that under a service with a limit of its own nobody is refused until he gives up.
 */
function learning({ concurrency, now, sleep }: LimiterOptions): { bearable(): Promise<void>; heed: Limiter['heed'] } {
  let gapMs = 0;
  let nextAt = 0;
  let learnedAt = Number.NEGATIVE_INFINITY;
  return {
    async bearable() {
      const time = now();
      // No line is longer than this, so that a clock that was set back makes nobody wait for the old time to return.
      const start = Math.min(Math.max(time, nextAt), time + concurrency * gapMs);
      nextAt = start + gapMs;
      if (start > time) await sleep(start - time);
    },
    heed(status, started) {
      if (status === undefined) return;
      if (status !== 429) gapMs = gapMs > 1 ? gapMs * 0.98 : 0;
      // Requests that were under way or in line together are refused together, and teach one lesson.
      else if (started >= learnedAt) {
        gapMs = Math.min(Math.max(gapMs * 1.5, FIRST_GAP_MS), LONGEST_GAP_MS);
        learnedAt = Math.max(now(), nextAt);
      }
    },
  };
}

/** Tokens that come back one window after they were taken: a burst is allowed, but the rate holds from the first second on. */
function pacing({ requestsPerSecond, now, sleep }: LimiterOptions): () => Promise<void> {
  const capacity = Math.max(1, Math.floor(requestsPerSecond));
  const windowMs = Math.max(1000, 1000 / requestsPerSecond);
  const freeAt = new Array<number>(capacity).fill(0);
  let next = 0;
  let latest = 0;
  return async () => {
    const time = now();
    // A clock that was set back would make everybody wait for the old time to return.
    if (time < latest) freeAt.fill(0);
    latest = time;
    const start = Math.max(time, freeAt[next] ?? 0);
    freeAt[next] = start + windowMs;
    next = (next + 1) % capacity;
    if (start > time) await sleep(start - time);
  };
}
