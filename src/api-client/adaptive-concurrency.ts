/** How many requests may run at once: additive increase, multiplicative decrease (AIMD). */
export interface AdaptiveConcurrency {
  /** A whole number from 1. */
  current(): number;
  /** Counts a request that the service took. */
  increase(): void;
  /** Notes that the service has too much to do. */
  decrease(): void;
}

/** Starts at `maximum`; halves where the service has too much to do, and adds one after as many accepted requests as may run at once. */
export function adaptiveConcurrency(maximum: number): AdaptiveConcurrency {
  let limit = maximum;
  let accepted = 0;
  return {
    current: () => limit,
    increase() {
      if (limit === maximum || ++accepted < limit) return;
      limit++;
      accepted = 0;
    },
    decrease() {
      limit = Math.max(1, Math.floor(limit / 2));
      accepted = 0;
    },
  };
}
