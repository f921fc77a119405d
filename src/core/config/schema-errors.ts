/** Describes schema errors: their code, what is wrong, and how to fix it. */

import type { UnlocatedFinding } from '../kinds/kind.ts';
import type { FindingText } from '../model/finding.ts';
import { isObject, type Path } from '../model/json.ts';
import { withoutTrailing } from '../model/trim.ts';
import { suggest } from './did-you-mean.ts';
import type { PathSet } from './path-set.ts';
import type { SchemaError } from './validator.ts';

/** The service sets these members itself (drm-api-v3 section 2.1, playlist-api-v4 section 2.1). */
const serviceFields = new Set(['id', '_id', '@id', '@type', 'profile', 'created', 'lastmod', 'lmsig', 'owner']);

/**
 * Decides whether a schema error is a new finding: there is none at its path yet (`alreadyReported`). An error about a number is always
 * new, because `unquoted-id` names the cause better than the `ambiguous-number` of the parser; `dedupeFindings` keeps the better of the
 * two.
 */
export function isNotReportedYet({ path, value }: SchemaError, alreadyReported: PathSet): boolean {
  return typeof value === 'number' || !alreadyReported.contains(path);
}

/** Describes a schema error. `written` is the source text of the value, for hints that repeat it. */
export function describeSchemaError(error: SchemaError, written: string | undefined): UnlocatedFinding {
  return { path: error.path, ...(messageBuilders[error.keyword] ?? fallback)(error, written) };
}

/** Builds the text of a finding about a schema error, and its path where that is not the path of the error. */
type MessageBuilder = (error: SchemaError, written: string | undefined) => FindingText & Partial<UnlocatedFinding>;

const fallback: MessageBuilder = ({ path, value }) => ({
  code: 'invalid-value',
  summary: `${formatPath(path)} cannot be ${formatValue(value)}`,
});

const boundMessage =
  (words: string): MessageBuilder =>
  ({ path, value, keywordValue: limit }) => ({
    code: 'out-of-range',
    summary: `${formatPath(path)} must be ${words} ${String(limit)}; it is ${formatValue(value)}`,
    ...(value === 24 && limit === LAST_HOUR ? { hint: MIDNIGHT } : {}),
  });

/** The maximum of a field that takes an hour of the day. */
const LAST_HOUR = 23;

const MIDNIGHT = 'Midnight is the hour 0.';

const countMessage =
  (words: string, unit: string): MessageBuilder =>
  ({ path, keywordValue: limit }) => ({ code: 'out-of-range', summary: `${formatPath(path)} must have ${words} ${String(limit)} ${unit}` });

const messageBuilders: { readonly [keyword: string]: MessageBuilder } = {
  additionalProperties: unknownKey,
  type: wrongType,
  enum: notAllowed,
  const: (error) => notAllowed({ ...error, keywordValue: [error.keywordValue] }),
  required: missingKey,
  dependencies: missingKey,
  // Not of JSON Schema: what validator.ts reports where no form of a value fits, or several do.
  forms: notExactlyOneForm,
  minimum: boundMessage('at least'),
  maximum: boundMessage('at most'),
  exclusiveMinimum: boundMessage('above'),
  exclusiveMaximum: boundMessage('below'),
  multipleOf: boundMessage('a multiple of'),
  minItems: countMessage('at least', 'items'),
  maxItems: countMessage('at most', 'items'),
  minLength: countMessage('at least', 'characters'),
  maxLength: countMessage('at most', 'characters'),
  minProperties: countMessage('at least', 'entries'),
  maxProperties: countMessage('at most', 'entries'),
  uniqueItems: ({ path, earlierItem }) => ({
    code: 'duplicate-item',
    summary: `${formatPath(path)} is in the list already`,
    hint: 'Leave it out.',
    ...(earlierItem === undefined ? {} : { other: { path: earlierItem } }),
  }),
  pattern: ({ path, value, keywordValue: pattern }) => ({
    code: 'invalid-value',
    summary: `${formatPath(path)} cannot be ${formatValue(value)}`,
    hint: `It must match ${String(pattern)}`,
  }),
  propertyNames: ({ path, key = '', keywordValue: schema }) => ({
    code: 'invalid-key',
    summary: `${formatCode(key)} cannot be a key here`,
    hint: keyHint(key, member(schema, 'pattern')),
    path: [...path, key],
    part: 'key',
  }),
};

