/** Explains the fields of upkeep.yaml and of source files, from their schemas, and the codes of findings. */
import configurationSchema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { writtenSchema } from '../core/config/expand/written-schema.ts';
import { documentedFields, nearestFields, rootField, type SchemaFile } from '../core/explain/field-docs.ts';
import { kinds } from '../core/kinds/index.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import type { FieldExplanation } from '../core/model/explanation.ts';
import { type FindingCode, GENERAL_CODES } from '../core/model/finding-codes.ts';
import { CliError } from './run/exit-codes.ts';
import { sourceModel } from './run/source-model.ts';

/** The files that users write. No top-level key is in both. */
const FILES: readonly SchemaFile[] = [
  { file: 'upkeep.yaml', schema: configurationSchema },
  { file: 'source file', schema: writtenSchema(sourceModel) },
];

/** What `rules` may say of a code. */
const SEVERITIES = ['off', 'warning', 'error'];

/**
 * Explains a field by its path, or a code of findings, which is a key of `rules`, by its name.
 * @throws CliError if there is neither
 */
export function explainField(path: string): FieldExplanation {
  const fields = allFields();
  const field = fields.get(path) ?? fields.get(`rules.${path}`);
  if (field) return field;
  const near = nearestFields(path, [...fields.keys()]);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '`upkeep explain` lists the keys to begin with';
  const keys = 'fields are named by keys alone, without names of resources and indices';
  throw new CliError(EXIT_CODES.invalid, 'unknown-field', `there is no field or finding ${path}`, `${hint} (${keys})`);
}

/** Explains the top-level keys of each file. */
export function explainFiles(): readonly FieldExplanation[] {
  return FILES.map(rootField);
}

/** Returns the paths of all fields, and of the codes of findings below `rules`. */
export function fieldPaths(): readonly string[] {
  return [...allFields().keys()];
}

function allFields(): ReadonlyMap<string, FieldExplanation> {
  const fields = new Map(FILES.flatMap((file) => [...documentedFields(file)]));
  const owners = [...kinds.map(({ name, findingCodes }) => ({ name, codes: findingCodes })), { name: 'all kinds', codes: GENERAL_CODES }];
  for (const code of new Set(owners.flatMap(({ codes }) => Object.keys(codes)))) {
    const known = owners.flatMap(({ name, codes }) => (codes[code] === undefined ? [] : [{ ...codes[code], name }]));
    fields.set(`rules.${code}`, explainCode(`rules.${code}`, known));
  }
  return fields;
}

/** `known` is what each kind that reports the code says of it. */
function explainCode(field: string, known: readonly (FindingCode & { readonly name: string })[]): FieldExplanation {
  const isFixed = known.every((code) => code.isFixed);
  const hasDate = known.some((code) => code.hasDate);
  return {
    schemaVersion: 1,
    field,
    file: 'upkeep.yaml',
    description: [...new Set(known.map(({ meaning }) => meaning))].join('; '),
    type: isFixed ? 'nothing: the severity of this finding cannot be set' : hasDate ? 'text, or map with `level` and `within`' : 'text',
    values: isFixed ? [] : SEVERITIES,
    examples: [],
    rules: [`reported about ${known.map(({ name }) => name).join(', ')}`],
    members: [],
  };
}
