/** Proposes templates and tables for exported playlists that follow a pattern (`export --templates`). */
import { MAX_EXPANDED_RESOURCES } from '../config/expand/budget.ts';
import { writeCell } from '../config/expand/csv.ts';
import { escapeVariables } from '../config/variables.ts';
import { mustBeEscaped, writeYaml } from '../config/yaml/syntax-nodes.ts';
import type { ConfigEntry } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import { isJsonObject, isList, type Json, type Path, pointer } from '../model/json.ts';
import { withoutTrailing } from '../model/trim.ts';

/** Number of playlists from which on a template and a table are shorter and clearer. */
export const MIN_ROWS = 10;

/** Maximum number of columns that a reader can take in. */
export const MAX_COLUMNS = 10;

/** A template, and the table of the playlists that it makes. */
export interface Table {
  /** The name of the template and of the file of the table. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** The body of the template. */
  readonly body: Json;
  /** The column of the keys; it may also be a parameter. */
  readonly keyColumn: string;
  /** The cells of each row, in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
  readonly entries: readonly ConfigEntry[];
}

/** A column of a table. One without a type is no parameter of the template. */
interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | null;
}

/** An entry, and its leaves: the texts and numbers in it, in the order in which they are written. */
interface Candidate {
  readonly entry: ConfigEntry;
  readonly leaves: readonly Leaf[];
}

interface Leaf {
  readonly path: Path;
  readonly value: Json;
}

/**
 * Proposes templates for entries of one section. Entries are grouped by their shape: the same fields, and lists of the same length. In a
 * group of ten or more, the leaves that differ become columns, and the others stay in the template. Where that makes more than ten columns,
 * the group is divided by the leaf with the fewest values that differ, and each part is tried again. The key of a row is the column that
 * equals all keys; where there is none, the keys become a column of their own. No column has a name in `reserved`.
 */
export function proposeTables(entries: readonly ConfigEntry[], reserved: Iterable<string>): readonly Table[] {
  const shapes = groupBy(entries, ({ value }) => JSON.stringify(shapeOf(value)));
  const groups = [...shapes.values()].flatMap((group) => divide(group.map((entry) => ({ entry, leaves: leavesOf(entry.value, []) }))));
  const reservedNames = new Set(reserved);
  const usedNames = new Set<string>();
  const tables: Table[] = [];
  let rows = 0;
  for (const { members, columns } of groups) {
    rows += members.length;
    if (rows > MAX_EXPANDED_RESOURCES) break;
    tables.push(toTable(members, columns, templateName(members, usedNames), reservedNames));
  }
  return tables;
}

/** Returns the form of a value with the leaves that may be cells taken out. Others are part of it, and so equal in all entries of a group. */
function shapeOf(value: Json): Json {
  if (isList(value)) return { list: value.map(shapeOf) };
  if (isJsonObject(value)) return { fields: Object.entries(value).map(([name, member]) => [name, shapeOf(member)]) };
  if (typeof value === 'string') return isCellText(value) ? 'string' : { text: value };
  return Number.isSafeInteger(value) ? 'integer' : { value };
}

/**
 * Decides whether a text can be a cell. An empty cell is a missing value, nothing can be escaped in a cell, neither invisible
 * characters nor commands of a CI system at the beginning of a line, and a spreadsheet would take some texts for a formula.
 */
function isCellText(text: string): boolean {
  return text !== '' && !mustBeEscaped(text) && !/^[=+@-]|\n::/.test(text);
}

function leavesOf(value: Json, path: Path): readonly Leaf[] {
  if (isList(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name])) : [{ path, value }];
}

/** Divides entries of one shape until each part of ten or more has few columns. Smaller parts are left out. */
function divide(members: readonly Candidate[]): readonly { readonly members: readonly Candidate[]; readonly columns: readonly number[] }[] {
  const [first] = members;
  if (first === undefined || members.length < MIN_ROWS) return [];
  const counts = first.leaves.map((_, index) => new Set(members.map(({ leaves }) => leaves[index]?.value)).size);
  const columns = [...counts.keys()].filter((index) => (counts[index] ?? 0) > 1);
  if (columns.length <= MAX_COLUMNS) return [{ members, columns }];
  const fewest = columns.reduce((a, b) => ((counts[b] ?? 0) < (counts[a] ?? 0) ? b : a));
  return [...groupBy(members, ({ leaves }) => leaves[fewest]?.value).values()].flatMap(divide);
}

