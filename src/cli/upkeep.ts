/** The program: passes the process's streams, environment and signals to `main`. */

import { isatty } from 'node:tty';
import { codeOf } from '../app/run/exit-codes.ts';
import { monotonicClock } from '../core/api-client/monotonic.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../core/model/exit-codes.ts';
import { main } from './main.ts';
import { interruptSignal } from './signals.ts';
import { ERASE } from './status-line.ts';

/** The exit code until `main` returns: a run whose event loop ends early is an error. */
let exit: ExitCode = EXIT_CODES.error;

/** What is said where the process ends at once. */
const lastSentences = new Set<() => string | null>();

const signal = interruptSignal(
  () => {
    if (process.stderr.isTTY && process.env.TERM !== 'dumb') process.stderr.write(ERASE);
    for (const sentence of lastSentences) {
      const text = sentence();
      if (text !== null) process.stderr.write(`note: ${text}\n`);
    }
    exit = EXIT_CODES.interrupted;
    process.exit();
  },
  () => performance.now(),
);

let outputFailed = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    // A closed reader (`| head`) must not stop an apply half way; a full disk means a lost report.
    if (codeOf(error) === 'EPIPE' || outputFailed) return;
    outputFailed = true;
    if (stream === process.stdout)
      process.stderr.write(`error: the standard output cannot be written (${codeOf(error)}), so what it should hold is not complete\n`);
  });
}

process.on('exit', () => {
  process.exitCode = outputFailed ? highestPrecedence([exit, EXIT_CODES.error]) : exit;
});

let isStdinOpen = false;
/** The standard input, opened when somebody waits for an answer: most commands never ask. */
const stdin = {
  [Symbol.asyncIterator]() {
    isStdinOpen = true;
    return process.stdin[Symbol.asyncIterator]();
  },
};

void main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin,
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  elapsed: monotonicClock(Date.now, () => performance.now()),
  signal,
  onImmediateExit(sentence) {
    lastSentences.add(sentence);
    return () => void lastSentences.delete(sentence);
  },
  onUnhandledError(handle) {
    process.on('unhandledRejection', handle).on('uncaughtException', handle);
  },
  terminal: {
    stdin: isatty(0),
    stdout: process.stdout.isTTY === true,
    stderr: process.stderr.isTTY === true,
    get columns() {
      return process.stdout.columns || process.stderr.columns || 80;
    },
  },
}).then((code) => {
  exit = code;
  // An interrupted prompt still reads a line, which would keep the process alive.
  if (isStdinOpen) process.stdin.destroy();
});
