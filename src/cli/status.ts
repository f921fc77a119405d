import type { Io } from './io.ts';

/** A line on stderr that is rewritten in place; only on a terminal, and only once a run has taken over a second. */
export interface Status {
  say(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** Before this a run is quick enough to need no line, milliseconds. */
const PATIENCE = 1000;

/** Shortest time between two lines, milliseconds. */
const PACE = 100;

/** The line of one run. */
export function createStatus(io: Io, quiet: boolean): Status {
  const began = io.now();
  let last = 0;
  let shown = false;
  const enabled = io.terminal.stderr && !quiet;
  return {
    say(text) {
      const now = io.now();
      if (!enabled || now - began < PATIENCE || now - last < PACE) return;
      last = now;
      shown = true;
      io.stderr.write(`\r\u001b[2K${text.slice(0, Math.max(20, io.terminal.columns - 1))}`);
    },
    clear() {
      if (shown) io.stderr.write('\r\u001b[2K');
      shown = false;
    },
  };
}
