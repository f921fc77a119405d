/** Explains the fields of upkeep.yaml and of source files, from their schemas. */
import configurationSchema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { writtenSchema } from '../core/config/expand/written-schema.ts';
import { documentedFields, nearestFields, rootField, type SchemaFile } from '../core/explain/field-docs.ts';
import { kinds } from '../core/kinds/index.ts';
import type { FieldExplanation } from '../core/model/explanation.ts';
import { CliError, EXIT_CODES } from './run/exit-codes.ts';

/** The files that users write. No top-level key is in both. */
const FILES: readonly SchemaFile[] = [
  { file: 'upkeep.yaml', schema: configurationSchema },
  { file: 'source file', schema: writtenSchema(kinds) },
];

/** Explains a field by its path. @throws CliError if there is no such field */
export function explainField(path: string): FieldExplanation {
  const fields = new Map(FILES.flatMap((file) => [...documentedFields(file)]));
  const field = fields.get(path);
  if (field) return field;
  const near = nearestFields(path, [...fields.keys()]);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '`upkeep explain` lists the keys to begin with';
  const keys = 'fields are named by keys alone, without names of resources and indices';
  throw new CliError(EXIT_CODES.invalid, 'unknown-field', `there is no field ${path}`, `${hint} (${keys})`);
}

/** Explains the top-level keys of each file. */
export function explainFiles(): readonly FieldExplanation[] {
  return FILES.map(rootField);
}

/** Returns the paths of all fields. */
export function fieldPaths(): readonly string[] {
  return FILES.flatMap((file) => [...documentedFields(file).keys()]);
}
