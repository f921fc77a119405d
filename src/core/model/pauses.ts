/** Growing pauses between reads, and the budget of a run for waiting until reads show what was written. */

const MIN_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

/**
 * Returns the next delay: about as long as all before it, from 0.2 to 5 s, and at least `askedMs` (Retry-After); null where it would exceed
 * `giveUpMs`. All in milliseconds.
 */
export function nextDelay(waitedMs: number, giveUpMs: number, askedMs = 0): number | null {
  const remainingMs = giveUpMs - waitedMs;
  const pauseMs = Math.max(askedMs, Math.min(waitedMs + MIN_DELAY_MS, MAX_DELAY_MS, remainingMs));
  return remainingMs > 0 && pauseMs <= remainingMs ? pauseMs : null;
}

/** Waits until reads show what was written (design section 4, rule 15). All waits of a run share one budget, also those at the same time. */
export interface Settling {
  /** The whole budget, milliseconds: reads show what was written at least so long ago. */
  readonly budgetMs: number;
  /** Calls `look`, at least once, until what it returns is settled, or the budget ends. Returns what it returned last. */
  settle<Value>(look: () => Promise<Value>, isSettled: (value: Value) => boolean): Promise<Value>;
}

/** The clock of a `Settling`: `elapsed` never goes back, and `sleep` may end early where the run does. Both in milliseconds. */
interface Clock {
  readonly elapsed: () => number;
  sleep(ms: number): Promise<void>;
}

/** Creates the waits of one run, which take at most `budgetMs` together. */
export function createSettling(budgetMs: number, { elapsed, sleep }: Clock): Settling {
  let leftMs = budgetMs;
  // Until then, time is taken from the budget already: who waits meanwhile waits without taking more.
  let takenUntil = Number.NEGATIVE_INFINITY;
  const pause = async (ms: number): Promise<boolean> => {
    const now = elapsed();
    const from = Math.max(now, takenUntil);
    const more = Math.min(Math.max(0, now + ms - from), leftMs);
    leftMs -= more;
    if (more > 0) takenUntil = from + more;
    const granted = Math.min(ms, takenUntil - now);
    if (granted <= 0) return false;
    await sleep(granted);
    return true;
  };
  return {
    budgetMs,
    async settle(look, isSettled) {
      for (let waitedMs = 0; ; ) {
        const value = await look();
        const next = nextDelay(waitedMs, Number.POSITIVE_INFINITY) ?? 0;
        if (isSettled(value) || !(await pause(next))) return value;
        waitedMs += next;
      }
    },
  };
}