function toTable(members: readonly Candidate[], leafIndexes: readonly number[], name: string, reserved: ReadonlySet<string>): Table {
  const [first] = members;
  const leaves = leafIndexes.flatMap((index) => first?.leaves[index] ?? []);
  const parameters = leaves.map(
    ({ path, value }): Column => ({ name: freeName(nameOfLeaf(path), reserved), type: typeof value === 'string' ? 'string' : 'integer' }),
  );
  const names = new Map(leaves.map(({ path }, index) => [pointer(path), parameters[index]?.name ?? '']));
  const cells = members.map(({ leaves: own }) => leafIndexes.map((index) => String(own[index]?.value)));
  const keys = members.map(({ entry }) => entry.key ?? '');
  const keyIndex = parameters.findIndex((_, column) => keys.every((key, row) => cells[row]?.[column] === key));
  const keyColumn = parameters[keyIndex] ?? { name: freeName('key', reserved), type: null };
  const isOwnColumn = keyColumn.type === null;
  return {
    name,
    columns: isOwnColumn ? [keyColumn, ...parameters] : parameters,
    body: toBody(first?.entry.value ?? {}, [], names),
    keyColumn: keyColumn.name,
    rows: isOwnColumn ? cells.map((row, index) => [keys[index] ?? '', ...row]) : cells,
    entries: members.map(({ entry }) => entry),
  };
}

/** Returns a name for a leaf: `desc`, and in lists `beam_1` for the first entry. */
function nameOfLeaf(path: Path): string {
  const index = path.findLast((step) => typeof step === 'number');
  return index === undefined ? String(path.at(-1)) : `${path.at(-1)}_${Number(index) + 1}`;
}

function freeName(name: string, reserved: ReadonlySet<string>): string {
  return reserved.has(name) ? freeName(`${name}_`, reserved) : name;
}

/** Returns the body of a template: a variable for each leaf with a name, and all other texts without variables. */
function toBody(value: Json, path: Path, names: ReadonlyMap<string, string>): Json {
  const name = names.get(pointer(path));
  if (name !== undefined) return `\${${name}}`;
  if (isList(value)) return value.map((item, index) => toBody(item, [...path, index], names));
  if (!isJsonObject(value)) return escapeVariables(value);
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, toBody(member, [...path, field], names)]));
}

/** Returns what the keys of the entries begin with, up to a dash, dot or underscore, and a number where that is in use. */
function templateName(members: readonly Candidate[], used: Set<string>): string {
  const [first = '', ...others] = members.map(({ entry }) => entry.key ?? '');
  const shared = others.reduce(commonBeginning, first.slice(0, -1));
  const base = withoutTrailing(shared.slice(0, shared.search(/[._-][^._-]*$/) + 1), '._-') || 'playlist';
  // Some file systems do not distinguish case.
  let name = base;
  for (let number = 2; used.has(name.toLowerCase()); number++) name = `${base}-${number}`;
  used.add(name.toLowerCase());
  return name;
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Writes the templates and the tables: one source file, and a CSV file beside it for each table. */
export function tableFiles(tables: readonly Table[]): readonly { readonly name: string; readonly text: string }[] {
  if (tables.length === 0) return [];
  const templates = tables.map(({ name, columns, body }): [string, Json] => {
    const params = columns.flatMap(({ name: column, type }): [string, Json][] => (type === null ? [] : [[column, type]]));
    return [name, { ...(params.length === 0 ? {} : { params: Object.fromEntries(params) }), playlist: body }];
  });
  const rows = tables.map(({ name, keyColumn }): Json => ({ file: `${name}.csv`, template: name, key: `\${${keyColumn}}` }));
  return [
    { name: 'templates.yaml', text: writeYaml({ templates: Object.fromEntries(templates), playlists_from: rows }) },
    ...tables.map(({ name, columns, rows: own }) => ({
      name: `${name}.csv`,
      text: writeCsv([columns.map((column) => column.name), ...own]),
    })),
  ];
}

function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => writeCell(cell, false)).join(',')}\n`).join('');
}
