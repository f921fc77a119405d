/** The longest time that a timer of Node takes, milliseconds; a longer one would go off at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A clock that never goes back, in milliseconds from now on: whoever sets the machine's clock back makes nobody wait for the old time to return. */
export function monotonicClock(now: () => number): () => number {
  let latest = now();
  let elapsed = 0;
  return () => {
    const time = now();
    elapsed += Math.max(0, time - latest);
    latest = time;
    return elapsed;
  };
}

/** Waits `ms` milliseconds, or until the signal stops the run. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}
