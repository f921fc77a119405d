/** The flags that commands share and the parsers of their values. Only this file imports commander. */
import { type Command, type CommandUnknownOpts, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { LOG_FORMATS, LOG_LEVELS, type OutFile } from '../app/options.ts';
import { MOST_SHARDS, type Shard, shardOf } from '../app/shard.ts';
import { HOSTS } from '../code-hosts/code-host.ts';
import { FORMATS, type Format, isFormat, TARGET_FORMATS } from '../report/document.ts';
import type { Overrides } from '../safety/checks.ts';

export type { CommandUnknownOpts } from '@commander-js/extra-typings';
export { Argument, Command, CommanderError, Option } from '@commander-js/extra-typings';

/** Flags that choose the project and its targets. */
export function projectFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .option('--project <path>', 'upkeep.yaml, or the folder that holds it')
    .addOption(new Option('-t, --target <glob>', 'target; may be repeated').default(NONE, 'the only one').argParser(collect));
}

/** Flags of the commands that plan a target, now or as of a commit. */
export function planningFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return sharing(refFlag(baseFlag(command)));
}

/** The flag by which several machines share the chosen targets. */
function sharing<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(new Option('--shard <i/n>', 'only part i of n of the chosen targets, by a hash of their names').argParser(part));
}

/** The flag that takes the configuration from a commit. */
export function refFlag<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(new Option('--ref <ref>', 'the configuration at this commit instead of the work tree'));
}

/** Flags of the commands that compare a target with its account. */
export function baseFlag<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  const only = new Option('--only <glob>', 'only the changes of these addresses; may be repeated');
  return reportFlags(projectFlags(command).addOption(only.default(NONE, 'all').argParser(collect)));
}

/** Flags of every command that reports. */
export function reportFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatting(command, FORMATS));
}

/** Adds the flags of commands with text and JSON output. */
export function textOrJsonFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatting(command, ['text', 'json']));
}

/**
 * Refuses flags before the name of a subcommand: there they would belong to the parent command and have no effect. @throws CommanderError
 */
export function refuseFlagsBefore(command: CommandUnknownOpts, subcommand: CommandUnknownOpts): void {
  const misplaced = command.options.find((flag) => command.getOptionValueSource(flag.attributeName()) === 'cli');
  if (misplaced) subcommand.error(`error: ${misplaced.long} stands before ${subcommand.name()}; write it after the addresses`);
}

/** Flags of the command that lists targets. */
export function listFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatting(sharing(projectFlags(command)), TARGET_FORMATS));
}

function formatting<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>, among: readonly string[]) {
  const out = new Option('--out <format=file>', 'write this report as well; may be repeated').default([], 'none');
  return command
    .addOption(new Option('--format <format>', `format of stdout: ${among.join(', ')}`).default('text').argParser(format(among)))
    .addOption(out.argParser(outFile(among)));
}

/** Flags that name a repository on a code host instead of the environment. */
export function codeHostFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(new Option('--host <host>', 'code host; detected in CI').choices(HOSTS))
    .option('--repository <name>', 'owner/name on that host; detected in CI')
    .addOption(new Option('--id <text>', 'distinguishes projects that share a repository').argParser(projectId));
}

/** Adds the flags of the command that comments on a pull request. */
export function commentFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  const plan = new Option('--plan <file>', 'a file written with `plan --out json=FILE`; may be repeated').default(NONE, 'none');
  const number = new Option('--number <n>', 'number of the pull request; detected in CI').argParser(wholeNumber(1, 2_147_483_647));
  return loggingFlags(
    codeHostFlags(command.addOption(plan.argParser(collect)).addOption(number))
      .option('--partial', 'other jobs comment on other targets: keep their comments')
      .option('--summary', 'write the plans into the summary of the step as well (GitHub)')
      .option('--check', 'add a check with annotations to the commit (GitHub)')
      .option('--project <path>', 'upkeep.yaml, or the folder that holds it'),
  );
}

/** Flags about what goes to stderr, and color. */
export function loggingFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(new Option('--log-level <level>', 'log on stderr').choices(LOG_LEVELS).default('warn'))
    .addOption(new Option('--log-format <format>', 'form of the log').choices(LOG_FORMATS).default('text'))
    .option('--no-color', 'no color, even on a terminal')
    .option('--quiet', 'no progress line');
}

/** The default of a repeatable flag. */
export const NONE: readonly string[] = [];

/** Creates the flag that selects changes by origin. */
export function onlyOrigin() {
  return new Option('--only-origin <origin>', 'only changes from the repository (change), or only changes made by hand (drift)').choices([
    'change',
    'drift',
  ] as const);
}

/** Creates the flag that overrides safety checks. */
export function allow() {
  return new Option(
    '--allow <check>',
    'override a safety check: deletes, deletes=N, updates, loosening, suspicious-read, unknown-fields, dirty; may be repeated',
  )
    .default({ deletes: 0, checks: new Set() } satisfies Overrides, 'none')
    .argParser(parseOverride);
}

const OVERRIDABLE_CHECKS = ['updates', 'loosening', 'suspicious-read', 'unknown-fields'] as const;

function parseOverride(word: string, before: Overrides): Overrides {
  const deletes = /^deletes(?:=(\d{1,9}))?$/.exec(word);
  if (deletes) return { ...before, deletes: deletes[1] === undefined ? Number.POSITIVE_INFINITY : Number(deletes[1]) };
  const check = OVERRIDABLE_CHECKS.find((each) => each === word);
  if (word === 'dirty') return { ...before, dirty: true };
  if (!check) throw new InvalidArgumentError(`it is one of deletes, deletes=N, ${OVERRIDABLE_CHECKS.join(', ')}, dirty.`);
  return { ...before, checks: new Set([...before.checks, check]) };
}

/** Adds one more value of a repeatable flag. */
export function collect(word: string, before: readonly string[]): readonly string[] {
  return [...before, word];
}

function format(among: readonly string[]): (word: string) => Format {
  return (word) => {
    if (!isFormat(word) || !among.includes(word)) throw new InvalidArgumentError(`it is one of ${among.join(', ')}.`);
    return word;
  };
}

function part(word: string): Shard {
  const shard = shardOf(word);
  if (!shard) throw new InvalidArgumentError(`it has the form <i>/<n>, from 1/n to n/n, for example 2/4; n is at most ${MOST_SHARDS}.`);
  return shard;
}

function outFile(among: readonly string[]): (word: string, before: readonly OutFile[]) => readonly OutFile[] {
  return (word, before) => {
    const [name = '', ...rest] = word.split('=');
    const file = rest.join('=');
    if (file === '') throw new InvalidArgumentError('it has the form <format>=<file>, for example json=plan.json.');
    return [...before, { format: format(among)(name), file }];
  };
}

/** Parses the ID that distinguishes a project from others in its repository. */
function projectId(word: string): string {
  if (!/^[\w./-]{1,200}$/.test(word)) throw new InvalidArgumentError('it is made of letters, digits, dots, slashes, - and _, at most 200.');
  return word;
}

/** Returns a parser of whole numbers from `least` to `most`; anything else is a usage error. */
export function wholeNumber(least: number, most: number): (word: string) => number {
  return (word) => {
    const number = Number(word);
    if (!/^\d+$/.test(word) || number < least || number > most)
      throw new InvalidArgumentError(`it is a whole number from ${least} to ${most}.`);
    return number;
  };
}
