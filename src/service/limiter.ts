import pLimit from 'p-limit';

/** How fast and how wide the service may be asked (`http` in upkeep.yaml, design section 3). */
export interface Limiter {
  /** Runs the task when fewer than `concurrency` are running; first come, first served. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Waits until one more request may start: never more than `requestsPerSecond` within any second. */
  turn(): Promise<void>;
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
  return {
    run: (task) => limit(task),
    turn: options.requestsPerSecond > 0 ? pacing(options) : () => Promise.resolve(),
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
