import { visible } from '../report/escape.ts';
import type { Io } from './io.ts';

/** A line on stderr that is rewritten in place; only on a terminal, and only once a run has taken over a second. */
export interface Status {
  say(text: string): void;
  /** Removes the line, before anything else is written. */
  clear(): void;
}

/** Before this a run is quick enough to need no line, milliseconds. */
const PATIENCE = 1000;

/** Shortest time between two lines, milliseconds. */
const PACE = 100;

/** Back to the first column, and the line emptied (ECMA-48: CR, EL 2). */
const ERASE = '\r\u001b[2K';

/** The line of one run. */
export function createStatus(io: Io, quiet: boolean): Status {
  const enabled = io.terminal.stderr && io.env.TERM !== 'dumb' && !quiet;
  const began = io.now();
  let last = 0;
  let shown = false;
  return {
    say(text) {
      const now = io.now();
      if (!enabled || now - began < PATIENCE || now - last < PACE) return;
      last = now;
      shown = true;
      io.stderr.write(ERASE + visible(text).slice(0, Math.max(20, io.terminal.columns - 1)));
    },
    clear() {
      if (shown) io.stderr.write(ERASE);
      shown = false;
    },
  };
}
