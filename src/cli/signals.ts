/** Ctrl-C and SIGTERM: the first asks the run to end gracefully, the second ends the process at once. */

/** Returns a signal that is aborted by the first SIGINT or SIGTERM. Calls `exitNow` for the second, which must end the process. */
export function interruptSignal(exitNow: () => never): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) exitNow();
      interrupt.abort();
    });
  }
  return interrupt.signal;
}
