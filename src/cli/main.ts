import { type Action, CommanderError, commandLine } from './arguments.ts';
import { EXIT, type Exit, failureOf, type Stop, stopOf, strongest } from './exit.ts';
import type { Io, World } from './io.ts';
import { underlined } from './line.ts';
import { createSecrets } from './secrets.ts';
import { siteOf } from './site.ts';
import { handledByTarget } from './unhandled-errors.ts';
import { usageError, wantsJson } from './usage.ts';
import { VERSION } from './version.ts';

/** The program as a function: arguments (without node and script) in, exit code out. It never throws, and never shows a stack trace. */
export async function main(argv: readonly string[], world: World): Promise<Exit> {
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
  return strongest([EXIT.error, exit === EXIT.interrupted && !world.signal.aborted ? EXIT.error : exit]);
}

async function run(argv: readonly string[], io: Io): Promise<Exit> {
  try {
    const action = parse(argv, io);
    return action === null ? EXIT.done : await action(io);
  } catch (error) {
    if (error instanceof CommanderError) return EXIT.invalid;
    return await explain(error, wantsJson(argv), io);
  }
}

/** Says on stderr what went wrong; how to say it is loaded only now. */
async function complainOf(error: unknown, io: Io): Promise<Stop> {
  const { complain } = await import('./output.ts');
  const stop = stopOf(error);
  complain(io, stop.message, stop.hint);
  return stop;
}

/** The same world, in which stderr is told no secret that is known by then, and the status line makes way for everything else. */
function discreet(argv: readonly string[], world: World): Io {
  const secrets = createSecrets();
  const stderr = { write: (text: string) => world.stderr.write(secrets.hidden(text)) };
  return { ...world, argv, secrets, ...underlined({ ...world, stderr }) };
}

/** The action that the arguments ask for; null where they asked for help or the version, which is printed. @throws Stop for wrong usage, CommanderError where help was shown for want of a command */
function parse(argv: readonly string[], io: Io): Action | null {
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
async function explain(error: unknown, json: boolean, io: Io): Promise<Exit> {
  const [stop, { render }] = await Promise.all([complainOf(error, io), import('../report/index.ts')]);
  if (json)
    io.stdout.write(
      render([{ type: 'failure', failure: io.secrets.hiddenIn(failureOf(null, stop)) }], 'json', {
        colour: false,
        width: 100,
        requests: false,
        why: false,
        unmanaged: null,
        site: siteOf(io, undefined),
        earlier: null,
      }),
    );
  return stop.exit;
}
