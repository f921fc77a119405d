import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { explainAddress } from '../../app/explain-address.ts';
import type { TargetOptions } from '../../app/options.ts';
import type { CliContext } from '../../app/runtime.ts';
import { reporting } from '../../app/with-reports.ts';
import { sourceSchema } from '../../config/validate.ts';
import { fieldsOf, nearestFields, rootField, type SchemaFile } from '../../explain/field-docs.ts';
import { kinds } from '../../kinds/index.ts';
import { kindOfAddress } from '../../model/address.ts';

/** Both files that users write; between them no top-level key stands twice. */
const FILES: readonly SchemaFile[] = [
  { file: 'upkeep.yaml', schema: configurationSchema },
  { file: 'source file', schema: sourceSchema(kinds) },
];

/**
 * Runs `explain [ADDRESS or FIELD]`: explains why a resource is planned as it is, or what a field means; without either, lists the
 * top-level keys.
 */
export function explain(io: CliContext, word: string | undefined, options: TargetOptions): Promise<ExitCode> {
  if (word !== undefined && isAddress(word)) return explainAddress(io, word, options);
  return reporting(io, options, async (reports) => {
    const explained = word === undefined ? FILES.map(rootField) : [fieldNamed(word)];
    for (const field of explained) reports.add({ type: 'field', field });
    return [];
  });
}

/** Fields have no slash, and no kind's only address is a key of a file. */
function isAddress(word: string): boolean {
  return word.includes('/') || kindOfAddress(kinds, word)?.type === 'setting';
}

/** @throws CliError where there is no such field */
function fieldNamed(word: string) {
  const known = new Map(FILES.flatMap((file) => [...fieldsOf(file)]));
  const field = known.get(word);
  if (field) return field;
  const near = nearestFields(word, [...known.keys()]);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '`upkeep explain` lists the keys to begin with';
  const keys = 'fields are named by keys alone, without names of resources and indices';
  throw new CliError(EXIT_CODES.invalid, 'unknown-field', `there is no field ${word}`, `${hint} (${keys})`);
}
