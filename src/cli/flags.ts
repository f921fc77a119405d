/** The flags that commands share and the parsers of their values. Only this file imports commander. */

import { type Command, type CommandUnknownOpts, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { parseAskedDate } from '../app/run/asked-date.ts';
import { LOG_FORMATS, LOG_LEVELS, type OutFile } from '../app/run/options.ts';
import { MAX_SHARDS, parseShard, type Shard } from '../app/run/shard.ts';
import { suggest } from '../core/config/did-you-mean.ts';
import { askedAddress } from '../core/kinds/asked-address.ts';
import { GROUPINGS } from '../core/model/account-export.ts';
import { beginningOfNextDay } from '../core/model/instant.ts';
import type { AskedDate } from '../core/model/run-of-show.ts';
import { OVERRIDE_NAMES, OVERRIDES, type Overrides, withOverride } from '../core/safety/overrides.ts';
import { HOSTS } from '../integrations/code-hosts/code-host.ts';
import { FORMATS, type Format, isFormat, TARGET_FORMATS } from '../report/document.ts';

export type { CommandUnknownOpts } from '@commander-js/extra-typings';
export { Argument, Command, CommanderError, Option } from '@commander-js/extra-typings';

/** Headings of the flags that commands share, in the help. Those of a command itself come before them. */
const [SELECTION, REPORT, RARE] = ['What to look at:', 'Report:', 'Rarely needed:'];

/** CI systems of the recipes of `init`. */
export const CI_SYSTEMS = ['github', 'gitlab', 'none'] as const;

/** Shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell that has a completion script. */
export type Shell = (typeof SHELLS)[number];

/** Adds the flags that choose the project and its targets. */
export function projectFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(new Option('--project <path>', 'upkeep.yaml, or the folder that holds it').helpGroup(SELECTION))
    .addOption(
      new Option('-t, --target <glob>', 'target; may be repeated')
        .default(NO_VALUES, 'the only one')
        .argParser(appendValue)
        .helpGroup(SELECTION),
    );
}

/** Adds the flags of the commands that plan a target, now or as of a commit. */
export function planningFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return shardFlag(refFlag(accountFlags(command)));
}

function shardFlag<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(
    new Option('--shard <i/n>', 'only part i of n of the chosen targets, by a hash of their names')
      .argParser(parseShardValue)
      .helpGroup(RARE),
  );
}

/** Adds the flag that takes the configuration from a commit. */
export function refFlag<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(
    new Option(
      '--ref <ref>',
      'the configuration at this commit, or of this entry of the ledger, instead of the work tree; with plan and apply, `promoted` is what every target of `after` has carried',
    ).helpGroup(SELECTION),
  );
}

/** Adds the flag that takes the settings of upkeep.yaml from a commit. */
export function trustFlag<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(
    new Option('--trust-from <ref>', 'take everything of upkeep.yaml but sources and vars from this commit').helpGroup(SELECTION),
  );
}

/** Adds the flag that records what the service is asked and answers. */
export function recordFlag<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(
    new Option('--record <file>', 'record the requests and answers in this new file, under pseudonyms').helpGroup(RARE),
  );
}

/** Adds the flags of the commands that compare a target with its account. */
export function accountFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return reportFlags(recordFlag(projectFlags(command).addOption(onlyFlag()).addOption(fullFlag())));
}

/** Creates the flag that selects changes by their addresses. */
export function onlyFlag() {
  return new Option('--only <glob>', 'only the changes of these addresses; may be repeated')
    .default(NO_VALUES, 'all')
    .argParser(appendAddress)
    .helpGroup(SELECTION);
}

/** Adds the flags of the commands that report. */
export function reportFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatFlags(command, FORMATS));
}

/** Adds the flags of the command that exports, whose report in HTML is the account at a glance. */
export function exportReportFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatFlags(command, ['text', 'json', 'html']));
}

/** Adds the flags of commands with text and JSON output. */
export function textOrJsonFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatFlags(command, ['text', 'json']));
}

/**
 * Refuses flags before the name of a subcommand: there they would belong to the parent command and have no effect. @throws CommanderError
 */
export function refuseFlagsBefore(command: CommandUnknownOpts, subcommand: CommandUnknownOpts): void {
  const misplaced = command.options.find((flag) => command.getOptionValueSource(flag.attributeName()) === 'cli');
  if (misplaced) subcommand.error(`error: ${misplaced.long} stands before ${subcommand.name()}; write it after the addresses`);
}

/** Adds the flags of the command that lists targets. */
export function listFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return loggingFlags(formatFlags(shardFlag(projectFlags(command)), TARGET_FORMATS));
}

/** Adds the flags of a report in these formats. */
export function formatFlags<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  allowed: readonly string[],
) {
  const format = new Option('--format <format>', `format of stdout: ${allowed.join(', ')}`)
    .default('text')
    .argParser(formatParser(allowed));
  const out = new Option('--out <format=file>', 'write this report as well; may be repeated').default([], 'none');
  return command.addOption(format.helpGroup(REPORT)).addOption(out.argParser(outFileParser(allowed)).helpGroup(REPORT));
}

/** Adds the flags that name a repository on a code host; without them it is detected in the environment. */
export function codeHostFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(new Option('--host <host>', 'code host; detected in CI').choices(HOSTS))
    .option('--repository <name>', 'owner/name on that host; detected in CI')
    .addOption(new Option('--id <text>', 'distinguishes projects that share a repository').argParser(parseProjectId));
}

