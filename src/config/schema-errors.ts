/** Describes schema errors: their code, what is wrong, and how to fix it. */

import type { UnlocatedFinding } from '../kinds/kind.ts';
import type { FindingText } from '../model/finding.ts';
import { isObject, type Path } from '../model/json.ts';
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
export function isNewError({ path, value }: SchemaError, alreadyReported: PathSet): boolean {
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
  });

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
  uniqueItems: ({ path }) => ({
    code: 'duplicate-item',
    summary: `${formatPath(path)} is in the list already`,
    hint: 'Leave it out.',
  }),
  pattern: ({ path, value, keywordValue: pattern }) => ({
    code: 'invalid-value',
    summary: `${formatPath(path)} cannot be ${formatValue(value)}`,
    hint: `It must match ${String(pattern)}`,
  }),
  propertyNames: ({ path, key = '', keywordValue: schema }) => ({
    code: 'invalid-key',
    summary: `${formatCode(key)} cannot be a key here`,
    hint: patternHint(schema),
    path: [...path, key],
    part: 'key',
  }),
};

function unknownKey({ path, key = '', schema }: SchemaError): FindingText & Partial<UnlocatedFinding> {
  const known = Object.keys(isObject(schema.properties) ? schema.properties : {});
  const near = suggest(key, known);
  const knownKeys = known.length === 0 ? undefined : `Known here: ${known.toSorted().join(', ')}.`;
  const suggestion = near === undefined ? knownKeys : `Did you mean ${formatCode(near)}?`;
  const hint = serviceFields.has(key) ? 'The service sets it; leave it out.' : suggestion;
  const where = path.length === 0 ? '' : ` in ${formatPath(path)}`;
  return { code: 'unknown-key', summary: `unknown key ${formatCode(key)}${where}`, hint, path: [...path, key], part: 'key' };
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

function wrongType({ path, value, keywordValue: types }: SchemaError, written: string | undefined): FindingText {
  const allowed = [...new Set([types].flat().map(String))];
  const expected = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  if (typeof value === 'number' && allowed.includes('string')) {
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
    hint: quoteHint(value, allowed),
  };
}

function quoteHint(value: unknown, allowed: readonly string[]): string | undefined {
  if (typeof value === 'boolean' && allowed.includes('string')) return `Put it in quotes: "${value}"`;
  if (typeof value !== 'string') return undefined;
  if (allowed.includes('boolean') && /^(yes|no|on|off)$/i.test(value))
    return 'Write true or false; YAML 1.2 knows no other words for them.';
  const numeric = /^-?\d+$/.test(value) && (allowed.includes('integer') || allowed.includes('number'));
  const boolean = (value === 'true' || value === 'false') && allowed.includes('boolean');
  return numeric || boolean ? 'Write it without quotes.' : undefined;
}

function notAllowed({ path, value, keywordValue: values }: SchemaError): FindingText {
  const allowed = [values].flat();
  const same = typeof value === 'object' ? undefined : allowed.find((item) => String(item) === String(value));
  const near = typeof value === 'string' ? suggest(value, allowed.map(String)) : undefined;
  const quotes = same === undefined ? undefined : typeof same === 'string' ? 'Put it in quotes.' : 'Write it without quotes.';
  const summary = `${formatPath(path)} must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(String).join(', ')}; it is ${formatValue(value)}`;
  return { code: 'invalid-value', summary, hint: quotes ?? (near === undefined ? undefined : `Did you mean ${formatCode(near)}?`) };
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

function patternHint(schema: unknown): string | undefined {
  const pattern = member(schema, 'pattern');
  return typeof pattern === 'string' ? `It must match ${pattern}` : undefined;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Formats the last key of a path, with the index after it: `playlist[3]`. */
function formatPath(path: Path): string {
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

/** Truncates a text for a message, since values can be of any length. */
function truncate(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
