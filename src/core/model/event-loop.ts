import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves when the last waiting task may continue. One for the process, because there is one event loop. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop. Of several waiting tasks one continues in each turn, so that between the long computations of
 * two targets responses are received, requests are sent and locks are checked.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
