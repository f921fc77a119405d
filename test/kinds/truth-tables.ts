/**
 * The truth tables of effects: `truth.txt` in the folder of each kind, and `truth.<part>.txt`, plain text to be reviewed line by line.
 * Below `was`, a line is the value before, a column the value after, a cell a sign of effect-signs.ts.
 *
 *     let five = {..}            what `$five` means in the lines of the file
 *     table allow_airplay        a title; the table ends where the next one begins
 *     from drm-api-v3 section 2.2     the section of the documents
 *     of /a/{b,c} [given {..}]   the fields that it is about; without `value`, the names are their values, in turn
 *     given {..}                 what every document of the table contains
 *     value NAME = {..}          the document that a name means
 *     default NAME               means the default: its line also applies to a create, its column to a delete
 *
 * Documents are YAML, in the form of the API.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { jsonOf } from '../support/fake-account.ts';

/** The value that a name has: a document, and a value at a path of its canonical fields. */
export interface NamedValue {
  readonly document: JsonObject;
  readonly field?: { readonly path: string; readonly value: Json };
}

/** A table applied to one of its fields, or to whole documents. */
export interface Trial {
  readonly title: string;
  /** Whether nothing is set beside the named values. */
  readonly isPlain: boolean;
  /** The names that have a document; none where names are values. */
  readonly names: readonly string[];
  readonly namedValue: (name: string) => NamedValue;
}

export interface Table {
  readonly title: string;
  readonly from: string;
  /** JSON Pointers into canonical fields; `*` is any element of a list. */
  readonly fields: readonly string[];
  readonly trials: readonly Trial[];
  readonly columns: readonly string[];
  readonly lines: readonly (readonly [name: string, signs: readonly string[]])[];
  readonly defaultName: string | undefined;
}

/** All tables of a kind. */
export function tablesOf(kind: string): readonly Table[] {
  const folder = new URL(`${kind}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => /^truth\..*txt$/.test(file));
  return files.flatMap((file) => tablesIn(readFileSync(new URL(file, folder), 'utf8')));
}

/** Returns the values of a table at the wanted paths of its documents. */
export function valuesIn({ trials, columns, lines }: Table, isWanted: (path: string) => boolean): readonly Json[] {
  const allNames = new Set([...columns, ...lines.map(([name]) => name)]);
  const values = trials.flatMap(({ names, namedValue }) => (names.length > 0 ? names : [...allNames]).map(namedValue));
  return values.flatMap(({ document, field }) =>
    [...scalarsIn(document, ''), ...(field ? [field] : [])].flatMap(({ path, value }) => (isWanted(path) ? [value] : [])),
  );
}

function scalarsIn(value: Json, path: string): readonly { readonly path: string; readonly value: Json }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([step, inner]) => scalarsIn(inner, `${path}/${step}`));
}

/** Parses the tables of a text. @throws Error where one is incomplete */
export function tablesIn(text: string): readonly Table[] {
  const lets = new Map([...text.matchAll(/^let (\S+) *= *(.+)$/gm)].map(([, name = '', value = '']) => [name, value]));
  const full = text.replace(/^(#|let ).*$/gm, '').replace(/\$([\w+-]+)/g, (_all, name) => lets.get(name) ?? fail(`nothing is ${name}`));
  return full
    .split(/^table /m)
    .slice(1)
    .map(tableOf);
}

function tableOf(text: string): Table {
  const [title = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const head = lines.findIndex((line) => /^was /.test(line));
  const [, ...columns] = (lines[head] ?? fail(`${title}: no line begins with was`)).split(/\s+/);
  const settingsNamed = (word: string) =>
    lines.slice(0, head).flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length).trim()] : []));
  const [from = fail(`${title}: no source`)] = settingsNamed('from');
  const [defaultName] = settingsNamed('default');
  const fieldGroups = settingsNamed('of').map(fieldGroupOf);
  const given = documentOf(settingsNamed('given')[0]);
  const values = new Map(settingsNamed('value').map((line) => namedDocument(line, given)));
  return {
    title,
    from,
    fields: fieldGroups.flatMap(({ fields }) => fields),
    trials: values.size === 0 ? fieldGroups.flatMap((about) => trialsOf(title, about, given)) : [trialOfDocuments(title, values)],
    columns,
    lines: lines.slice(head + 1).map((line) => lineOf(line, columns.length)),
    defaultName,
  };
}

function lineOf(line: string, width: number): Table['lines'][number] {
  const [name = '', ...signs] = line.split(/\s+/);
  return signs.length === width ? [name, signs] : fail(`${name} has ${signs.length} cells for ${width} columns`);
}

/** The fields of one `of`, and the settings beside them. */
interface FieldGroup {
  readonly fields: readonly string[];
  readonly given: JsonObject;
}

function fieldGroupOf(line: string): FieldGroup {
  const [paths = '', given] = line.split(' given ');
  return { fields: paths.trim().split(/\s+/).flatMap(expandBraces), given: documentOf(given) };
}

/** Expands the braces of a path. */
function expandBraces(path: string): readonly string[] {
  const [, before = '', choices = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(path) ?? [];
  return choices === '' ? [path] : choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

function trialsOf(table: string, { fields, given }: FieldGroup, common: JsonObject): readonly Trial[] {
  const document = merged(common, given);
  const isPlain = Object.keys(document).length === 0;
  const suffix = isPlain ? '' : ` given ${JSON.stringify(document)}`;
  return fields.map((path) => ({
    title: `${table}: ${path}${suffix}`,
    isPlain,
    names: [],
    namedValue: (name) => ({ document, field: { path, value: jsonOf(parse(name)) } }),
  }));
}

function trialOfDocuments(title: string, values: ReadonlyMap<string, JsonObject>): Trial {
  const namedValue = (name: string) => ({ document: values.get(name) ?? fail(`${title}: nothing is ${name}`) });
  return { title, isPlain: true, names: [...values.keys()], namedValue };
}

function namedDocument(line: string, given: JsonObject): readonly [string, JsonObject] {
  const [, name = '', yaml] = /^(\S+) *= *(.*)$/.exec(line) ?? [];
  return [name, merged(given, documentOf(yaml))];
}

function documentOf(yaml = '{}'): JsonObject {
  const document = jsonOf(parse(yaml));
  return isJsonObject(document) ? document : fail(`${yaml} is no document`);
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([member, value]): [string, Json] => {
    const mine = one[member];
    return [member, isJsonObject(mine) && isJsonObject(value) ? merged(mine, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

function fail(why: string): never {
  throw new Error(why);
}
