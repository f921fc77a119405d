import { setImmediate as nextTurn } from 'node:timers/promises';

/** When the last of those that wait may go on: one thing for the whole process, as the event loop is. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop. Of several that wait, one goes on in each turn: between the long computations of two targets
 * answers are received, requests are sent and locks are looked at.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
