import type { CliContext } from './runtime.ts';

/** What a run is doing, in the last line of the terminal; only once it has taken over a second, and never with `--quiet`. */
export interface Status {
  /** Shows this work from now on, and as time goes by. `line` is given the time (Unix milliseconds) and what was said last. */
  show(line: Work): void;
  /** Notes what happened last. */
  say(text: string): void;
  /** Ends what was shown. */
  clear(): void;
}

/** What the line says of a work. */
export type Work = (now: number, last: string) => string;

/** Before this a run is quick enough to need no line, milliseconds. */
const PATIENCE = 1000;

/** Shortest time between two lines, milliseconds. */
const PACE = 100;

/** Longest time for which a line stands still, milliseconds: seconds count while a request is waited for. */
const BEAT = 1000;

/** The line of one run. */
export function createStatus(io: Pick<CliContext, 'line' | 'now'>, quiet: boolean): Status {
  const enabled = io.line.isThere && !quiet;
  const began = io.now();
  let work: Work | null = null;
  let last = '';
  let drawn = 0;
  let beat: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const now = io.now();
    if (!enabled || now - began < PATIENCE || now - drawn < PACE) return;
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
