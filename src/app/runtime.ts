import type { Secrets } from './secrets.ts';

/** The outside world, handed to `main` so that tests run whole roads in process. */
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
  /** Has this called with every error from now on that nobody awaits or catches. */
  onUnhandledError(handle: (error: unknown) => void): void;
}

/** The outside world as the commands see it: what they write to stderr has the secrets hidden in it, and takes the `line` away first. `argv` is what the program was called with. */
export interface CliContext extends Runtime {
  readonly argv: readonly string[];
  readonly secrets: Secrets;
  readonly line: StatusLine;
}

/** The last line of the terminal, on stderr, which is rewritten in place. */
export interface StatusLine {
  /** Whether there is such a line: stderr is a terminal that can move back. */
  readonly isThere: boolean;
  /** Draws the line anew, unless a question stands in it. */
  draw(text: string): void;
  erase(): void;
  /** Writes a question, behind which the answer is typed. Whatever else is written before that gets a line of its own. */
  ask(text: string): void;
  /** Notes that the user has answered, and with that ended the line. */
  answered(): void;
  /** Ends the line of a question that nobody has answered. */
  abandon(): void;
}

/** Something that takes text. */
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
