/** validate: the merged sources against one schema, composed of the kinds' own. */
import type { Kind } from '../kinds/kind.ts';
import type { Json, JsonObject, Path } from '../model/json.ts';
import { movesSchema } from './moves.ts';
import { describeSchemaError, type SchemaErrorMessage } from './schema-errors.ts';
import { createValidator, type ValidationResult } from './validator.ts';

/** Keyed by address: what `adopt` says is the engine's, for every kind. */
const adoptSchema = {
  description:
    'Binds live objects explicitly, before every other rule: the address of a declared resource and the remote ID of its object.',
  type: 'object',
  propertyNames: { minLength: 1 },
  additionalProperties: {
    description: 'The remote ID.',
    type: 'string',
    pattern: '^[!-~]+$',
    examples: ['8bd3a1f05c7e4d2b9f6e1a0c3d5b7e92'],
  },
  examples: [{ 'playlist/evening-block': '8bd3a1f05c7e4d2b9f6e1a0c3d5b7e92' }],
};

/**
 * Mistakes of the merged sources, but for what follows from paths that are refused already; `written` gives the source text at a path.
 * A refused number is looked at all the same: as an ID without quotes it can be told better.
 */
export function validate(
  merged: JsonObject,
  isRefused: (path: Path) => boolean,
  kinds: readonly Kind[],
  written: (path: Path) => string | undefined,
): readonly SchemaErrorMessage[] {
  const checked = checkerFor(kinds)(merged);
  if ('value' in checked) return [];
  return checked.mismatches
    .filter((error) => typeof error.value === 'number' || !isRefused(error.path))
    .map((error) => describeSchemaError(error, typeof error.value === 'number' ? written(error.path) : undefined));
}

/** Sections whose members are resources or names; the others are one value each. */
export function keyedSections(kinds: readonly Kind[]): ReadonlySet<string> {
  return new Set(['adopt', ...kinds.filter((kind) => !kind.singleton).flatMap((kind) => kind.sections.map((section) => section.key))]);
}

/** Compiling takes longer than checking, and every target is checked against the same kinds. */
const checkers = new WeakMap<readonly Kind[], (value: unknown) => ValidationResult<JsonObject>>();

function checkerFor(kinds: readonly Kind[]): (value: unknown) => ValidationResult<JsonObject> {
  const known = checkers.get(kinds) ?? createValidator<JsonObject>(sourceSchema(kinds));
  checkers.set(kinds, known);
  return known;
}

/**
 * The schema of a source file: every kind's sections and definitions, and `adopt`, `moved` and `removed`. `schemas/source.schema.json` is this one, for editors.
 * @throws Error when two kinds claim one section or definition, which is a mistake in the program.
 */
export function sourceSchema(kinds: readonly Kind[]): { readonly [keyword: string]: unknown } {
  const properties = disjoint('section', [{ adopt: adoptSchema, ...movesSchema }, ...kinds.map((kind) => kind.schema.properties)]);
  const definitions = disjoint(
    'definition',
    kinds.map((kind) => kind.schema.definitions ?? {}),
  );
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'upkeep source file', description: SOURCES };
  return { ...head, type: 'object', properties, additionalProperties: false, definitions };
}

const SOURCES = 'What an account should hold, in any number of files. A kind of which no key is written is neither read nor touched.';

function disjoint(what: string, tables: readonly { readonly [name: string]: unknown }[]): { readonly [name: string]: unknown } {
  const all: { [name: string]: unknown } = {};
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if (Object.hasOwn(all, name)) throw new Error(`two kinds claim the ${what} ${name}`);
    all[name] = value;
  }
  return all;
}

/** The part of the merged sources that belongs to a kind, or undefined where it has none. */
export function sectionsOf(kind: Kind, merged: JsonObject): { readonly [section: string]: Json } | undefined {
  const present = kind.sections.flatMap(({ key }): [string, Json][] => (merged[key] === undefined ? [] : [[key, merged[key]]]));
  return present.length === 0 ? undefined : Object.fromEntries(present);
}
