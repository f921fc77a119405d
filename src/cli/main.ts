import { type CliError, EXIT_CODES, type ExitCode, failureOf, highestPrecedence, toCliError } from '../app/exit-codes.ts';
import { reportOriginOf } from '../app/report-origin.ts';
import type { CliContext, Runtime } from '../app/runtime.ts';
import { createSecrets } from '../app/secrets.ts';
import { withStatusLine } from '../app/status-line.ts';
import { handledByTarget } from '../app/unhandled-errors.ts';
import { VERSION } from '../app/version.ts';
import { type Action, CommanderError, commandLine } from './command-line.ts';
import { usageError, wantsJson } from './usage.ts';

/** Runs the program with arguments (without node and script) and returns the exit code. It never throws and never shows a stack trace. */
export async function main(argv: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const stop = new AbortController();
  const io = contextOf(argv, { ...runtime, signal: AbortSignal.any([runtime.signal, stop.signal]) });
  runtime.onUnhandledError((error) => {
    if (handledByTarget(error)) return;
    stop.abort();
    void reportUnexpected(error, io);
  });
  const exit = await run(argv, io);
  if (!stop.signal.aborted) return exit;
  // A run stopped by an unhandled error does not count as interrupted.
  return highestPrecedence([EXIT_CODES.error, exit === EXIT_CODES.interrupted && !runtime.signal.aborted ? EXIT_CODES.error : exit]);
}

async function run(argv: readonly string[], io: CliContext): Promise<ExitCode> {
  try {
    const action = parse(argv, io);
    return action === null ? EXIT_CODES.done : await action(io);
  } catch (error) {
    if (error instanceof CommanderError) return EXIT_CODES.invalid;
    return await reportFailure(error, wantsJson(argv), io);
  }
}

/** Reports an error on stderr; loads the reporting code only now. */
async function reportUnexpected(error: unknown, io: CliContext): Promise<CliError> {
  const { reportError } = await import('../app/output.ts');
  const stop = toCliError(error);
  reportError(io, stop.message, stop.hint);
  return stop;
}

/** Creates the context of the commands: stderr is redacted, and other output clears the status line first. */
function contextOf(argv: readonly string[], runtime: Runtime): CliContext {
  const secrets = createSecrets();
  const stderr = { write: (text: string) => runtime.stderr.write(secrets.hidden(text)) };
  return { ...runtime, argv, secrets, ...withStatusLine({ ...runtime, stderr }) };
}

/**
 * Parses the arguments and returns their action; null for help or version, which are printed. @throws CliError for wrong usage,
 * CommanderError where help was shown for want of a command
 */
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

/** Reports the error of a command that wrote no report itself; loads the report code only now. */
async function reportFailure(error: unknown, json: boolean, io: CliContext): Promise<ExitCode> {
  const [stop, { render }] = await Promise.all([reportUnexpected(error, io), import('../report/index.ts')]);
  if (json)
    io.stdout.write(
      render([{ type: 'failure', failure: io.secrets.hiddenIn(failureOf(null, stop)) }], 'json', {
        color: false,
        width: 100,
        requests: false,
        why: false,
        unmanaged: null,
        origin: reportOriginOf(io, undefined),
        diagramOf: () => null,
        previousReport: null,
      }),
    );
  return stop.exit;
}
