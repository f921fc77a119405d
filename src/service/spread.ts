import type { Brake } from './bucket.ts';

/** Lets requests leave one after another, instead of together. */
export interface Spread extends Brake {
  /** An answer took so many milliseconds. */
  answered(tookMs: number): void;
}

/** No timer holds less. */
const SHORTEST_GAP_MS = 1;
/** Either side is done with one request long before; and after an answer that took seconds the next flight must not wait for seconds. */
const LONGEST_GAP_MS = 5;

/**
 * Requests that leave together come back together, wait for each other at both ends, and leave together again, ever after. So they keep half
 * the distance that `width` requests would have if they were spread evenly over the time of an answer: a flight once spread stays so, and none waits.
 */
export function spreading(width: number): Spread {
  let gapMs = 0;
  let nextAt = 0;
  return {
    earliest: (time) => Math.max(time, nextAt),
    took(start) {
      nextAt = start + gapMs;
    },
    answered(tookMs) {
      const half = tookMs / width / 2;
      gapMs = half < SHORTEST_GAP_MS ? 0 : Math.min(half, LONGEST_GAP_MS);
    },
  };
}
