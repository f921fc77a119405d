/** The outside world as `main` sees it, handed in so that tests run whole roads in process. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** The standard input, for the question of `apply`. */
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly env: { readonly [name: string]: string | undefined };
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Unix milliseconds. */
  now(): number;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean; readonly columns: number };
}

/** Something that takes text. */
export interface Sink {
  write(text: string): unknown;
}

/** Resolves when the user interrupts. */
export function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
