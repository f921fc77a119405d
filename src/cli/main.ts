import { type CliError, EXIT_CODES, type ExitCode, failureOf, highestPrecedence, toCliError } from '../app/exit-codes.ts';
import { reportOriginOf } from '../app/report-origin.ts';
import type { CliContext, Runtime } from '../app/runtime.ts';
import { createSecrets } from '../app/secrets.ts';
import { withStatusLine } from '../app/status-line.ts';
import { handledByTarget } from '../app/unhandled-errors.ts';
import { VERSION } from '../app/version.ts';
import { type Action, CommanderError, commandLine } from './command-line.ts';
import { usageError, wantsJson } from './usage.ts';

/** The program as a function: arguments (without node and script) in, exit code out. It never throws, and never shows a stack trace. */
export async function main(argv: readonly string[], world: Runtime): Promise<ExitCode> {
  const stop = new AbortController();
  const io = discreet(argv, { ...world, signal: AbortSignal.any([world.signal, stop.signal]) });
  world.onUnhandledError((error) => {
    if (handledByTarget(error)) return;
    stop.abort();
    void complainOf(error, io);
  });
  const exit = await run(argv, io);
  if (!stop.signal.aborted) return exit;
  // What an unhandled error has stopped was not interrupted by the user.
  return highestPrecedence([EXIT_CODES.error, exit === EXIT_CODES.interrupted && !world.signal.aborted ? EXIT_CODES.error : exit]);
}

async function run(argv: readonly string[], io: CliContext): Promise<ExitCode> {
  try {
    const action = parse(argv, io);
    return action === null ? EXIT_CODES.done : await action(io);
  } catch (error) {
    if (error instanceof CommanderError) return EXIT_CODES.invalid;
    return await explain(error, wantsJson(argv), io);
  }
}

/** Says on stderr what went wrong; how to say it is loaded only now. */
async function complainOf(error: unknown, io: CliContext): Promise<CliError> {
  const { reportError: complain } = await import('../app/output.ts');
  const stop = toCliError(error);
  complain(io, stop.message, stop.hint);
  return stop;
}

/** The same world, in which stderr is told no secret that is known by then, and the status line makes way for everything else. */
function discreet(argv: readonly string[], world: Runtime): CliContext {
  const secrets = createSecrets();
  const stderr = { write: (text: string) => world.stderr.write(secrets.hidden(text)) };
  return { ...world, argv, secrets, ...withStatusLine({ ...world, stderr }) };
}

/** The action that the arguments ask for; null where they asked for help or the version, which is printed. @throws Stop for wrong usage, CommanderError where help was shown for want of a command */
function parse(argv: readonly string[], io: CliContext): Action | null {
  let action: Action | null = null;
  const program = commandLine(VERSION, (chosen) => {
    action = chosen;
  });
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride((error) => {
        throw error.code === 'commander.help' || error.exitCode === 0 ? error : usageError(error.message, command.name());
      })
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text),
        outputError: () => undefined,
        getOutHelpWidth: () => io.terminal.columns,
        getErrHelpWidth: () => io.terminal.columns,
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      });
  }
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
  return action;
}

/** Says what stopped a command that has reported nothing itself; the reports are loaded only now. */
async function explain(error: unknown, json: boolean, io: CliContext): Promise<ExitCode> {
  const [stop, { render }] = await Promise.all([complainOf(error, io), import('../report/index.ts')]);
  if (json)
    io.stdout.write(
      render([{ type: 'failure', failure: io.secrets.hiddenIn(failureOf(null, stop)) }], 'json', {
        colour: false,
        width: 100,
        requests: false,
        why: false,
        unmanaged: null,
        site: reportOriginOf(io, undefined),
        earlier: null,
      }),
    );
  return stop.exit;
}
