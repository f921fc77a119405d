/** The outside world of a command in memory: what was written stands in `out` and `err`. */

import { CliError } from '../../src/app/run/exit-codes.ts';
import { createSecrets } from '../../src/app/run/secrets.ts';
import { type CliContext, createStatus, withStatusLine } from '../../src/cli/status-line.ts';

export interface FakeIo extends CliContext {
  out(): string;
  err(): string;
  /** Everything written, in order, stderr's parts marked. */
  all(): readonly string[];
}

/** No terminal, an empty environment and an empty input, unless told otherwise. */
export function fakeIo(more: Partial<CliContext> = {}): FakeIo {
  const written: { readonly stream: 'out' | 'err'; readonly text: string }[] = [];
  const sink = (stream: 'out' | 'err') => ({ write: (text: string) => written.push({ stream, text }) });
  const of = (stream: 'out' | 'err') => written.flatMap((each) => (each.stream === stream ? [each.text] : [])).join('');
  const world = { stdout: sink('out'), stderr: sink('err'), env: {}, terminal: NO_TERMINAL, ...more };
  const streams = withStatusLine(world);
  const now = more.now ?? (() => 0);
  return {
    stdin: input(),
    cwd: '/',
    now,
    elapsed: now,
    signal: new AbortController().signal,
    argv: ['plan'],
    runId: 'run',
    onUnhandledError: () => undefined,
    secrets: createSecrets(),
    ...more,
    ...world,
    ...streams,
    startStatus: (quiet) => createStatus({ ...streams, now }, quiet),
    out: () => of('out'),
    err: () => of('err'),
    all: () => written.map(({ stream, text }) => (stream === 'err' ? `! ${text}` : text)),
  };
}

const NO_TERMINAL = { stdin: false, stdout: false, stderr: false, columns: 80 };

/** All three streams on a terminal. */
export const TERMINAL = { stdin: true, stdout: true, stderr: true, columns: 80 };

/** An input that gives these chunks and ends. */
export async function* input(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}

/** An input on which nobody ever types. */
export async function* silentInput(): AsyncGenerator<string> {
  await new Promise(() => {});
  yield '';
}

/** How work that cannot be done stops. */
export function thrownCliError(work: () => unknown): CliError {
  try {
    work();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
