/** Finds the edits by hand that an apply overwrote, for the ledger: `undo` names them, because it cannot restore them. */
import { type Origin, writesOnService } from '../model/change.ts';
import { isIgnored } from '../model/ignored-fields.ts';
import { isMade, type Result } from '../model/outcome.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { LastApplied } from '../state/state.ts';

/**
 * Returns the edits by hand that these changes overwrote: by address, the fields as JSON Pointers; none where it is the object itself, which
 * was created or deleted by hand. `results` are the results of the changes by address. What was left to others at the last apply was edited
 * by hand, too.
 */
export function overwrittenEdits(
  changes: readonly PlannedChange[],
  results: ReadonlyMap<string, Result>,
  lastApplied: LastApplied | null,
): { readonly [address: string]: readonly string[] } {
  return Object.fromEntries(
    changes.flatMap(({ change }): (readonly [string, readonly string[]])[] => {
      const { address, action, fields } = change;
      const result = results.get(address);
      if (result === undefined || !(isMade(result) || result === 'unseen') || !writesOnService(change)) return [];
      if (action !== 'update') return isByHand(change) ? [[address, []]] : [];
      // What an adopted object was like before is no edit of what was applied.
      if (change.adopts !== undefined) return [];
      const left = lastApplied?.resources.get(change.movedFrom ?? address)?.ignored ?? [];
      const edited = fields.filter((field) => isByHand(field) || isIgnored(left, field.path)).map(({ path }) => path);
      return edited.length === 0 ? [] : [[address, edited]];
    }),
  );
}

function isByHand({ origin }: { readonly origin: Origin }): boolean {
  return origin === 'drift' || origin === 'both';
}
