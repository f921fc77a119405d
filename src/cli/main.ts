import { randomUUID } from 'node:crypto';
import { CliError, failureOf, toCliError } from '../app/run/exit-codes.ts';
import { reportError } from '../app/run/messages.ts';
import { handledByTarget, type Runtime } from '../app/run/runtime.ts';
import { createSecrets } from '../app/run/secrets.ts';
import { VERSION } from '../app/run/version.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../core/model/exit-codes.ts';
import { type CommandAction, CommanderError, commandLine } from './command-line.ts';
import { type CliContext, createStatus, withStatusLine } from './status-line.ts';

/** Runs the program with arguments (without node and script) and returns the exit code. It never throws and never shows a stack trace. */
export async function main(argv: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const stop = new AbortController();
  const io = contextOf(argv, { ...runtime, signal: AbortSignal.any([runtime.signal, stop.signal]) });
  runtime.onUnhandledError((error) => {
    if (handledByTarget(error)) return;
    stop.abort();
    reportUnexpected(error, io);
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

function reportUnexpected(error: unknown, io: CliContext): CliError {
  const cliError = toCliError(error);
  reportError(io, cliError.message, cliError.hint);
  return cliError;
}

/** Creates the context of the commands: stderr is redacted, and other output clears the status line first. */
function contextOf(argv: readonly string[], runtime: Runtime): CliContext {
  const secrets = createSecrets();
  const stderr = { write: (text: string) => runtime.stderr.write(secrets.redact(text)) };
  const streams = withStatusLine({ ...runtime, stderr });
  const startStatus = (quiet: boolean) => createStatus({ ...streams, now: runtime.now }, quiet);
  return { ...runtime, argv, runId: randomUUID(), secrets, startStatus, ...streams };
}

/**
 * Parses the arguments and returns their action; null for help or version, which are printed. @throws CliError for wrong usage,
 * CommanderError where help was shown for want of a command
 */
function parse(argv: readonly string[], io: CliContext): CommandAction | null {
  let action: CommandAction | null = null;
  const program = commandLine(VERSION, (chosenAction) => {
    action = chosenAction;
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

/** Reports the error of a command that wrote no report itself; loads the code of reports only now. */
async function reportFailure(error: unknown, json: boolean, io: CliContext): Promise<ExitCode> {
  const cliError = reportUnexpected(error, io);
  if (json) {
    const [{ render }, { plainOptions, reportOrigin }] = await Promise.all([import('../report/index.ts'), import('../app/run/reports.ts')]);
    const failure = io.secrets.redactIn(failureOf(null, cliError));
    io.stdout.write(render([{ type: 'failure', failure }], 'json', plainOptions(reportOrigin(io, undefined))));
  }
  return cliError.exit;
}

/**
 * Converts a message of the argument parser to a CliError: one sentence without values that may be secret, and one hint. `command` is the
 * command concerned.
 */
function usageError(message: string, command: string): CliError {
  const [, sentence = '', suggestion] = /^(?:error: )?(.*?)(?:\n\(Did you mean (.+)\?\))?$/s.exec(message) ?? [];
  const summary = sentence
    .replace(/^(unknown option '[^'=]*)=.*'$/s, "$1'")
    .replace(/^option '([^'<]+) <[^']*' argument '(.*)' is invalid\. /s, "$1 does not take '$2': ")
    .replace(/^option '([^'<]+) (<[^']*)' argument missing$/, '$1 needs a value: $2')
    .replace(': Allowed choices are ', ': it is one of ')
    .replace(/\.$/, '');
  const help = command === 'upkeep' ? 'upkeep --help' : `upkeep ${command} --help`;
  const prefix = command === 'upkeep' && summary.startsWith('unknown option') ? 'flags come after the command; ' : '';
  return new CliError(
    EXIT_CODES.invalid,
    'usage',
    summary,
    suggestion === undefined ? `${prefix}see \`${help}\`` : `did you mean ${suggestion}? See \`${help}\``,
  );
}

/** Decides whether the arguments ask for JSON, even if they cannot be parsed. */
export function wantsJson(argv: readonly string[]): boolean {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return words.some((word, index) => word === '--format=json' || (word === '--format' && words[index + 1] === 'json'));
}
