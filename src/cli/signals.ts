/** Ctrl-C, Ctrl-\\, SIGTERM and a closed terminal: the first asks the run to end gracefully, a later one ends the process at once. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Signals within this time of the first are the same request, milliseconds: `timeout` sends one to the process and one to its group. */
export const SAME_REQUEST_MS = 1_000;

/** Where signals come from: the process. */
interface SignalSource {
  on(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
}

/**
 * Returns a signal that is aborted by the first of these signals. Calls `exitNow`, which ends the process, for one that comes
 * more than a second later. `elapsed` returns milliseconds of a clock that never goes back.
 */
export function interruptSignal(exitNow: () => void, elapsed: () => number, source: SignalSource = process): AbortSignal {
  const interrupt = new AbortController();
  let firstAt = 0;
  for (const signal of SIGNALS) {
    source.on(signal, () => {
      if (!interrupt.signal.aborted) {
        firstAt = elapsed();
        interrupt.abort();
      } else if (elapsed() - firstAt > SAME_REQUEST_MS) exitNow();
    });
  }
  return interrupt.signal;
}
