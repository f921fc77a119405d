import pLimit from 'p-limit';
import { tokenBucket } from './bucket.ts';
import { learntPace } from './pace.ts';
import { spreading } from './spread.ts';
import { adaptiveWidth } from './width.ts';

/** How fast and how wide the service may be asked (`http` in upkeep.yaml, design section 3), and how fast and wide it bears. */
export interface Limiter {
  /** Runs the task when no more than allowed and bearable are running; first come, first served. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Waits until one more request may start. */
  turn(): Promise<void>;
  /** Told what a request came to that started then: its HTTP status, undefined without an answer. 429 and 503 make all go narrower, 429 also slower. */
  heed(status: number | undefined, started: number): void;
}

/** What a limiter needs; `concurrency` is a whole number from 1, `requestsPerSecond` 0 = unlimited, `now` in milliseconds of a clock that never goes back. */
export interface LimiterOptions {
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export function createLimiter({ concurrency, requestsPerSecond, now, sleep }: LimiterOptions): Limiter {
  const limit = pLimit(concurrency);
  const width = adaptiveWidth(concurrency);
  const bucket = tokenBucket(requestsPerSecond);
  const pace = learntPace();
  const spread = spreading(concurrency);
  let learntAt = 0;
  return {
    run: (task) => limit(task),
    async turn() {
      const time = now();
      const start = spread.earliest(pace.earliest(bucket.earliest(time)));
      for (const brake of [bucket, pace, spread]) brake.took(start);
      if (start > time) await sleep(start - time);
    },
    heed(status, started) {
      if (status === undefined) return;
      spread.answered(now() - started);
      if (status === 429) pace.uncount(started);
      if (status !== 429 && status !== 503) {
        width.grow();
        pace.bore(now());
      } else if (started >= learntAt) {
        // Requests that were under way or in line together are refused together, and teach one lesson.
        learntAt = pace.earliest(now());
        width.halve();
        if (status === 429) pace.refused(now());
      }
      limit.concurrency = width.now();
    },
  };
}
