import { type Desired, type Kind, type Live, type Observation, type Service, ServiceError } from '../kinds/kind.ts';
import type { Observed } from '../model/plan.ts';

/** What was seen of one kind. */
export interface Seen {
  readonly state: Observed;
  readonly observation: Observation;
  /** Unix milliseconds at which the read began. */
  readonly readAt: number;
  /** Why it is incomplete. */
  readonly fault: ServiceError | null;
}

/** How many objects that the ledger knows and the list lacks are looked up (design section 4, rule 1). */
const BOUND_PROBES = 5;

const NOTHING: Observation = { objects: [], notes: [] };

/** A kind that was not read. */
export function unread(state: 'unmanaged' | 'skipped'): Seen {
  return { state, observation: NOTHING, readAt: 0, fault: null };
}

/** Reads a kind: complete, or incomplete with the fault; an error is never an empty list (design section 4, rule 1). */
export async function observe(kind: Kind, service: Service, now: () => number): Promise<Seen> {
  const readAt = now();
  try {
    return { state: 'complete', observation: await kind.read(service), readAt, fault: null };
  } catch (error) {
    return incomplete(error, readAt);
  }
}

/**
 * A page can look like everything: looks up some of the resources that the list seems to lack (design section 4, rule 1).
 * `missing` are creates, `bound` the remote IDs that the ledger knows. Gives the observation back, incomplete where a look-up found what the
 * list lacked, or had under another name: what is taken for missing has just got its name then. Incomplete too where one could not be made.
 */
export async function probe(
  kind: Kind,
  seen: Seen,
  missing: readonly Desired[],
  bound: readonly string[],
  service: Service,
): Promise<Seen> {
  if (seen.state !== 'complete') return seen;
  const listed = new Map(seen.observation.objects.map(({ id, label }) => [id, label]));
  const unlisted = bound.filter((id) => !listed.has(id));
  try {
    const found = await Promise.all([
      ...sample(missing, kind.probes).map(async (desired) => (await kind.find?.(service, desired)) ?? []),
      ...sample(unlisted, BOUND_PROBES).map(async (id) => (await kind.get?.(service, id)) ?? []),
    ]);
    const odd = found.flat().find(({ id, label }) => listed.get(id) !== label);
    return odd ? { ...seen, state: 'incomplete', fault: contradicted(kind, odd, listed.has(odd.id)) } : seen;
  } catch (error) {
    return incomplete(error, seen.readAt);
  }
}

function incomplete(error: unknown, readAt: number): Seen {
  if (!(error instanceof ServiceError)) throw error;
  return { state: 'incomplete', observation: NOTHING, readAt, fault: error };
}

function contradicted(kind: Kind, object: Live, isListed: boolean): ServiceError {
  const address = kind.undeclared(object);
  const why = isListed
    ? { what: `${address} got another name while the account was read`, advice: 'Run again when nobody changes the account by hand.' }
    : {
        what: `the list lacks ${address}, which the service has`,
        advice: 'The service gave only a part of its list. Run again; if it stays so, ask the vendor about paging.',
      };
  return new ServiceError({ fault: 'malformed', doing: `reading ${kind.name}`, ...why, written: 'no' });
}

/** Up to `count` items, spread evenly, so that a list cut anywhere is noticed. */
function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  if (count === 0) return [];
  const step = items.length / count;
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
