import { ApiError, type ApiService, type DesiredResource, type Kind, type LiveResource, type ReadResult } from '../kinds/kind.ts';
import type { ReadStatus } from '../model/plan.ts';

/** What was seen of one kind. */
export interface KindRead {
  readonly status: ReadStatus;
  readonly result: ReadResult;
  /** Unix milliseconds at which the read began. */
  readonly readAt: number;
  /** Why it is incomplete. */
  readonly error: ApiError | null;
}

/** How many objects that the ledger knows and the list lacks are looked up (design section 4, rule 1). */
const BOUND_SPOT_CHECKS = 5;

const NOTHING: ReadResult = { objects: [], notes: [] };

/** A kind that was not read. */
export function notRead(state: 'unmanaged' | 'skipped'): KindRead {
  return { status: state, result: NOTHING, readAt: 0, error: null };
}

/** Reads a kind: complete, or incomplete with the fault; an error is never an empty list (design section 4, rule 1). */
export async function readKind(kind: Kind, service: ApiService, now: () => number): Promise<KindRead> {
  const readAt = now();
  try {
    return { status: 'complete', result: await kind.read(service), readAt, error: null };
  } catch (error) {
    return incomplete(error, readAt);
  }
}

/**
 * A page can look like everything: looks up some of the resources that the list seems to lack (design section 4, rule 1).
 * `missing` are creates, `bound` the remote IDs that the ledger knows. Gives the observation back, incomplete where a look-up found what the
 * list lacked, or had under another name: what is taken for missing has just got its name then. Incomplete too where one could not be made.
 */
export async function spotCheckList(
  kind: Kind,
  read: KindRead,
  missing: readonly DesiredResource[],
  bound: readonly string[],
  service: ApiService,
): Promise<KindRead> {
  if (read.status !== 'complete') return read;
  const listed = new Map(read.result.objects.map(({ id, label }) => [id, label]));
  const unlisted = bound.filter((id) => !listed.has(id));
  try {
    const found = await Promise.all([
      ...sample(missing, kind.existenceChecksPerPlan).map(async (desired) => (await kind.find?.(service, desired)) ?? []),
      ...sample(unlisted, BOUND_SPOT_CHECKS).map(async (id) => (await kind.get?.(service, id)) ?? []),
    ]);
    const odd = found.flat().find(({ id, label }) => listed.get(id) !== label);
    return odd ? { ...read, status: 'incomplete', error: listContradicted(kind, odd, listed.has(odd.id)) } : read;
  } catch (error) {
    return incomplete(error, read.readAt);
  }
}

function incomplete(error: unknown, readAt: number): KindRead {
  if (!(error instanceof ApiError)) throw error;
  return { status: 'incomplete', result: NOTHING, readAt, error };
}

function listContradicted(kind: Kind, object: LiveResource, isListed: boolean): ApiError {
  const address = kind.unmanagedAddress(object);
  const why = isListed
    ? { what: `${address} got another name while the account was read`, advice: 'Run again when nobody changes the account by hand.' }
    : {
        what: `the list lacks ${address}, which the service has`,
        advice: 'The service gave only a part of its list. Run again; if it stays so, ask the vendor about paging.',
      };
  return new ApiError({ kind: 'malformed', operation: `reading ${kind.name}`, ...why, mayHaveWritten: 'no' });
}

/** Up to `count` items, spread evenly, so that a list cut anywhere is noticed. */
function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  if (count === 0) return [];
  const step = items.length / count;
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
