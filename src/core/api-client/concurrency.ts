/** Limits how many tasks run at a time, in the order in which they come. */
export { default as limitConcurrency } from 'p-limit';

/** The limit of concurrent requests: additive increase, multiplicative decrease (AIMD). */
export interface AdaptiveConcurrency {
  /** A whole number from 1. */
  current(): number;
  /** Records a request that the service accepted. */
  increase(): void;
  /** Records that the service is overloaded. */
  decrease(): void;
}

/**
 * Creates a limit that starts at `maximum`, halves where the service is overloaded, and grows by one after as many accepted requests as the
 * limit.
 */
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
