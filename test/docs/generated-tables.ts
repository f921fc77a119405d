/** The tables of the documentation that the code knows, as Markdown, and their places in the pages. */

import { RUN_EVENTS } from '../../src/app/run/run-events.ts';
import { wholeCommandLine } from '../../src/cli/command-line.ts';
import { LOWERS_NOTHING } from '../../src/core/config/safeguards.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { groupBy } from '../../src/core/model/collections.ts';
import { EXIT_CODE_MEANINGS, PRECEDENCE } from '../../src/core/model/exit-codes.ts';
import { GENERAL_CODES } from '../../src/core/model/finding-codes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { asString } from '../../src/core/model/json-readers.ts';
import { ASSUMPTIONS } from '../../src/probe/assumptions.ts';
import { METRICS } from '../../src/report/machine/prometheus.ts';

type Command = ReturnType<typeof wholeCommandLine>['commands'][number];
type Flag = Command['options'][number];

/** Flags that at least so many commands have stand in one table. */
const COMMON = 4;

/**
 * Returns a page with each block between `<!-- generated: NAME -->` and `<!-- end -->` replaced by the table of that name. @throws Error
 */
export function withGeneratedTables(page: string, schema: Json): string {
  return page.replace(/(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_block, start: string, name: string, end: string) => {
    return `${start}\n${generate(name, schema)}\n\n${end}`;
  });
}

