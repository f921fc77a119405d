/** The program: the process's streams, environment and signals, handed to `main`. */
import { main } from './main.ts';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second time the user means at once.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
}
// A reader that went away (`| head`) is no fault of ours.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  signal: interrupt.signal,
  terminal: {
    stdin: process.stdin.isTTY === true,
    stdout: process.stdout.isTTY === true,
    stderr: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? process.stderr.columns ?? 80,
  },
});
