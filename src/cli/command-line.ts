import { EXIT_CODE_MEANINGS } from '../core/model/exit-codes.ts';
import { COMMAND_GROUPS, COMMANDS, type OnCommand } from './commands.ts';
import { Command } from './flags.ts';

export type { CommandAction } from './commands.ts';
export { CommanderError } from './flags.ts';

/**
 * Creates the command line (design section 5). The flags of a command are defined only when it is named: defining all takes a tenth of the
 * start time.
 */
export function commandLine(version: string, onCommand: OnCommand): Command {
  const { program, define } = commandLineWithoutFlags(version, onCommand);
  const defineFlags = (command: { name(): string }): string => {
    define(command.name());
    return '';
  };
  return program
    .hook('preSubcommand', (_program, command) => void defineFlags(command))
    .addHelpText('beforeAll', ({ command }) => defineFlags(command));
}

/** Creates the command line with all flags of all commands, for completion and documentation. */
export function wholeCommandLine(version: string): Command {
  const { program, define } = commandLineWithoutFlags(version, () => undefined);
  for (const command of program.commands) define(command.name());
  return program;
}

/** Creates the commands without flags, and a function that defines the flags of one of them. */
function commandLineWithoutFlags(
  version: string,
  onCommand: OnCommand,
): { readonly program: Command; readonly define: (name: string) => void } {
  const program = new Command('upkeep')
    .description('Reconciles a streaming account with the configuration in a git repository.')
    .version(version)
    .enablePositionalOptions()
    .addHelpCommand(helpCommand())
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', exitCodesHelp());
  const pending = new Map<string, () => unknown>();
  const groupRank = ({ group }: { readonly group: (typeof COMMAND_GROUPS)[number] }) => COMMAND_GROUPS.indexOf(group);
  const byGroup = Object.entries(COMMANDS).toSorted(([, a], [, b]) => groupRank(a) - groupRank(b));
  for (const [name, { group, example, summary, hidden = false, define }] of byGroup) {
    const command = program.command(name, { hidden }).description(summary).helpGroup(`${group}:`);
    command.addHelpText('after', `\nExample:\n  ${example}`);
    pending.set(name, () => define(command, onCommand, () => wholeCommandLine(version)));
  }
  const define = (name: string): void => {
    pending.get(name)?.();
    pending.delete(name);
  };
  return { program, define };
}

function helpCommand(): Command {
  const command = new Command('help').description('display help for command').helpOption(false).helpGroup('More:');
  command.argument('[command]');
  return command;
}

function exitCodesHelp(): string {
  const lines = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning.replaceAll('`', '')}`);
  return ['', 'Exit codes:', ...lines].join('\n');
}
