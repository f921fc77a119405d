/** Finds the edits by hand that an apply overwrote, for the ledger: `undo` names them, because it cannot restore them. */
import { type Origin, writesOnService } from '../model/change.ts';
import type { Result } from '../model/outcome.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';

/**
 * Returns the edits by hand that these changes overwrote: by address, the fields as JSON Pointers; none where it is the object itself, which
 * was created or deleted by hand. `results` are the results of the changes by address.
 */
export function overwrittenEdits(
  changes: readonly ExecutableChange[],
  results: ReadonlyMap<string, Result>,
): { readonly [address: string]: readonly string[] } {
  const isByHand = ({ origin }: { readonly origin: Origin }) => origin === 'drift' || origin === 'both';
  return Object.fromEntries(
    changes.flatMap(({ change }): (readonly [string, readonly string[]])[] => {
      const result = results.get(change.address);
      if (result === undefined || result === 'failed' || result === 'skipped' || !writesOnService(change) || !isByHand(change)) return [];
      // What an adopted object was like before is no edit of what was applied.
      if (change.action === 'update' && change.adopts !== undefined) return [];
      return [[change.address, change.action === 'update' ? change.fields.filter(isByHand).map(({ path }) => path) : []]];
    }),
  );
}
