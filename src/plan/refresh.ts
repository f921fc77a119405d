import {
  ApiError,
  type ApiService,
  type CollectionKind,
  type DesiredResource,
  type LiveObject,
  type LiveResource,
  type ReadResult,
} from '../kinds/kind.ts';
import type { ReadStatus } from '../model/plan.ts';

/** The read of one kind. */
export interface KindRead<Live extends LiveResource = LiveResource> {
  readonly status: ReadStatus;
  readonly result: ReadResult<Live>;
  /** When the read began, in Unix milliseconds. */
  readonly readAt: number;
  /** Why the read is incomplete; null where it is not. */
  readonly error: ApiError | null;
}

/** Maximum number of spot checks of objects that the ledger binds but the list lacks (design section 4, rule 1). */
const BOUND_SPOT_CHECKS = 5;

const NOTHING = { objects: [], notes: [] };

/** Returns the read of a kind that was not read. */
export function notRead(status: 'unmanaged' | 'skipped'): KindRead<never> {
  return { status, result: NOTHING, readAt: 0, error: null };
}

/** Reads a kind. A request that fails makes the read incomplete; it never counts as an empty list (design section 4, rule 1). */
export async function readKind<Live extends LiveResource>(
  kind: { read(service: ApiService): Promise<ReadResult<Live>> },
  service: ApiService,
  now: () => number,
): Promise<KindRead<Live>> {
  const readAt = now();
  try {
    return { status: 'complete', result: await kind.read(service), readAt, error: null };
  } catch (error) {
    return incomplete(error, readAt);
  }
}

/**
 * Spot-checks a list, because one page of it can look complete: looks up some of the objects that it seems to lack (design section 4,
 * rule 1). `missing` are the resources to create, `bound` the remote IDs that the ledger binds. Returns the read, which is incomplete if a
 * look-up failed or contradicts the list. An object with another name than in the list was renamed during the read.
 */
export async function spotCheckList(
  kind: CollectionKind,
  read: KindRead<LiveObject>,
  missing: readonly DesiredResource[],
  bound: readonly string[],
  service: ApiService,
): Promise<KindRead<LiveObject>> {
  if (read.status !== 'complete') return read;
  const listed = new Map(read.result.objects.map(({ id, remoteName }) => [id, remoteName]));
  const unlisted = bound.filter((id) => !listed.has(id));
  try {
    const found = await Promise.all([
      ...sample(missing, kind.existenceChecksPerPlan).map((desired) => kind.find(service, desired)),
      ...sample(unlisted, BOUND_SPOT_CHECKS).map(async (id) => (await kind.get(service, id)) ?? []),
    ]);
    const contradiction = found.flat().find(({ id, remoteName }) => listed.get(id) !== remoteName);
    if (!contradiction) return read;
    return { ...read, status: 'incomplete', error: listContradicted(kind, contradiction, listed.has(contradiction.id)) };
  } catch (error) {
    return incomplete(error, read.readAt);
  }
}

function incomplete(error: unknown, readAt: number): KindRead<never> {
  if (!(error instanceof ApiError)) throw error;
  return { status: 'incomplete', result: NOTHING, readAt, error };
}

function listContradicted(kind: CollectionKind, object: LiveObject, isListed: boolean): ApiError {
  const address = kind.idAddress(object);
  const reason = isListed
    ? { what: `${address} got another name while the account was read`, advice: 'Run again when nobody changes the account by hand.' }
    : {
        what: `the list lacks ${address}, which the service has`,
        advice: 'The service gave only a part of its list. Run again; if it stays so, ask the vendor about paging.',
      };
  return new ApiError({ kind: 'malformed', operation: `reading ${kind.name}`, ...reason, mayHaveWritten: 'no' });
}

/** Returns up to `count` items, spread evenly, so that a truncated list is noticed wherever it was cut off. */
function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  if (count === 0) return [];
  const interval = items.length / count;
  return items.filter((_, index) => Math.floor(index / interval) !== Math.floor((index - 1) / interval));
}
