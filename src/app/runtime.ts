import type { Secrets } from './secrets.ts';

/** The process environment, passed to `main` so that tests run whole commands in process. */
export interface Runtime {
  readonly stdout: TextWriter;
  readonly stderr: TextWriter;
  /** The standard input, for the question of `apply`. */
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly env: { readonly [name: string]: string | undefined };
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Unix milliseconds. */
  now(): number;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Which streams are a terminal, and how many columns it has now. */
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean; readonly columns: number };
  /** Registers a handler for unhandled rejections and uncaught exceptions. */
  onUnhandledError(handle: (error: unknown) => void): void;
}

/**
 * The runtime as commands see it: output to stderr is redacted and removes the status `line` first. `argv` are the arguments of the
 * program.
 */
export interface CliContext extends Runtime {
  readonly argv: readonly string[];
  readonly secrets: Secrets;
  readonly line: StatusLine;
}

/** The last line of the terminal, on stderr, which is rewritten in place. */
export interface StatusLine {
  /** Whether there is such a line: stderr is a terminal that can move back. */
  readonly isThere: boolean;
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

/** A sink for text. */
export interface TextWriter {
  write(text: string): unknown;
}

/** Resolves when the user interrupts. */
export function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
