import type { CliContext } from './runtime.ts';

/** The status of a run in the last line of the terminal; shown only after one second, and never with `--quiet`. */
export interface Status {
  /** Shows this status line and refreshes it. `line` receives the time (Unix milliseconds) and the last text passed to `say`. */
  show(line: Work): void;
  /** Sets the text of the last event. */
  say(text: string): void;
  /** Removes the status line. */
  clear(): void;
}

/** Formats the status line of a piece of work. */
export type Work = (now: number, last: string) => string;

/** Delay before the status line appears, milliseconds. */
const DELAY = 1000;

/** Minimum time between two updates, milliseconds. */
const PACE = 100;

/** Refresh interval, milliseconds: the elapsed seconds advance while a request is pending. */
const BEAT = 1000;

/** Creates the status display of one run. */
export function createStatus(io: Pick<CliContext, 'line' | 'now'>, quiet: boolean): Status {
  const enabled = io.line.isThere && !quiet;
  const began = io.now();
  let work: Work | null = null;
  let last = '';
  let drawn = 0;
  let beat: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const now = io.now();
    if (!enabled || now - began < DELAY || now - drawn < PACE) return;
    drawn = now;
    io.line.draw(work ? work(now, last) : last);
  };
  const begin = (): void => {
    if (enabled) beat ??= setInterval(draw, BEAT).unref();
    draw();
  };
  return {
    show(line) {
      work = line;
      begin();
    },
    say(text) {
      last = text;
      begin();
    },
    clear() {
      clearInterval(beat);
      beat = undefined;
      work = null;
      last = '';
      io.line.erase();
    },
  };
}