function unknownKey(error: SchemaError): FindingText & Partial<UnlocatedFinding> {
  const { path, key = '' } = error;
  const where = path.length === 0 ? '' : ` in ${formatPath(path)}`;
  const summary = `unknown key ${formatCode(key)}${where}`;
  return { code: 'unknown-key', summary, hint: () => hintAtKey(error, key), path: [...path, key], part: 'key' };
}

function hintAtKey({ path, schema }: SchemaError, key: string): string {
  // A key of `expand/expansion-schema.ts`, such as `with`, may be known here, but unusable.
  const known = Object.keys(isObject(schema.properties) ? schema.properties : {}).filter((name) => name !== key);
  const isOfService = serviceFields.has(key);
  // Items of lists are no objects of the service.
  if (isOfService && typeof path.at(-1) === 'string') return 'The service sets it; leave it out.';
  const near = isOfService ? undefined : suggest(key, known);
  const suggestion = invisibleHint(key) ?? (near === undefined ? misplacedKeyHint(key, schema) : `Did you mean ${formatCode(near)}?`);
  return suggestion ?? (known.length === 0 ? 'Leave it out.' : `Known here: ${known.toSorted().join(', ')}.`);
}

/** Returns the hint for a key that may look like a known one; undefined for any other key. */
function invisibleHint(key: string): string | undefined {
  if (/[^\S ]/.test(key)) return 'The key contains white space other than spaces, such as a no-break space: replace it by spaces.';
  return /\p{Cf}/u.test(key) ? 'The key contains an invisible character: write it again.' : undefined;
}

/** Returns the hint for a key that lacks a space after its colon, or that belongs elsewhere; undefined for any other key. */
function misplacedKeyHint(key: string, schema: SchemaError['schema']): string | undefined {
  const beforeColon = key.slice(0, Math.max(key.indexOf(':'), 0));
  if (member(schema.properties, beforeColon) !== undefined) return `Write a space after the colon of ${formatCode(`${beforeColon}:`)}`;
  const sections = Object.entries(isObject(schema.properties) ? schema.properties : {}).filter(([, section]) => {
    const name = String(member(member(section, 'additionalProperties'), '$ref')).replace('#/definitions/', '');
    return member(member(member(schema.definitions, name), 'properties'), key) !== undefined;
  });
  if (sections.length === 0) return undefined;
  return `It is a key of an entry of ${sections.map(([name]) => formatCode(name)).join(' or ')}: indent it below its entry.`;
}

const typeNames: { readonly [type: string]: string } = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'null',
};

function wrongType({ path, value, keywordValue: types, schema }: SchemaError, written: string | undefined): FindingText {
  const allowed = [...new Set([types].flat().map(String))];
  const expected = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  if (typeof value === 'number' && allowed.includes('string') && takesName(schema)) {
    const hint = `Put it in quotes: "${written ?? String(value)}"`;
    return {
      code: 'unquoted-id',
      summary: `${formatPath(path)} must be ${expected}, but YAML reads ${formatCode(written ?? String(value))} as a number`,
      hint,
    };
  }
  return {
    code: 'wrong-type',
    summary: `${formatPath(path)} must be ${expected}, not ${formatValue(value)}`,
    hint:
      exampleHint(value, allowed, schema) ??
      quoteHint(value, allowed) ??
      numberHint(path, value, allowed, schema) ??
      containerHint(path, value, allowed, schema),
  };
}

/** Decides whether a field takes an ID, a name or another text of the user's own, which can be a number in quotes. */
function takesName({ pattern, description }: SchemaError['schema']): boolean {
  return pattern !== undefined || typeof description !== 'string' || /(?<![-\w])(?:ID|name|key|description|message)\b/i.test(description);
}

/** Returns the hint for a number, true or false where a text of a certain form belongs; undefined for any other value. */
function exampleHint(value: unknown, allowed: readonly string[], schema: SchemaError['schema']): string | undefined {
  if (!['number', 'boolean'].includes(typeof value) || !allowed.includes('string') || takesName(schema)) return undefined;
  const [example] = [schema.examples].flat();
  return typeof example === 'string' && example !== '' ? `Write for example ${example}` : String(schema.description);
}

