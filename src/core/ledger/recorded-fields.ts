/** The fields of changes that an entry of the ledger keeps (design section 6, entries). */
import type { Change, FieldChange } from '../model/change.ts';
import type { ChangeOutcome } from '../model/outcome.ts';

/** Maximum size of the fields of an entry, as JSON, bytes. Beyond that it holds paths. */
export const MAX_FIELD_BYTES = 1024 * 1024;

/**
 * Adds to each outcome the fields of its change, up to `maxBytes` for all of them; from the first one on that does not fit, the paths of its
 * fields. What was skipped or is unchanged has none.
 */
export function withFields(
  outcomes: readonly ChangeOutcome[],
  changes: ReadonlyMap<string, Pick<Change, 'fields'>>,
  maxBytes = MAX_FIELD_BYTES,
): readonly ChangeOutcome[] {
  let left = maxBytes;
  return outcomes.map((outcome) => {
    const fields = changes.get(outcome.address)?.fields ?? [];
    if (outcome.result === 'skipped' || outcome.result === 'unchanged' || fields.length === 0) return outcome;
    const recorded = fields.map(withoutReasons);
    left -= left < 0 ? 0 : Buffer.byteLength(JSON.stringify(recorded));
    return left < 0 ? { ...outcome, paths: fields.map(({ path }) => path) } : { ...outcome, fields: recorded };
  });
}

function withoutReasons({ path, before, after, origin, effect }: FieldChange): FieldChange {
  return { path, before, after, origin, effect };
}
