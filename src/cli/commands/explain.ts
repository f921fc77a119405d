import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { sourceSchema } from '../../engine/desired/validate.ts';
import { type Described, fieldsOf, nearestFields, topOf } from '../../engine/fields.ts';
import { kinds } from '../../kinds/kinds.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import { explainAddress } from '../explained.ts';
import type { Io } from '../io.ts';
import type { TargetOptions } from '../options.ts';
import { reporting } from './reporting.ts';

/** Both files that users write; between them no top-level key stands twice. */
const FILES: readonly Described[] = [
  { file: 'upkeep.yaml', schema: configurationSchema },
  { file: 'source file', schema: sourceSchema(kinds) },
];

/** `explain [ADDRESS or FIELD]`: why a resource is planned as it is, or what a field means; without either, the top-level keys. */
export function explain(io: Io, word: string | undefined, options: TargetOptions): Promise<Exit> {
  if (word !== undefined && isAddress(word)) return explainAddress(io, word, options);
  return reporting(io, options, async (reports) => {
    const explained = word === undefined ? FILES.map(topOf) : [fieldNamed(word)];
    for (const field of explained) reports.add({ type: 'field', field });
    return [];
  });
}

/** Fields have no slash, and no kind's only address is a key of a file. */
function isAddress(word: string): boolean {
  return word.includes('/') || kinds.some(({ singleton, addresses }) => singleton && addresses.includes(word));
}

/** @throws Stop where there is no such field */
function fieldNamed(word: string) {
  const known = new Map(FILES.flatMap((file) => [...fieldsOf(file)]));
  const field = known.get(word);
  if (field) return field;
  const near = nearestFields(word, [...known.keys()]);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '`upkeep explain` lists the keys to begin with';
  const keys = 'fields are named by keys alone, without names of resources and indices';
  throw new Stop(EXIT.invalid, 'unknown-field', `there is no field ${word}`, `${hint} (${keys})`);
}
