/** The status line: the last line of the terminal, on stderr, which is rewritten in place. */
import type { AppContext, Runtime, Status, StatusText, TextWriter } from '../app/run/runtime.ts';
import { visible } from '../report/escape.ts';
import { clip, cut } from '../report/text/layout.ts';

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

/** Delay before the status appears, and interval at which it is refreshed, milliseconds. */
const TERMINAL_MS = { delay: 1_000, refresh: 1_000, shortest: 100 };

/** The same where each text is one more line: in the log of a CI job, a pipe or a file. */
export const STREAM_MS = { delay: 10_000, refresh: 10_000, shortest: 10_000 };

/** Maximum length of a line that is written at once, characters. */
const MAX_LINE_LENGTH = 500;

/**
 * Creates the status of a run: the last line of a terminal, and lines at long intervals elsewhere. Nothing is shown at first, and never if
 * `quiet`.
 */
export function createStatus(io: Pick<CliContext, 'line' | 'now' | 'stderr'>, quiet: boolean): Status {
  const interval = io.line.isAvailable ? TERMINAL_MS : STREAM_MS;
  const show = (text: string): unknown =>
    io.line.isAvailable ? io.line.draw(text) : io.stderr.write(`${cut(visible(text), MAX_LINE_LENGTH)}\n`);
  const startedAt = io.now();
  let statusText: StatusText | null = null;
  let lastEvent = '';
  let drawnAt = startedAt + interval.delay - interval.shortest;
  let refresh: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const now = io.now();
    if (quiet || now - drawnAt < interval.shortest) return;
    drawnAt = now;
    show(statusText ? statusText(now, lastEvent) : lastEvent);
  };
  const start = (): void => {
    if (!quiet) refresh ??= setInterval(draw, interval.refresh).unref();
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
    line(text) {
      if (quiet || io.line.isAvailable) return;
      drawnAt = io.now();
      show(text);
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
