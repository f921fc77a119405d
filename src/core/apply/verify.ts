import { ApiError, type ApiService, type Kind, type LiveResource } from '../kinds/kind.ts';
import { equal } from '../model/json.ts';
import type { Settling } from '../model/pauses.ts';
import { differencesInReadFields } from '../plan/diff-resources.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ObjectsOfOthers } from './objects-of-others.ts';
import { readCurrent } from './read-current.ts';

/** The result of reading back what was written. */
export interface Verification {
  /** What differs from the desired state and from the state before, by address. */
  readonly inconsistent: ReadonlyMap<string, string>;
  /** What the service still shows of the state before, by address. */
  readonly notSeen: ReadonlyMap<string, string>;
  /** The errors of reads that failed, and the kinds that were read. Their changes are not verified. */
  readonly errors: readonly ApiError[];
  readonly notRead: readonly string[];
}

/** What reading back needs. `ids` are the remote IDs of creates, by address; `now` returns Unix milliseconds. */
interface VerifyContext {
  readonly ids: ReadonlyMap<string, string>;
  readonly objectsOfOthers: ObjectsOfOthers;
  readonly service: ApiService;
  readonly settling: Settling;
  readonly now: () => number;
}

/**
 * Reads back what was written and compares it with the desired state (design section 4, rules 8 and 15). What still shows the state before is read
 * again until it shows the new one, or the budget of the run ends.
 */
export async function verify(written: readonly PlannedChange[], context: VerifyContext): Promise<Verification> {
  const inconsistent = new Map<string, string>();
  const errors: ApiError[] = [];
  const notRead: string[] = [];
  let pending = written;
  const look = async (): Promise<ReadonlyMap<string, string>> => {
    const kinds = [...new Set(pending.map((planned) => planned.kind))];
    const changesOf = (kind: Kind) => pending.filter((planned) => planned.kind === kind);
    const parts = await Promise.all(kinds.map((kind) => verifyKind(kind, changesOf(kind), context)));
    for (const part of parts) {
      for (const [address, difference] of part.inconsistent) inconsistent.set(address, `inconsistent after apply: ${difference}`);
      errors.push(...part.errors);
      notRead.push(...part.notRead);
    }
    const notSeen = new Map(parts.flatMap((part) => [...part.notSeen]));
    pending = pending.filter(({ change }) => notSeen.has(change.address));
    return notSeen;
  };
  const notSeen = await context.settling.settle(look, ({ size }) => size === 0);
  return { inconsistent, notSeen, errors, notRead };
}

async function verifyKind(
  kind: Kind,
  changes: readonly PlannedChange[],
  { ids, objectsOfOthers, service, now }: VerifyContext,
): Promise<Verification> {
  const inconsistent = new Map<string, string>();
  const notSeen = new Map<string, string>();
  try {
    const current = await readCurrent(kind, changes, service, objectsOfOthers, ids);
    for (const planned of changes) {
      const { address } = planned.change;
      const difference = differenceOf(planned, current.get(address) ?? [], now());
      if (difference) (difference.isBefore ? notSeen : inconsistent).set(address, difference.what);
    }
    return { inconsistent, notSeen, errors: [], notRead: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { inconsistent, notSeen, errors: [error], notRead: [kind.name] };
  }
}

/** What differs from the desired state, and whether it is as it was before the write. */
interface Difference {
  readonly what: string;
  readonly isBefore: boolean;
}

function differenceOf(planned: PlannedChange, [live, duplicate]: readonly LiveResource[], now: number): Difference | undefined {
  const { kind, desired, live: before } = planned;
  // In whatever state it is: an earlier write may be seen before the delete.
  if (!desired) return live && { what: `it still exists (${live.id})`, isBefore: true };
  if (!live) return { what: 'it does not exist', isBefore: before === null };
  if (duplicate) {
    const what = `two objects exist for it, ${live.id} and ${duplicate.id}; delete one of them, or name the right one under \`adopt\``;
    return { what, isBefore: false };
  }
  const differences = differencesInReadFields(kind, desired, live, now);
  const [first] = differences;
  if (!first) return undefined;
  const valuesBefore = new Map(before ? differencesInReadFields(kind, desired, before, now).map((each) => [each.path, each.before]) : []);
  const isBefore = differences.every(({ path, before: value }) => valuesBefore.has(path) && equal(valuesBefore.get(path), value));
  return { what: `${first.path} reads ${JSON.stringify(first.before)}, not ${JSON.stringify(first.after)}`, isBefore };
}
