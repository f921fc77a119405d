/**
 * The truth tables of effects: `truth.txt` in the column of each kind, and `truth.<part>.txt`, plain text to be reviewed line by line.
 * Below `was`, a line is what was, a column what will be, a cell a sign of truth.ts.
 *
 *     let five = {..}            what `$five` stands for in the lines of the file
 *     table allow_airplay        a title; the table ends where the next one begins
 *     from drm-api-v3 section 2.2     where the documents say so
 *     of /a/{b,c} [given {..}]   the fields that it is about; without `value`, the names are their values, in turn
 *     given {..}                 what every document of the table holds
 *     value NAME = {..}          the document that a name stands for
 *     default NAME               stands for the default: its line is what a create does as well, its column what a delete does
 *
 * Documents are YAML, in the API's own words.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { jsonOf } from '../support/fake-account.ts';

/** What a name stands for: a document, and a value at a place of its canonical fields. */
export interface Meaning {
  readonly document: JsonObject;
  readonly put?: { readonly path: string; readonly value: Json };
}

/** A table, tried on one of its fields or on whole documents. */
export interface Trial {
  readonly title: string;
  /** Whether nothing is set beside what the names say. */
  readonly isPlain: boolean;
  /** The names that were given a document; none where names are values. */
  readonly names: readonly string[];
  readonly meaningOf: (name: string) => Meaning;
}

export interface Table {
  readonly title: string;
  readonly from: string;
  /** JSON Pointers into canonical fields; `*` is any element of a list. */
  readonly fields: readonly string[];
  readonly trials: readonly Trial[];
  readonly columns: readonly string[];
  readonly lines: readonly (readonly [name: string, signs: readonly string[]])[];
  readonly standard: string | undefined;
}

/** All tables of a kind. */
export function tablesOf(kind: string): readonly Table[] {
  const folder = new URL(`${kind}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => /^truth\..*txt$/.test(file));
  return files.flatMap((file) => tablesIn(readFileSync(new URL(file, folder), 'utf8')));
}

/** The values that a table tries at the places that are asked for, in the documents as they are written. */
export function valuesIn({ trials, columns, lines }: Table, isAsked: (path: string) => boolean): readonly Json[] {
  const values = new Set([...columns, ...lines.map(([name]) => name)]);
  const meanings = trials.flatMap(({ names, meaningOf }) => (names.length > 0 ? names : [...values]).map(meaningOf));
  return meanings.flatMap(({ document, put }) =>
    [...scalarsIn(document, ''), ...(put ? [put] : [])].flatMap(({ path, value }) => (isAsked(path) ? [value] : [])),
  );
}

function scalarsIn(value: Json, path: string): readonly { readonly path: string; readonly value: Json }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([step, inner]) => scalarsIn(inner, `${path}/${step}`));
}

/** The tables of a text. @throws Error where one is not complete */
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
  const said = (word: string) =>
    lines.slice(0, head).flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length).trim()] : []));
  const [from = fail(`${title}: no source`)] = said('from');
  const [standard] = said('default');
  const abouts = said('of').map(aboutOf);
  const common = documentOf(said('given')[0]);
  const values = new Map(said('value').map((line) => namedIn(line, common)));
  return {
    title,
    from,
    fields: abouts.flatMap(({ fields }) => fields),
    trials: values.size === 0 ? abouts.flatMap((about) => trialsOf(title, about, common)) : [trialOfDocuments(title, values)],
    columns,
    lines: lines.slice(head + 1).map((line) => lineOf(line, columns.length)),
    standard,
  };
}

function lineOf(line: string, width: number): Table['lines'][number] {
  const [name = '', ...signs] = line.split(/\s+/);
  return signs.length === width ? [name, signs] : fail(`${name} has ${signs.length} cells for ${width} columns`);
}

/** The fields of one `of`, and what is set beside them. */
interface About {
  readonly fields: readonly string[];
  readonly beside: JsonObject;
}

function aboutOf(line: string): About {
  const [paths = '', given] = line.split(' given ');
  return { fields: paths.trim().split(/\s+/).flatMap(spread), beside: documentOf(given) };
}

/** A path with braces, written out. */
function spread(path: string): readonly string[] {
  const [, before = '', choices = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(path) ?? [];
  return choices === '' ? [path] : choices.split(',').flatMap((choice) => spread(before + choice + after));
}

function trialsOf(table: string, { fields, beside }: About, common: JsonObject): readonly Trial[] {
  const document = merged(common, beside);
  const isPlain = Object.keys(document).length === 0;
  const given = isPlain ? '' : ` given ${JSON.stringify(document)}`;
  return fields.map((path) => ({
    title: `${table}: ${path}${given}`,
    isPlain,
    names: [],
    meaningOf: (name) => ({ document, put: { path, value: jsonOf(parse(name)) } }),
  }));
}

function trialOfDocuments(title: string, values: ReadonlyMap<string, JsonObject>): Trial {
  const meaningOf = (name: string) => ({ document: values.get(name) ?? fail(`${title}: nothing is ${name}`) });
  return { title, isPlain: true, names: [...values.keys()], meaningOf };
}

function namedIn(line: string, common: JsonObject): readonly [string, JsonObject] {
  const [, name = '', yaml] = /^(\S+) *= *(.*)$/.exec(line) ?? [];
  return [name, merged(common, documentOf(yaml))];
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
