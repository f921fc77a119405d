/**
 * Limits how fast and how many requests run at once (`http` in upkeep.yaml): as configured, and as the 429 and 503 responses of the service
 * require.
 */
import { adaptiveConcurrency, limitConcurrency } from './concurrency.ts';

/** Limits the requests to one service. */
export interface RateLimiter {
  /** Runs the task when the concurrency limit allows it; first come, first served. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Waits until one more request may start. Returns false at once, and lets others have the slot, where that would be after `latest`
   * (milliseconds of the limiter's clock).
   */
  acquireSlot(latest?: number): Promise<boolean>;
  /**
   * Records the HTTP status of a request, undefined without a response, and its start time. 429 and 503 lower the concurrency, 429 also the
   * rate.
   */
  onResult(status: number | undefined, started: number): void;
}

/**
 * Settings of a rate limiter; `concurrency` is a whole number from 1, `requestsPerSecond` 0 = unlimited, `now` in milliseconds of a
 * monotonic clock.
 */
export interface RateLimiterOptions {
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Creates a rate limiter. */
export function createRateLimiter({ concurrency, requestsPerSecond, now, sleep }: RateLimiterOptions): RateLimiter {
  const limit = limitConcurrency(concurrency);
  const adaptive = adaptiveConcurrency(concurrency);
  const bucket = tokenBucket(requestsPerSecond);
  const rate = adaptiveRate();
  let adaptedAt = 0;
  return {
    run: (task) => limit(task),
    async acquireSlot(latest = Number.POSITIVE_INFINITY) {
      const time = now();
      const start = rate.earliestStart(bucket.earliestStart(time));
      if (start > latest) return false;
      for (const throttle of [bucket, rate]) throttle.onStart(start);
      if (start > time) await sleep(start - time);
      return true;
    },
    onResult(status, started) {
      if (status === undefined) return;
      if (status === 429) rate.uncount(started);
      if (status !== 429 && status !== 503) {
        adaptive.increase();
        rate.onAccepted(now());
      } else if (started >= adaptedAt) {
        // Requests in flight at the same time are throttled at the same time, and count as one refusal.
        adaptedAt = rate.earliestStart(now());
        adaptive.decrease();
        if (status === 429) rate.onRefused(now());
      }
      limit.concurrency = adaptive.current();
    },
  };
}

/** Decides when the next request may start. Times in milliseconds of a monotonic clock. */
export interface Throttle {
  /** Returns the earliest start, not before `time`. */
  earliestStart(time: number): number;
  /** Records the start of a request. */
  onStart(start: number): void;
}

/** One second plus 5 %, because requests may arrive closer together than they were sent, and the service must not see more per second. */
export const SECOND_MS = 1_050;

/**
 * Creates a token bucket with one token for each request that may start within one second. It is full at first, so that a burst is allowed.
 * A token returns one second after it was taken, and the tokens of a burst return one after the other. So no second has more than
 * `perSecond` requests, and the requests after a burst are evenly spaced. `perSecond` 0 = no limit.
 */
export function tokenBucket(perSecond: number): Throttle {
  if (perSecond <= 0) return { earliestStart: (time) => time, onStart: () => {} };
  const capacity = Math.max(1, Math.floor(perSecond));
  const periodMs = perSecond < 1 ? SECOND_MS / perSecond : SECOND_MS;
  const backAt: number[] = [];
  let oldest = 0;
  let lastBackAt = 0;
  return {
    earliestStart: (time) => Math.max(time, backAt[oldest] ?? 0),
    onStart(start) {
      lastBackAt = Math.max(start + periodMs, lastBackAt + periodMs / capacity);
      backAt[oldest] = lastBackAt;
      oldest = (oldest + 1) % capacity;
    },
  };
}

/** A rate derived from the refusals of the service. */
export interface AdaptiveRate extends Throttle {
  /** Records at `time` that a request was not throttled. */
  onAccepted(time: number): void;
  /** Removes the request that started at that time: the service does not count requests that it refuses. */
  uncount(start: number): void;
  /** Records at `time` that a request was throttled, which increases the gap between requests. */
  onRefused(time: number): void;
}

const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 2_000;
/**
 * Growth of the reduction of the gap with each further success: 5 % within the first 100, half within 370. So it backs off fast, and
 * recovers slowly at first and then faster.
 */
const RECOVERY = 0.00001;

/**
 * Creates a rate without limit until the first refusal. Each refusal increases the gap between two requests by half, but not beyond the gap
 * at which the rate equals the number of requests accepted in the last second. Each success shortens the gap, slowly at first and then
 * faster. No second has more requests than these gaps allow, so that after a burst the next request waits until the burst is a second old.
 */
export function adaptiveRate(): AdaptiveRate {
  const accepted: number[] = [];
  const starts: number[] = [];
  let gapMs = 0;
  let nextAt = 0;
  let successes = 0;
  return {
    earliestStart: (time) => Math.max(time, nextAt, windowFreeAt()),
    onStart(start) {
      nextAt = start + gapMs;
      starts.push(start);
      dropBefore(starts, start - SECOND_MS);
    },
    onAccepted(time) {
      successes++;
      gapMs = gapMs > 1 ? gapMs * (1 - Math.min(0.02, RECOVERY * successes)) : 0;
      accepted.push(time);
      dropBefore(accepted, time - SECOND_MS);
    },
    uncount(start) {
      const index = starts.indexOf(start);
      if (index >= 0) starts.splice(index, 1);
    },
    onRefused(time) {
      dropBefore(accepted, time - SECOND_MS);
      successes = 0;
      const longest = Math.max(SECOND_MS / accepted.length, gapMs * 1.05);
      gapMs = Math.min(Math.max(gapMs * 1.5, FIRST_GAP_MS), longest, LONGEST_GAP_MS);
      nextAt = Math.max(nextAt, time + gapMs);
    },
  };

  /** Returns when one more request fits into the last second. */
  function windowFreeAt(): number {
    // Without a gap, it is infinite.
    const maximum = Math.max(1, Math.floor(SECOND_MS / gapMs));
    const first = starts[starts.length - maximum];
    return first === undefined ? 0 : first + SECOND_MS;
  }
}

function dropBefore(times: number[], time: number): void {
  while ((times[0] ?? time) < time) times.shift();
}
