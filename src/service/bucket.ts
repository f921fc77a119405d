/** Says when the next request may start, and is told when it does. Times in milliseconds of a clock that never goes back. */
export interface Brake {
  /** The earliest start, not before `time`. */
  earliest(time: number): number;
  took(start: number): void;
}

/** Requests arrive closer together than they left: the second is measured 5 % longer than it is, so that the service sees no fuller one. */
const SECOND_MS = 1_050;

/**
 * A bucket of as many tokens as requests may start within one second. It is full at first, so that a burst goes through; a token
 * comes back a second after it was taken, and the tokens of a burst one after the other: no second ever sees more than
 * `perSecond`, and what follows a burst is evenly spread. `perSecond` 0 = no limit.
 */
export function tokenBucket(perSecond: number): Brake {
  if (perSecond <= 0) return { earliest: (time) => time, took: () => {} };
  const capacity = Math.max(1, Math.floor(perSecond));
  const periodMs = perSecond < 1 ? SECOND_MS / perSecond : SECOND_MS;
  const backAt = new Array<number>(capacity).fill(0);
  let oldest = 0;
  let lastBackAt = 0;
  return {
    earliest: (time) => Math.max(time, backAt[oldest] ?? 0),
    took(start) {
      lastBackAt = Math.max(start + periodMs, lastBackAt + periodMs / capacity);
      backAt[oldest] = lastBackAt;
      oldest = (oldest + 1) % capacity;
    },
  };
}
