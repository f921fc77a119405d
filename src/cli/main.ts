import packageFile from '../../package.json' with { type: 'json' };
import { type Action, CommanderError, commandLine } from './arguments.ts';
import { EXIT, type Exit, Stop } from './exit.ts';
import type { Io } from './io.ts';
import { complain } from './output.ts';

/** The program as a function: arguments (without node and script) in, exit code out. It never throws, and never shows a stack trace. */
export async function main(argv: readonly string[], io: Io): Promise<Exit> {
  try {
    const action = parse(argv, io);
    return action === null ? EXIT.done : await action(io);
  } catch (error) {
    return explain(error, io);
  }
}

/** The action that the arguments ask for; null where they asked for help or the version, which is printed. */
function parse(argv: readonly string[], io: Io): Action | null {
  let action: Action | null = null;
  const program = commandLine(packageFile.version, (chosen) => {
    action = chosen;
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.terminal.columns,
      getErrHelpWidth: () => io.terminal.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  }
  program.parse([...argv], { from: 'user' });
  return action;
}

function explain(error: unknown, io: Io): Exit {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.invalid;
  if (error instanceof Stop) {
    complain(io, error.message, error.hint);
    return error.exit;
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  complain(io, `unexpected: ${what}`, 'this is a fault of upkeep itself: please report it with the command that you ran');
  return EXIT.error;
}