function generate(name: string, schema: Json): string {
  const ofCommand = /^flags of (.+)$/.exec(name)?.[1];
  if (ofCommand !== undefined) return flagsTable(commandNamed(ofCommand));
  const tables: { readonly [name: string]: () => string } = {
    commands: commandsTable,
    'common flags': commonFlagsTable,
    'exit codes': exitCodesTable,
    'exit code precedence': () => `${PRECEDENCE.join(', ')}.`,
    'finding codes': findingCodesTable,
    assumptions: assumptionsTable,
    gauges: () =>
      table(
        ['gauge', 'meaning'],
        Object.entries(METRICS).map(([gauge, help]) => [code(gauge), help]),
      ),
    'keys of upkeep.yaml': () => keysTable(schema, ['targets']),
    'keys of a receiver': () => keysTable(receiverSchema(schema)),
    events: eventsTable,
    'keys that lower nothing': lowersNothingTable,
    'keys of a target': () => keysTable(isJsonObject(schema) && isJsonObject(schema.definitions) ? schema.definitions.target : null),
  };
  const make = tables[name];
  if (!make) throw new Error(`no generated table has the name "${name}"`);
  return make();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;

const all = wholeCommandLine('0.0.0').commands.filter((command) => command.name() !== 'complete');
const withSubcommands = all.flatMap((command): readonly Command[] => [command, ...command.commands]);

function commandNamed(words: string): Command {
  const [name, sub] = words.split(' ');
  const command = all.find((each) => each.name() === name);
  const found = sub === undefined ? command : command?.commands.find((each) => each.name() === sub);
  if (!found) throw new Error(`there is no command "${words}"`);
  return found;
}

/** Returns the name of a command with that of its parent, as it is typed after `upkeep`. */
function fullName(command: Command): string {
  const parent = all.find((each) => each.commands.includes(command));
  return parent ? `${parent.name()} ${command.name()}` : command.name();
}

/** The keys below a target stand without its name, and those that are in both once. */
function lowersNothingTable(): string {
  const keys = groupBy(Object.entries(LOWERS_NOTHING), ([, reason]) => reason);
  return table(
    ['keys', 'reason'],
    [...keys].map(([reason, entries]) => [[...new Set(entries.map(([key]) => code(key.replace('targets.*.', ''))))].join(', '), reason]),
  );
}

function commandsTable(): string {
  const link = (name: string) => `[${code(name)}](#${name.replace(' ', '-')})`;
  return table(
    ['command', 'does'],
    withSubcommands.map((command) => [link(fullName(command)), command.description()]),
  );
}

/** The commands that have each flag, by all that the help says of it. */
function commandsByFlag(): ReadonlyMap<string, readonly Command[]> {
  const found = new Map<string, readonly Command[]>();
  for (const command of withSubcommands) {
    for (const flag of command.options) found.set(keyOf(flag), [...(found.get(keyOf(flag)) ?? []), command]);
  }
  return found;
}

const keyOf = (flag: Flag): string =>
  flag.long === '--format' || flag.long === '--out' ? flag.flags : `${flag.flags} ${flag.description}`;

function isCommon(flag: Flag): boolean {
  return (commandsByFlag().get(keyOf(flag)) ?? []).length >= COMMON;
}

function commonFlagsTable(): string {
  const common = commandNamed('plan').options.filter(isCommon);
  const commandsOf = (flag: Flag) => {
    const having = commandsByFlag().get(keyOf(flag)) ?? [];
    const missing = withSubcommands.filter((command) => !having.includes(command));
    return having.length > missing.length
      ? `all but ${missing.map((command) => code(fullName(command))).join(', ')}`
      : having.map((command) => code(fullName(command))).join(', ');
  };
  return table(
    ['flag', 'meaning', 'of'],
    common.map((flag) => [code(flag.flags), meaningOf(flag), commandsOf(flag)]),
  );
}

/** Returns the names of the commands that have flags of their own. */
export function commandsWithFlags(): readonly string[] {
  return withSubcommands.filter((command) => ownFlags(command).length > 0).map(fullName);
}

function ownFlags(command: Command): readonly Flag[] {
  return command.options.filter((flag) => !isCommon(flag));
}

function flagsTable(command: Command): string {
  return table(
    ['flag', 'meaning'],
    ownFlags(command).map((flag) => [code(flag.flags), meaningOf(flag)]),
  );
}

/** Returns what the help says of a flag, with its choices and its default. */
function meaningOf({ description, argChoices, defaultValue, defaultValueDescription, mandatory }: Flag): string {
  const hasDefault = defaultValue !== undefined && defaultValue !== true && defaultValueDescription !== 'none';
  return [
    // The formats of --format are documented on a page of their own.
    description.replace(/^format of stdout: .*$/, 'format of stdout'),
    ...(argChoices ? [`one of ${argChoices.map(code).join(', ')}`] : []),
    ...(mandatory ? ['required'] : []),
    ...(hasDefault ? [`default: ${defaultValueDescription ?? code(String(defaultValue))}`] : []),
  ].join('; ');
}

function exitCodesTable(): string {
  return table(
    ['code', 'meaning'],
    Object.entries(EXIT_CODE_MEANINGS).map(([exit, meaning]) => [exit, meaning]),
  );
}

function eventsTable(): string {
  return table(
    ['event', 'level', 'members', 'meaning'],
    Object.entries(RUN_EVENTS).map(([name, { level, members, meaning }]) => [name, level, members.map(code).join(', '), meaning]),
  );
}

function receiverSchema(schema: Json): Json | undefined {
  const notify = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties.notify : undefined;
  return isJsonObject(notify) ? notify.items : undefined;
}

function findingCodesTable(): string {
  const rows = [...kinds.map(({ name, findingCodes }) => ({ name, codes: findingCodes })), { name: 'all', codes: GENERAL_CODES }];
  return table(
    ['code', 'kind', '`rules` set', 'meaning'],
    rows.flatMap(({ name, codes }) =>
      Object.entries(codes).map(([finding, { meaning, isFixed, hasDate }]) => {
        const set = isFixed ? 'nothing' : hasDate ? 'severity, `within`' : 'severity';
        return [code(finding), name, set, meaning];
      }),
    ),
  );
}

function assumptionsTable(): string {
  return table(
    ['assumed', 'test', 'setting', 'asked by `upkeep probe`'],
    ASSUMPTIONS.map(({ assumed, test, setting, question }) => [
      assumed,
      `[${test.replace(/^.*\/|\.test\.ts$/g, '')}](../${test})`,
      setting === undefined ? '' : code(setting),
      question === undefined ? 'not asked' : `${question.text} (${question.step})`,
    ]),
  );
}

/** Returns the keys of an object schema, those of nested objects as paths, with default and description. `opaque` keys are not entered. */
function keysTable(schema: Json | undefined, opaque: readonly string[] = []): string {
  if (!isJsonObject(schema)) throw new Error('the schema has another form');
  return table(['key', 'default', 'meaning'], keyRows(schema, '', opaque));
}

function keyRows(schema: JsonObject, prefix: string, opaque: readonly string[]): readonly (readonly string[])[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(isJsonObject(schema.properties) ? schema.properties : {}).flatMap(([key, value]) => {
    if (!isJsonObject(value)) return [];
    if (isJsonObject(value.properties) && !opaque.includes(key)) return keyRows(value, `${prefix}${key}.`, opaque);
    const standard =
      value.default === undefined || isEmpty(value.default) ? 'none' : code(JSON.stringify(value.default).replaceAll('"', ''));
    return [[code(`${prefix}${key}`), required.includes(key) ? 'required' : standard, asString(value.description) ?? '']];
  });
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
