import { ApiError, type ApiService, type Kind, type LiveResource } from '../kinds/kind.ts';
import { differencesInReadFields } from '../plan/diff-resources.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ObjectsOfOthers } from './objects-of-others.ts';
import { readCurrent } from './read-current.ts';

/** The result of reading back what was written. */
export interface Verification {
  /** What differs from the desired state, by address. */
  readonly inconsistent: ReadonlyMap<string, string>;
  /** The errors of reads that failed, and the kinds that were read. Their changes are not verified. */
  readonly errors: readonly ApiError[];
  readonly notRead: readonly string[];
}

/**
 * Reads back what was written and compares it with the desired state (design section 4, rule 8). `ids` are the remote IDs of creates, by
 * address.
 */
export async function verify(
  written: readonly PlannedChange[],
  ids: ReadonlyMap<string, string>,
  objectsOfOthers: ObjectsOfOthers,
  service: ApiService,
  now: () => number,
): Promise<Verification> {
  const kinds = [...new Set(written.map((planned) => planned.kind))];
  const parts = await Promise.all(
    kinds.map((kind) =>
      verifyKind(
        kind,
        written.filter((planned) => planned.kind === kind),
        ids,
        objectsOfOthers,
        service,
        now,
      ),
    ),
  );
  return {
    inconsistent: new Map(parts.flatMap((part) => [...part.inconsistent])),
    errors: parts.flatMap((part) => part.errors),
    notRead: parts.flatMap((part) => part.notRead),
  };
}

async function verifyKind(
  kind: Kind,
  changes: readonly PlannedChange[],
  ids: ReadonlyMap<string, string>,
  objectsOfOthers: ObjectsOfOthers,
  service: ApiService,
  now: () => number,
): Promise<Verification> {
  try {
    const current = await readCurrent(kind, changes, service, objectsOfOthers, ids);
    const inconsistent = changes.flatMap((planned): [string, string][] => {
      const difference = inconsistency(planned, current.get(planned.change.address) ?? [], now());
      return difference === undefined ? [] : [[planned.change.address, `inconsistent after apply: ${difference}`]];
    });
    return { inconsistent: new Map(inconsistent), errors: [], notRead: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { inconsistent: new Map(), errors: [error], notRead: [kind.name] };
  }
}

function inconsistency({ kind, desired }: PlannedChange, [live, duplicate]: readonly LiveResource[], now: number): string | undefined {
  if (!desired) return live ? `it still exists (${live.id})` : undefined;
  if (!live) return 'it does not exist';
  if (duplicate)
    return `two objects exist for it, ${live.id} and ${duplicate.id}; delete one of them, or name the right one under \`adopt\``;
  const [first] = differencesInReadFields(kind, desired, live, now);
  return first && `${first.path} reads ${JSON.stringify(first.before)}, not ${JSON.stringify(first.after)}`;
}
