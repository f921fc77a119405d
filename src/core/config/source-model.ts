/** The source model: what loading the sources needs to know of the kinds. */
import type { Kind } from '../kinds/kind.ts';
import { addressPrefixes } from '../model/address.ts';
import { type FindingCode, GENERAL_CODES } from '../model/finding-codes.ts';
import type { JsonObject } from '../model/json.ts';
import { expansionKeys, expansionSchema, type TemplatedSection, templatedSections } from './expand/expansion-schema.ts';
import { type TakesOnlyText, textFieldsOf } from './expand/text-fields.ts';
import { expandedSchema } from './source-schema.ts';
import { createValidator, type SchemaError, type ValidationResult } from './validator.ts';

/** Made once, for all targets. */
export interface SourceModel {
  readonly kinds: readonly Kind[];
  /** Prefixes of the addresses of collections, which `adopt`, `moved` and `removed` may name. */
  readonly collectionPrefixes: readonly string[];
  /** The sections that are merged member by member, because their members are resources or names. Any other section is one value. */
  readonly keyedSections: ReadonlySet<string>;
  /** The sections whose members may come from templates and tables. */
  readonly templatedSections: readonly TemplatedSection[];
  /** The keys at the top of a source that produce resources instead of declaring them. */
  readonly expansionKeys: ReadonlySet<string>;
  /** The schema of the expanded sources. */
  readonly schema: { readonly [keyword: string]: unknown };
  readonly takesOnlyText: TakesOnlyText;
  /** The codes of all findings with their meanings; a code may be of several kinds. */
  readonly findingCodes: readonly (readonly [code: string, meaning: FindingCode])[];
  /** Returns the schema errors of the expanded and merged sources. */
  errorsOf(merged: JsonObject): readonly SchemaError[];
  /** Returns the schema errors of the expansion keys of a document. */
  expansionErrorsOf(expansion: JsonObject): readonly SchemaError[];
}

/**
 * Creates the source model of these kinds. Schemas are compiled when they are first used.
 * @throws Error when two kinds claim one section or definition, which is a bug in upkeep.
 */
export function createSourceModel(kinds: readonly Kind[]): SourceModel {
  const collections = kinds.filter(({ type }) => type === 'collection');
  const templated = templatedSections(kinds);
  const schema = expandedSchema(kinds);
  const validate = createValidator<JsonObject>(schema);
  const validateExpansion = createValidator<JsonObject>(expansionSchema(templated));
  return {
    kinds,
    collectionPrefixes: collections.flatMap(addressPrefixes),
    keyedSections: new Set(['adopt', ...collections.flatMap(({ sections }) => sections.map(({ key }) => key))]),
    templatedSections: templated,
    expansionKeys: expansionKeys(templated),
    schema,
    takesOnlyText: textFieldsOf(schema),
    findingCodes: [GENERAL_CODES, ...kinds.map(({ findingCodes }) => findingCodes)].flatMap((codes) => Object.entries(codes)),
    errorsOf: (merged) => errorsIn(validate(merged)),
    expansionErrorsOf: (expansion) => (Object.keys(expansion).length === 0 ? [] : errorsIn(validateExpansion(expansion))),
  };
}

function errorsIn(result: ValidationResult<JsonObject>): readonly SchemaError[] {
  return 'errors' in result ? result.errors : [];
}
