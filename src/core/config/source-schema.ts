/** Combines the schemas of the kinds to the schema of the sources, and validates the merged sources by it. */
import type { Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { isObject, type Json, type JsonObject, type Path } from '../model/json.ts';
import { adoptSchema } from './adopt.ts';
import { expansionPropertiesAt } from './expand/expansion-schema.ts';
import { ignoreChangesSchema } from './ignore-changes.ts';
import { movesSchema } from './moved-and-removed.ts';
import type { PathSet } from './path-set.ts';
import { describeSchemaError, isNotReportedYet } from './schema-errors.ts';
import { createValidator, type SchemaError, type ValidationResult } from './validator.ts';

/**
 * Returns the schema errors of the merged sources, except those that only repeat a finding at the paths `alreadyReported`. `written`
 * returns the source text of a path, `entryListNames` are those that an item may include.
 */
export function validateSources(
  merged: JsonObject,
  alreadyReported: PathSet,
  kinds: readonly Kind[],
  written: (path: Path) => string | undefined,
  entryListNames: ReadonlySet<string> = new Set(),
): readonly UnlocatedFinding[] {
  const result = validatorFor(kinds)(merged);
  if ('value' in result) return [];
  return result.errors
    .filter((error) => isNotReportedYet(error, alreadyReported))
    .map((error) => {
      const finding = describeSchemaError(
        withExpansionKeys(error, kinds),
        typeof error.value === 'number' ? written(error.path) : undefined,
      );
      const isListName = error.keyword === 'type' && typeof error.value === 'string' && entryListNames.has(error.value);
      return isListName ? { ...finding, hint: `Write \`include: ${String(error.value)}\`` } : finding;
    });
}

/** Adds `template`, `with` and the like to the keys that the hint about an unknown key may suggest: expanded sources no longer have them. */
function withExpansionKeys(error: SchemaError, kinds: readonly Kind[]): SchemaError {
  if (error.keyword !== 'additionalProperties') return error;
  const properties = isObject(error.schema.properties) ? error.schema.properties : {};
  return { ...error, schema: { ...error.schema, properties: { ...properties, ...expansionPropertiesAt(error.path, kinds) } } };
}

/** Returns the sections that are merged member by member, because their members are resources or names. Any other section is one value. */
export function keyedSections(kinds: readonly Kind[]): ReadonlySet<string> {
  return new Set([
    'adopt',
    ...kinds.filter((kind) => kind.type === 'collection').flatMap((kind) => kind.sections.map((section) => section.key)),
  ]);
}

/** Compiled validators by list of kinds: compiling takes longer than validating, and all targets have the same kinds. */
const validators = new WeakMap<readonly Kind[], (value: unknown) => ValidationResult<JsonObject>>();

function validatorFor(kinds: readonly Kind[]): (value: unknown) => ValidationResult<JsonObject> {
  const known = validators.get(kinds) ?? createValidator<JsonObject>(expandedSchema(kinds));
  validators.set(kinds, known);
  return known;
}

/**
 * Builds the schema of the expanded sources: the sections and definitions of every kind, and `adopt`, `moved`, `removed` and
 * `ignore_changes`. `schemas/expanded.schema.json` is the same schema; editors use `schemas/source.schema.json`, which has the expansion
 * keys, too.
 * @throws Error when two kinds claim one section or definition, which is a bug in upkeep.
 */
export function expandedSchema(kinds: readonly Kind[]): { readonly [keyword: string]: unknown } {
  const properties = disjoint('section', [
    { adopt: adoptSchema, ...movesSchema, ...ignoreChangesSchema },
    ...kinds.map((kind) => kind.schema.properties),
  ]);
  const definitions = disjoint(
    'definition',
    kinds.map((kind) => kind.schema.definitions ?? {}),
  );
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Expanded upkeep sources', description: SOURCES };
  return { ...head, type: 'object', properties, additionalProperties: false, definitions };
}

const SOURCES = 'What an account should hold, in any number of files. Kinds without a section in the sources are neither read nor changed.';

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

/** Returns the path that a schema error makes invalid. It is empty for an unknown section, which may be any section, misspelled. */
export function pathMadeInvalidBy({ code, path }: UnlocatedFinding): Path {
  return code === 'unknown-key' && path.length === 1 ? [] : path;
}
