import { COMMANDS, type onCommand } from './commands.ts';
import { Command } from './flags.ts';

export type { Action } from './commands.ts';
export { CommanderError } from './flags.ts';

/** The command line (design section 5). The flags of a command are made only when it is named: making them all takes a tenth of a start. */
export function commandLine(version: string, chosen: onCommand): Command {
  const { program, define } = bareCommandLine(version, chosen);
  const made = (command: { name(): string }): string => {
    define(command.name());
    return '';
  };
  return program.hook('preSubcommand', (_program, command) => void made(command)).addHelpText('beforeAll', ({ command }) => made(command));
}

/** The same with all flags of all commands, for who looks at it from outside. */
export function wholeCommandLine(version: string): Command {
  const { program, define } = bareCommandLine(version, () => undefined);
  for (const command of program.commands) define(command.name());
  return program;
}

/** The commands by their names, and what makes the flags of one of them. */
function bareCommandLine(version: string, chosen: onCommand): { readonly program: Command; readonly define: (name: string) => void } {
  const program = new Command('upkeep')
    .description('Keeps a streaming account the way a git repository says it should be.')
    .version(version)
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', EXIT_CODES);
  const waiting = new Map<string, () => unknown>();
  for (const [name, { does, hidden = false, define }] of Object.entries(COMMANDS)) {
    const command = program.command(name, { hidden }).description(does);
    waiting.set(name, () => define(command, chosen, () => wholeCommandLine(version)));
  }
  const define = (name: string): void => {
    waiting.get(name)?.();
    waiting.delete(name);
  };
  return { program, define };
}

const EXIT_CODES = `
Exit codes:
  0 done    1 error    2 changes pending    3 drift    4 held or not confirmed
  5 some changes failed    6 stale plan    7 credentials refused
  8 invalid configuration or usage    9 locked    10 incomplete read
  130 interrupted`;
