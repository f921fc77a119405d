/** The maximum delay of a Node timer, in milliseconds; a longer one would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates a clock of the milliseconds from now on, which never goes back. It advances with `steady`, which nobody can set, or with the
 * system clock `now` where that advances more: `steady` may stand still while the machine sleeps.
 */
export function monotonicClock(now: () => number, steady: () => number = () => 0): () => number {
  let latest = { now: now(), steady: steady() };
  let elapsed = 0;
  return () => {
    const time = { now: now(), steady: steady() };
    elapsed += Math.max(0, time.now - latest.now, time.steady - latest.steady);
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
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
