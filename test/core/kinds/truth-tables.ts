/**
 * The truth tables of a kind, in its folder, plain text to be reviewed line by line: of its effects on protection in `truth.txt` and
 * `truth.<part>.txt`, and of its effects on playback in `playback.txt` and `playback.<part>.txt`.
 * Below `was`, a line is the value before, a column the value after, a cell a sign of effect-signs.ts or the first letter of a playback.
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
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Kind } from '../../../src/core/kinds/kind.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { jsonOf } from '../../support/fake-account.ts';
import type { ResourceSample } from './resource-samples.ts';
import { schemaFieldsOf } from './schema-fields.ts';

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

/** All tables of a kind about one axis: `truth` is its effect on protection, `playback` on playback. @throws Error where there is none */
export function tablesOf(kind: string, axis: 'truth' | 'playback' = 'truth'): readonly Table[] {
  const folder = new URL(`${kind}/`, import.meta.url);
  const all = existsSync(folder) ? readdirSync(folder) : [];
  const files = all.filter((file) => file.startsWith(`${axis}.`) && file.endsWith('txt'));
  if (files.length === 0) throw new Error(`write test/core/kinds/${kind}/${axis}.txt`);
  return files.flatMap((file) => tablesIn(readFileSync(new URL(file, folder), 'utf8')));
}

/** Returns the values of a table at the wanted paths of its documents. */
function valuesIn({ trials, columns, lines }: Table, isWanted: (path: string) => boolean): readonly Json[] {
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

/** The name for the absent resource of a create or a delete. */
export const ABSENT = 'nothing';

/** Returns the sample that a name of a trial means; null for the absent resource. */
export function sampleIn(trial: Trial, name: string, readSample: (document: JsonObject) => ResourceSample): ResourceSample | null {
  if (name === ABSENT) return null;
  const { document, field } = trial.namedValue(name);
  const sample = readSample(document);
  return field ? { ...sample, fields: put(sample.fields, field.path.split('/').slice(1), field.value) } : sample;
}

/** Returns the fields with another value at a path. @throws Error where the path does not exist */
function put(fields: JsonObject, [member = '', ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...fields, [member]: value };
  const inner = fields[member];
  if (!isJsonObject(inner)) throw new Error(`${member} holds no fields`);
  return { ...fields, [member]: put(inner, rest, value) };
}

/** Returns the fields without a table, and the values of the schema that no table contains. */
export function uncovered(kind: Pick<Kind, 'sections' | 'schema'>, tables: readonly Table[]): readonly string[] {
  return schemaFieldsOf(kind).flatMap(({ path, values }) => {
    if (!tables.some(({ fields }) => fields.some((field) => isAbout(field, path)))) return [path];
    const covered = new Set(tables.flatMap((table) => valuesIn(table, (tablePath) => isAbout(tablePath, path))).map(toNumber));
    return values.filter((value) => !covered.has(toNumber(value))).map((value) => `${path} ${JSON.stringify(value)}`);
  });
}

/** Decides whether a path of a table covers a path of the schema, where `*` is any element of a list; a list covers its elements. */
function isAbout(tablePath: string, schemaPath: string): boolean {
  const [tableSteps, schemaSteps] = [tablePath.split('/'), schemaPath.split('/')];
  const isPrefix = tableSteps.every((step, nth) => step === schemaSteps[nth] || schemaSteps[nth] === '*');
  return isPrefix && (tableSteps.length === schemaSteps.length || schemaSteps[tableSteps.length] === '*');
}

/** Turns booleans into numbers, as 0 and false, 1 and true mean the same in the configuration. */
function toNumber(value: Json): Json {
  return typeof value === 'boolean' ? Number(value) : value;
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
