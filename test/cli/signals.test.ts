/** What ends a run in order, and what ends it at once. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { interruptSignal, SAME_REQUEST_MS } from '../../src/cli/signals.ts';

/** Sends signals at given milliseconds. Returns how often the run was ended at once, and whether it was asked to end. */
function send(...signals: readonly (readonly [signal: string, at: number])[]) {
  const source = new EventEmitter();
  let [now, exits] = [0, 0];
  const count = () => {
    exits += 1;
  };
  const interrupt = interruptSignal(count, () => now, source);
  for (const [signal, at] of signals) {
    now = at;
    source.emit(signal);
  }
  return { asked: interrupt.aborted, exits };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])('the first %s asks the run to end', (signal) => {
  expect(send([signal, 7])).toEqual({ asked: true, exits: 0 });
});

test('signals within a second of the first are one request, also of another kind', () => {
  expect(send()).toEqual({ asked: false, exits: 0 });
  expect(send(['SIGTERM', 5], ['SIGTERM', 7], ['SIGHUP', 5 + SAME_REQUEST_MS])).toEqual({ asked: true, exits: 0 });
});

test('a signal more than a second after the first ends the run at once', () => {
  expect(send(['SIGINT', 5], ['SIGINT', 9], ['SIGTERM', 6 + SAME_REQUEST_MS])).toEqual({ asked: true, exits: 1 });
});
