/** The status line: the last line of the terminal, on stderr, which is rewritten in place. */
import type { AppContext, Runtime, Status, StatusText, TextWriter } from '../app/runtime.ts';
import { visible } from '../report/escape.ts';
import { clip } from '../report/text/layout.ts';

/** The last line of the terminal. */
export interface StatusLine {
  /** Whether there is such a line: stderr is a terminal that can move back. */
  readonly isAvailable: boolean;
  /** Redraws the line, unless a prompt is shown. */
  draw(text: string): void;
  erase(): void;
  /** Writes a prompt, after which the answer is typed. Other output before the answer starts on a new line. */
  ask(text: string): void;
  /** Marks the prompt as answered; the user's Enter ended the line. */
  answered(): void;
  /** Ends the line of an unanswered prompt. */
  abandon(): void;
}

/** The context of the commands: that of the use cases, and the status line, which other output to the terminal removes first. */
export interface CliContext extends AppContext {
  readonly line: StatusLine;
}

/** Minimum width, columns: a terminal that reports less reports a wrong width. */
const MIN_WIDTH = 20;

/** Moves to the first column and clears the line (ECMA-48: CR, EL 2). */
export const ERASE = '\r\u001b[2K';

/** Wraps the streams with a status line below them: other output to the terminal first clears the line, or ends the line of a prompt. */
export function withStatusLine({
  stdout,
  stderr,
  terminal,
  env,
}: Pick<Runtime, 'stdout' | 'stderr' | 'terminal' | 'env'>): Pick<Runtime, 'stdout' | 'stderr'> & { readonly line: StatusLine } {
  const isThere = terminal.stderr && env.TERM !== 'dumb';
  let isDrawn = false;
  let isAsked = false;
  const erase = (): void => {
    if (isDrawn) stderr.write(ERASE);
    isDrawn = false;
  };
  const abandon = (): void => {
    if (isAsked) stderr.write('\n');
    isAsked = false;
  };
  const erasingFirst = (sink: TextWriter): TextWriter => ({
    write(text) {
      erase();
      abandon();
      return sink.write(text);
    },
  });
  const line: StatusLine = {
    isAvailable: isThere,
    draw(text) {
      if (!isThere || isAsked) return;
      isDrawn = true;
      stderr.write(ERASE + clip(visible(text), Math.max(MIN_WIDTH, terminal.columns - 1)));
    },
    erase,
    ask(text) {
      erase();
      abandon();
      stderr.write(text);
      isAsked = true;
    },
    answered() {
      isAsked = false;
    },
    abandon,
  };
  return { stdout: terminal.stdout ? erasingFirst(stdout) : stdout, stderr: erasingFirst(stderr), line };
}

/** Delay before the status appears, milliseconds. */
const DELAY_MS = 1000;

/** Minimum time between two updates, milliseconds. */
const MIN_INTERVAL_MS = 100;

/** Refresh interval, milliseconds: the elapsed seconds advance while a request is pending. */
const REFRESH_INTERVAL_MS = 1000;

/** Creates the status of a run; it is shown only after one second, and never if `quiet`. */
export function createStatus(io: Pick<CliContext, 'line' | 'now'>, quiet: boolean): Status {
  const enabled = io.line.isAvailable && !quiet;
  const startedAt = io.now();
  let statusText: StatusText | null = null;
  let lastEvent = '';
  let drawnAt = 0;
  let refresh: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const now = io.now();
    if (!enabled || now - startedAt < DELAY_MS || now - drawnAt < MIN_INTERVAL_MS) return;
    drawnAt = now;
    io.line.draw(statusText ? statusText(now, lastEvent) : lastEvent);
  };
  const start = (): void => {
    if (enabled) refresh ??= setInterval(draw, REFRESH_INTERVAL_MS).unref();
    draw();
  };
  return {
    show(text) {
      statusText = text;
      start();
    },
    say(text) {
      lastEvent = text;
      start();
    },
    clear() {
      clearInterval(refresh);
      refresh = undefined;
      statusText = null;
      lastEvent = '';
      io.line.erase();
    },
  };
}
