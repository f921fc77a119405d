/** Validates the merged sources against one schema, which combines the schemas of the kinds, and tells which of their parts are invalid. */
import type { Kind } from '../kinds/kind.ts';
import { isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';
import { movesSchema } from './moved-and-removed.ts';
import { describeSchemaError, type SchemaErrorMessage } from './schema-errors.ts';
import { createValidator, type ValidationResult } from './validator.ts';

/** Schema of `adopt`, which all kinds share: remote IDs by address. */
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
 * Returns the schema errors of the merged sources, except those at paths that are invalid already; `written` returns the source text of a
 * path. An invalid number is checked all the same: the message can then say that it is an ID without quotes.
 */
export function validate(
  merged: JsonObject,
  isInvalid: (path: Path) => boolean,
  kinds: readonly Kind[],
  written: (path: Path) => string | undefined,
): readonly SchemaErrorMessage[] {
  const result = validatorFor(kinds)(merged);
  if ('value' in result) return [];
  return result.mismatches
    .filter((error) => typeof error.value === 'number' || !isInvalid(error.path))
    .map((error) => describeSchemaError(error, typeof error.value === 'number' ? written(error.path) : undefined));
}

/** Returns the sections whose members are resources or names; each other section is one value. */
export function keyedSections(kinds: readonly Kind[]): ReadonlySet<string> {
  return new Set([
    'adopt',
    ...kinds.filter((kind) => kind.type === 'collection').flatMap((kind) => kind.sections.map((section) => section.key)),
  ]);
}

/** Compiled validators by list of kinds: compiling takes longer than validating, and all targets have the same kinds. */
const validators = new WeakMap<readonly Kind[], (value: unknown) => ValidationResult<JsonObject>>();

function validatorFor(kinds: readonly Kind[]): (value: unknown) => ValidationResult<JsonObject> {
  const known = validators.get(kinds) ?? createValidator<JsonObject>(sourceSchema(kinds));
  validators.set(kinds, known);
  return known;
}

/**
 * Builds the schema of a source file: the sections and definitions of every kind, and `adopt`, `moved` and `removed`.
 * `schemas/source.schema.json` is the same schema, for editors.
 * @throws Error when two kinds claim one section or definition, which is a bug in upkeep.
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

function disjoint(noun: string, tables: readonly { readonly [name: string]: unknown }[]): { readonly [name: string]: unknown } {
  const all: { [name: string]: unknown } = {};
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if (Object.hasOwn(all, name)) throw new Error(`two kinds claim the ${noun} ${name}`);
    all[name] = value;
  }
  return all;
}

/** Returns the sections of a kind, or undefined where the merged sources have none. */
export function sectionsOf(kind: Kind, merged: JsonObject): { readonly [section: string]: Json } | undefined {
  const present = kind.sections.flatMap(({ key }): [string, Json][] => (merged[key] === undefined ? [] : [[key, merged[key]]]));
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

/** Invalid parts of the merged sources. */
export interface InvalidPaths {
  /** Decides whether a path is invalid or below an invalid path. */
  contains(path: Path): boolean;
  /** Decides whether any part of a section may be invalid or missing. */
  affectsSection(section: string): boolean;
}

/** Builds the set of invalid paths. The empty path means that content is missing, which may have been part of any section. */
export function invalidPathsOf(paths: readonly Path[]): InvalidPaths {
  const known = new Set(paths.filter((path) => path.length > 0).map(pointer));
  const sections = new Set(paths.map(([section]) => section));
  return {
    contains: (path) => known.size > 0 && path.some((_, index) => known.has(pointer(path.slice(0, index + 1)))),
    affectsSection: (section) => sections.has(section) || sections.has(undefined),
  };
}

/** Returns the path that an error invalidates; empty for an unknown section, which may be a misspelling of any other. */
export function invalidBy({ code, path }: { readonly code: string; readonly path: Path }): Path {
  return code === 'unknown-key' && path.length === 1 ? [] : path;
}

/** Returns the sections without invalid parts: keyed sections without their invalid members, other sections only if they are valid. */
export function withoutInvalid(merged: JsonObject, paths: readonly Path[], keyed: ReadonlySet<string>): JsonObject {
  if (paths.length === 0) return merged;
  const removed = new Set(paths.map((path) => pointer(path.slice(0, keyed.has(String(path[0])) ? 2 : 1))));
  const validMembers = (fields: JsonObject, path: Path): JsonObject => {
    const kept: { [key: string]: Json } = Object.create(null);
    for (const [key, value] of Object.entries(fields)) if (!removed.has(pointer([...path, key]))) kept[key] = value;
    return kept;
  };
  const sections: { [section: string]: Json } = Object.create(null);
  for (const [section, content] of Object.entries(validMembers(merged, [])))
    sections[section] = keyed.has(section) && isJsonObject(content) ? validMembers(content, [section]) : content;
  return sections;
}
