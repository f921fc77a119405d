/** The maximum delay of a Node timer, in milliseconds; a longer one would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Creates a monotonic clock, in milliseconds from now on, so that setting back the system clock does not prolong any wait. */
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

/** Waits `ms` milliseconds, or until the signal is aborted. */
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
