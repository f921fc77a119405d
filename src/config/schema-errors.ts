/** The words for what a schema refuses: code, what is wrong, what would be right. */
import { isObject, type Path } from '../model/json.ts';
import { suggest } from './did-you-mean.ts';
import type { SchemaError } from './validator.ts';
import type { Point } from './yaml/parse.ts';

/** A mistake in words, with the path of what is to be shown. */
export interface SchemaErrorMessage {
  readonly code: string;
  readonly summary: string;
  readonly hint?: string | undefined;
  readonly path: Path;
  readonly point: Point;
}

/** The service sets these members itself (drm-api-v3 section 2.1, playlist-api-v4 section 2.1). */
const serviceFields = new Set(['id', '_id', '@id', '@type', 'profile', 'created', 'lastmod', 'lmsig', 'owner']);

/** Describes a mismatch. `written` is the source text of the value, for hints that repeat it. */
export function describeSchemaError(error: SchemaError, written: string | undefined): SchemaErrorMessage {
  const at = { path: error.path, point: 'value' } as const;
  return { ...at, ...(writers[error.keyword] ?? fallback)(error, written) };
}

type Words = Pick<SchemaErrorMessage, 'code' | 'summary' | 'hint'> & Partial<Pick<SchemaErrorMessage, 'path' | 'point'>>;
type Writer = (error: SchemaError, written: string | undefined) => Words;

const fallback: Writer = ({ path, value }) => ({ code: 'invalid-value', summary: `${name(path)} cannot be ${shown(value)}` });

const bound =
  (words: string): Writer =>
  ({ path, value, limit }) => ({ code: 'out-of-range', summary: `${name(path)} must be ${words} ${String(limit)}; it is ${shown(value)}` });

const count =
  (words: string, unit: string): Writer =>
  ({ path, limit }) => ({ code: 'out-of-range', summary: `${name(path)} must have ${words} ${String(limit)} ${unit}` });

const writers: { readonly [keyword: string]: Writer } = {
  additionalProperties: unknownKey,
  type: wrongType,
  enum: notAllowed,
  const: (error) => notAllowed({ ...error, limit: [error.limit] }),
  required: missingKey,
  dependencies: missingKey,
  forms: severalForms,
  minimum: bound('at least'),
  maximum: bound('at most'),
  exclusiveMinimum: bound('above'),
  exclusiveMaximum: bound('below'),
  multipleOf: bound('a multiple of'),
  minItems: count('at least', 'items'),
  maxItems: count('at most', 'items'),
  minLength: count('at least', 'characters'),
  maxLength: count('at most', 'characters'),
  minProperties: count('at least', 'entries'),
  maxProperties: count('at most', 'entries'),
  uniqueItems: ({ path }) => ({
    code: 'duplicate-item',
    summary: `${name(path)} is in the list already`,
    hint: 'Leave it out.',
  }),
  pattern: ({ path, value, limit }) => ({
    code: 'invalid-value',
    summary: `${name(path)} cannot be ${shown(value)}`,
    hint: `It must match ${String(limit)}`,
  }),
  propertyNames: ({ path, key = '', limit }) => ({
    code: 'invalid-key',
    summary: `${quoted(key)} cannot be a key here`,
    hint: patternHint(limit),
    path: [...path, key],
    point: 'key',
  }),
};

function unknownKey({ path, key = '', schema }: SchemaError): Words {
  const known = Object.keys(isObject(schema.properties) ? schema.properties : {});
  const near = suggest(key, known);
  const others = known.length === 0 ? undefined : `Known here: ${known.toSorted().join(', ')}.`;
  const meant = near === undefined ? others : `Did you mean ${quoted(near)}?`;
  const hint = serviceFields.has(key) ? 'The service sets it; leave it out.' : meant;
  const where = path.length === 0 ? '' : ` in ${name(path)}`;
  return { code: 'unknown-key', summary: `unknown key ${quoted(key)}${where}`, hint, path: [...path, key], point: 'key' };
}

const typeWords: { readonly [type: string]: string } = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'null',
};

function wrongType({ path, value, limit }: SchemaError, written: string | undefined): Words {
  const allowed = [...new Set([limit].flat().map(String))];
  const wanted = allowed.map((type) => typeWords[type] ?? type).join(' or ');
  if (typeof value === 'number' && allowed.includes('string')) {
    const hint = `Put it in quotes: "${written ?? String(value)}"`;
    return {
      code: 'unquoted-id',
      summary: `${name(path)} must be ${wanted}, but YAML reads ${quoted(written ?? String(value))} as a number`,
      hint,
    };
  }
  return { code: 'wrong-type', summary: `${name(path)} must be ${wanted}, not ${shown(value)}`, hint: quoteHint(value, allowed) };
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

function notAllowed({ path, value, limit }: SchemaError): Words {
  const allowed = [limit].flat();
  const same = typeof value === 'object' ? undefined : allowed.find((item) => String(item) === String(value));
  const near = typeof value === 'string' ? suggest(value, allowed.map(String)) : undefined;
  const quotes = same === undefined ? undefined : typeof same === 'string' ? 'Put it in quotes.' : 'Write it without quotes.';
  const summary = `${name(path)} must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(String).join(', ')}; it is ${shown(value)}`;
  return { code: 'invalid-value', summary, hint: quotes ?? (near === undefined ? undefined : `Did you mean ${quoted(near)}?`) };
}

function missingKey({ path, key = '', schema }: SchemaError): Words {
  const meaning = member(member(schema.properties, key), 'description');
  return {
    code: 'missing-key',
    summary: `${name(path)} needs the key ${quoted(key)}`,
    hint: typeof meaning === 'string' ? meaning : undefined,
  };
}

function severalForms({ path, limit }: SchemaError): Words {
  const forms = [limit].flat(1).map((keys) =>
    [keys]
      .flat()
      .map((key) => quoted(String(key)))
      .join(' with '),
  );
  return { code: 'invalid-value', summary: `${name(path)} must have exactly one of these forms: ${forms.filter(Boolean).join(', ')}` };
}

function patternHint(schema: unknown): string | undefined {
  const pattern = member(schema, 'pattern');
  return typeof pattern === 'string' ? `It must match ${pattern}` : undefined;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The last key of a path, with the index behind it: `playlist[3]`. */
function name(path: Path): string {
  const from = path.findLastIndex((step) => typeof step === 'string');
  const key = path[from];
  if (key === undefined) return 'the content';
  return quoted(
    String(key) +
      path
        .slice(from + 1)
        .map((index) => `[${index}]`)
        .join(''),
  );
}

function quoted(text: string): string {
  return `\`${cut(text)}\``;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  return typeof value === 'string' ? `"${cut(value)}"` : String(value);
}

/** Values are data of any length; a message shows their beginning. */
function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
