/** The program: the process's streams, environment and signals, handed to `main`. */
import { isatty } from 'node:tty';
import { codeOf, EXIT_CODES, type ExitCode, highestPrecedence } from '../app/exit-codes.ts';
import { ERASE } from '../app/status-line.ts';
import { main } from './main.ts';

/** Until `main` gives another one: a run that breaks off, because what it waited for is gone, is an error. */
let exit: ExitCode = EXIT_CODES.error;

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second time the user means at once; what stood in the status line does not stay behind.
    if (interrupt.signal.aborted) {
      if (process.stderr.isTTY && process.env.TERM !== 'dumb') process.stderr.write(ERASE);
      exit = EXIT_CODES.interrupted;
      process.exit();
    }
    interrupt.abort();
  });
}

let unsaid = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    // A reader that went away (`| head`) must not stop an apply half way; a full disk is a report that was lost.
    unsaid ||= codeOf(error) !== 'EPIPE';
  });
}

process.on('exit', () => {
  process.exitCode = unsaid ? highestPrecedence([exit, EXIT_CODES.error]) : exit;
});

let asked = false;
/** The standard input, opened when somebody waits for an answer: most commands never ask. */
const stdin = {
  [Symbol.asyncIterator]() {
    asked = true;
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
  signal: interrupt.signal,
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
  // A question that was interrupted still waits for its line, and would keep the process alive.
  if (asked) process.stdin.destroy();
});