/** Adds the flags of the command that comments on a pull request. */
export function commentFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  const plan = new Option('--plan <file>', 'a file written with `plan --out json=FILE`; may be repeated').default(NO_VALUES, 'none');
  const number = new Option('--number <n>', 'number of the pull request; detected in CI').argParser(wholeNumber(1, 2_147_483_647));
  return loggingFlags(
    codeHostFlags(command.addOption(plan.argParser(appendValue)).addOption(number))
      .option('--partial', 'other jobs comment on other targets: keep their comments')
      .option('--summary', 'write the plans into the summary of the step as well (GitHub)')
      .option('--check', 'add a check with annotations to the commit (GitHub)')
      .option('--report-url <url>', 'https address of the HTML report of the plan, to link to')
      .option('--project <path>', 'upkeep.yaml, or the folder that holds it'),
  );
}

/** Adds the flags for the form of an exported account. */
export function exportFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  const grouping = new Option('--group-by <way>', 'divide the playlists among files: by the beginning of their keys, or a file for each');
  return command
    .option('--assets', 'write a catalog of the assets, too, with names that the service knows')
    .addOption(grouping.choices(GROUPINGS))
    .option('--templates', 'write ten or more playlists that differ in the same fields only as a template and a CSV table');
}

/** Adds the flags for stderr and for color. */
export function loggingFlags<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(new Option('--log-level <level>', 'log on stderr').choices(LOG_LEVELS).default('warn').helpGroup(RARE))
    .addOption(new Option('--log-format <format>', 'form of the log').choices(LOG_FORMATS).default('text').helpGroup(RARE))
    .addOption(new Option('--no-color', 'no color, even on a terminal').helpGroup(RARE))
    .addOption(new Option('--quiet', 'no progress on stderr').helpGroup(RARE));
}

/** The default of a repeatable flag. */
export const NO_VALUES: readonly string[] = [];

/** Creates the flag that lists each change by itself. */
export function fullFlag() {
  return new Option('--full', 'list each change by itself, however many are equal or similar').helpGroup(REPORT);
}

/** Creates the flag that selects changes by origin. */
export function onlyOriginFlag() {
  return new Option(
    '--only-origin <origin>',
    'only changes of the repository (change) or made by hand (drift), and those of origin both or unknown',
  ).choices(['change', 'drift'] as const);
}

/** Creates the flag that overrides safety checks. */
export function allowFlag() {
  return new Option('--allow <check>', `override a safety check: ${OVERRIDES.join(', ')}; may be repeated`)
    .default({ deletes: 0, checks: new Set() } satisfies Overrides, 'none')
    .argParser(parseOverride);
}

function parseOverride(word: string, before: Overrides): Overrides {
  const [name, ...rest] = word.split('=');
  const overrides = withOverride(before, rest.length === 0 ? word : `${name}=${askedAddress(rest.join('='))}`);
  if (!overrides) throw new InvalidArgumentError(`it is one of ${OVERRIDES.join(', ')}${nearestOverride(word)}.`);
  return overrides;
}

function nearestOverride(word: string): string {
  const [name = ''] = word.split('=');
  const near = OVERRIDE_NAMES.includes(name) ? undefined : suggest(name, OVERRIDE_NAMES);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Creates the flag with the date for which the assets of something are shown that will be gone. */
export function atFlag(of: string) {
  return new Option('--at <date>', `what of ${of} will be gone at this date, or instant (RFC 3339, for example 2027-03-01)`).argParser(
    parseDate,
  );
}

/** Creates the flag with the date since which something happened. */
export function sinceFlag() {
  return new Option('--since <date>', 'only applies since this date, or instant (RFC 3339, for example 2027-03-01)').argParser(parseDate);
}

function parseDate(word: string): AskedDate {
  const date = parseAskedDate(word);
  const example = beginningOfNextDay(word) ?? '2027-03-01T18:00:00Z';
  if (!date) throw new InvalidArgumentError(`it is a date or an instant as in RFC 3339, for example 2027-03-01 or ${example}.`);
  return date;
}

/** Adds one more address, or glob of addresses, of a repeatable flag or argument. */
export function appendAddress(word: string, before: readonly string[] = NO_VALUES): readonly string[] {
  return [...before, askedAddress(word)];
}

/** Adds one more value of a repeatable flag. */
export function appendValue(word: string, before: readonly string[]): readonly string[] {
  return [...before, word];
}

function formatParser(allowed: readonly string[]): (word: string) => Format {
  return (word) => {
    if (isFormat(word) && allowed.includes(word)) return word;
    const near = suggest(word, allowed);
    throw new InvalidArgumentError(`it is one of ${allowed.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}.`);
  };
}

function parseShardValue(word: string): Shard {
  const shard = parseShard(word);
  if (!shard) throw new InvalidArgumentError(`it has the form <i>/<n>, from 1/n to n/n, for example 2/4; n is at most ${MAX_SHARDS}.`);
  return shard;
}

function outFileParser(allowed: readonly string[]): (word: string, before: readonly OutFile[]) => readonly OutFile[] {
  return (word, before) => {
    const [name = '', ...rest] = word.split('=');
    const file = rest.join('=');
    if (file === '') throw new InvalidArgumentError('it has the form <format>=<file>, for example json=plan.json.');
    return [...before, { format: formatParser(allowed)(name), file }];
  };
}

/** Parses the ID that distinguishes a project from others in its repository. */
function parseProjectId(word: string): string {
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
