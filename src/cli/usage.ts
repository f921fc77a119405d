import { CliError, EXIT_CODES } from '../app/exit-codes.ts';

/**
 * Converts a message of the argument parser to a CliError: one sentence without values that may be secret, and one hint. `command` is the
 * command concerned.
 */
export function usageError(message: string, command: string): CliError {
  const [, said = '', meant] = /^(?:error: )?(.*?)(?:\n\(Did you mean (.+)\?\))?$/s.exec(message) ?? [];
  const summary = said
    .replace(/^(unknown option '[^'=]*)=.*'$/s, "$1'")
    .replace(/^option '([^'<]+) <[^']*' argument '(.*)' is invalid\. /s, "$1 does not take '$2': ")
    .replace(/^option '([^'<]+) (<[^']*)' argument missing$/, '$1 needs a value: $2')
    .replace(': Allowed choices are ', ': it is one of ')
    .replace(/\.$/, '');
  const help = command === 'upkeep' ? 'upkeep --help' : `upkeep ${command} --help`;
  const before = command === 'upkeep' && summary.startsWith('unknown option') ? 'flags come after the command; ' : '';
  return new CliError(
    EXIT_CODES.invalid,
    'usage',
    summary,
    meant === undefined ? `${before}see \`${help}\`` : `did you mean ${meant}? See \`${help}\``,
  );
}

/** Decides whether the arguments ask for JSON, even if they cannot be parsed. */
export function wantsJson(argv: readonly string[]): boolean {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return words.some((word, index) => word === '--format=json' || (word === '--format' && words[index + 1] === 'json'));
}