function quoteHint(value: unknown, allowed: readonly string[]): string | undefined {
  if (typeof value === 'boolean' && allowed.includes('string')) return `Put it in quotes: "${value}"`;
  if (allowed.every((type) => type === 'boolean')) return switchHint(value) ?? 'Write true or false, without quotes.';
  if (typeof value !== 'string') return undefined;
  const numeric = /^-?\d+$/.test(value) && (allowed.includes('integer') || allowed.includes('number'));
  return numeric ? 'Write it without quotes.' : undefined;
}

/** Returns the hint for another word or number that was meant as true or false; undefined for any other value. */
function switchHint(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const meant = [/^(?:yes|y|on|1)$/i, /^(?:no|n|off|0)$/i].findIndex((words) => words.test(String(value)));
  return meant < 0 ? undefined : `Write ${meant === 0} in its place; only true and false are switches in YAML 1.2.`;
}

/** Returns the hint for a value where a number belongs; undefined where none does. */
function numberHint(path: Path, value: unknown, allowed: readonly string[], schema: SchemaError['schema']): string | undefined {
  if (!allowed.includes('integer') && !allowed.includes('number')) return undefined;
  if (typeof value === 'number') return 'Write it without a fraction.';
  if (typeof value !== 'string') return undefined;
  if (/^-?\d[\d.,]*\s*[\p{L}%]/u.test(value)) return unitHint(path, value);
  const [, first, second] = /^(\d{1,3}):(\d\d)$/.exec(value) ?? [];
  if (first !== undefined && second !== undefined) return clockHint(path, Number(first), Number(second), schema);
  const [, number, mark] = /^(-?\d+)(?:[,;]$|(#))/.exec(value) ?? [];
  if (number === undefined) return variableHint(path, value) ?? plainNumberHint(allowed, schema);
  return `Write only the number: ${truncate(number)}${mark === undefined ? '' : '. A comment needs a space in front of #.'}`;
}

/** Returns the hint for a variable in the form of another program; undefined for any other text, and in upkeep.yaml, which has none. */
function variableHint(path: Path, value: string): string | undefined {
  const name = /^(?:\$|\{\{\s*)([A-Za-z_][\w.-]*)/.exec(value)?.[1];
  return name === undefined || path[0] === 'targets' ? undefined : `Write \${${truncate(name)}} for a variable.`;
}

function plainNumberHint(allowed: readonly string[], schema: SchemaError['schema']): string {
  const [example] = [schema.examples].flat().filter((each) => typeof each === 'number');
  return `Write a ${allowed.includes('number') ? '' : 'whole '}number, such as ${example ?? 30}.`;
}

const secondsPerUnit: { readonly [unit: string]: number } = {
  ...{ s: 1, sec: 1, second: 1, seconds: 1 },
  ...{ m: 60, min: 60, minute: 60, minutes: 60 },
  ...{ h: 3_600, hour: 3_600, hours: 3_600 },
  ...{ d: 86_400, day: 86_400, days: 86_400 },
};

/** Returns the hint for a time such as 20:30, where an hour of the day or a number of seconds belongs. */
function clockHint(path: Path, first: number, second: number, schema: SchemaError['schema']): string {
  if (isInSeconds(path)) return `In seconds: ${60 * first + second}, if it means minutes and seconds`;
  if (schema.maximum !== LAST_HOUR) return 'Write a number without a colon.';
  return first === 24 ? MIDNIGHT : `Write only the hour: ${first}`;
}

/** Decides whether the name of a field says that it is in seconds. */
function isInSeconds(path: Path): boolean {
  return /_seconds$|_duration$|^(?:ad|dur)$/.test(String(path.at(-1)));
}

/** Returns the hint for a number with a unit. It holds a number only where the name of the field says that it is in seconds. */
function unitHint(path: Path, value: string): string {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(value) ?? [];
  const seconds = Number(number) * Number(member(secondsPerUnit, unit));
  return isInSeconds(path) && Number.isSafeInteger(seconds) ? `In seconds: ${seconds}` : 'Write a number without a unit.';
}

/** Returns the hint for a value of another type where a map, a list or a text belongs. */
function containerHint(path: Path, value: unknown, allowed: readonly string[], schema: SchemaError['schema']): string | undefined {
  if (allowed.includes('object')) return mapHint(path.at(-1), value, schema);
  if (allowed.includes('array')) return 'Write a list: each item on a line of its own, after a dash and a space.';
  const isText = allowed.includes('string') && typeof value === 'object';
  return isText ? 'Write one text. Quote it if it begins with a bracket or contains a colon and a space.' : undefined;
}

/** Returns the hint for a value, at a key or an index, where a map belongs. */
function mapHint(key: string | number | undefined, value: unknown, schema: SchemaError['schema']): string | undefined {
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const named = properties.find(([name]) => new RegExp(`^${name}(?:[:\\s]|$)`).test(typeof value === 'string' ? value : ''));
  if (named !== undefined) return `Write a colon and a space after ${formatCode(named[0])}, then its value.`;
  if (typeof key === 'string' && member(schema.properties, key) !== undefined)
    return `${formatCode(key)} is a key of an entry of this map: indent it below its entry.`;
  const taking = keyTaking(value, properties, [schema.required ?? member(schema.else, 'required')].flat());
  if (taking === undefined) return Array.isArray(value) ? 'Write keys with a colon here, without a dash in front of them.' : undefined;
  return typeof value === 'object'
    ? `Write it below the key ${formatCode(`${taking}:`)}`
    : `Write ${formatCode(`${taking}: ${String(value)}`)}`;
}

/** Returns the required property that takes a value of this type, or the only property that does; undefined where there is none. */
function keyTaking(value: unknown, properties: readonly (readonly [string, unknown])[], required: readonly unknown[]): string | undefined {
  const type = Array.isArray(value) ? 'array' : typeof value === 'number' ? 'integer' : typeof value;
  const taking = properties.filter(([name, property]) => {
    const types = [member(property, 'type')].flat();
    return types.includes(type) || (required.includes(name) && types[0] === undefined && type === 'string');
  });
  const [only] = taking.length === 1 ? taking : taking.filter(([name]) => required.includes(name));
  return only?.[0];
}

function notAllowed({ path, value, keywordValue: values }: SchemaError): FindingText {
  const allowed = [values].flat();
  const same = typeof value === 'object' ? undefined : allowed.find((item) => String(item) === String(value));
  const near = typeof value === 'string' ? suggest(value, allowed.map(String)) : undefined;
  const quotes = same === undefined ? undefined : typeof same === 'string' ? 'Put it in quotes.' : 'Write it without quotes.';
  const switched = allowed.includes(true) ? switchHint(value) : undefined;
  const summary = `${formatPath(path)} must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(String).join(', ')}; it is ${formatValue(value)}`;
  return {
    code: 'invalid-value',
    summary,
    hint: quotes ?? switched ?? (near === undefined ? undefined : `Did you mean ${formatCode(near)}?`),
  };
}

function missingKey({ path, key = '', schema }: SchemaError): FindingText {
  const description = member(member(schema.properties, key), 'description');
  return {
    code: 'missing-key',
    summary: `${formatPath(path)} needs the key ${formatCode(key)}`,
    hint: typeof description === 'string' ? description : undefined,
  };
}

function notExactlyOneForm({ path, keywordValue: keysOfForms }: SchemaError): FindingText {
  const forms = [keysOfForms].flat(1).map((keys) =>
    [keys]
      .flat()
      .map((key) => formatCode(String(key)))
      .join(' with '),
  );
  return {
    code: 'invalid-value',
    summary: `${formatPath(path)} must have exactly one of these forms: ${forms.filter(Boolean).join(', ')}`,
  };
}

/** Returns the pattern of a key, and a similar key that matches it. */
function keyHint(key: string, pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const similar = withoutTrailing(key.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-._]+/, ''), '-');
  const matches = key.length <= MAX_SHOWN && new RegExp(pattern).test(similar);
  return `${matches ? `Write for example ${formatCode(similar)}. ` : ''}It must match ${pattern}`;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Formats the last key of a path, with the index after it: `playlist[3]`. */
export function formatPath(path: Path): string {
  const from = path.findLastIndex((step) => typeof step === 'string');
  const key = path[from];
  if (key === undefined) return 'the content';
  return formatCode(
    String(key) +
      path
        .slice(from + 1)
        .map((index) => `[${index}]`)
        .join(''),
  );
}

function formatCode(text: string): string {
  return `\`${truncate(text)}\``;
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  return typeof value === 'string' ? `"${truncate(value)}"` : String(value);
}

/** Number of characters of a text that a message shows, since values can be of any length. */
const MAX_SHOWN = 80;

function truncate(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
