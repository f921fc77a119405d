/** What upkeep remembers of its last apply to a target, and how moves change it (design sections 3 and 6). */
import type { DesiredResource } from '../kinds/kind.ts';

/** A live object that an address stands for. */
export interface StateBinding {
  readonly id: string;
  readonly origin: 'created' | 'adopted';
}

/** The memory of a target; without a ledger there is none. */
export interface State {
  readonly bindings: ReadonlyMap<string, StateBinding>;
  /** Remote IDs that `removed` forgot: never deleted. */
  readonly forgotten: ReadonlySet<string>;
  /** Digest of the account's owner at the last apply (`ownerDigest`); null where no answer named one. */
  readonly owner: string | null;
}

/** What was desired when each address was last applied; null where nobody can tell. */
export interface LastApplied {
  /** The resources by address; an absent address was not declared. */
  readonly resources: ReadonlyMap<string, DesiredResource>;
  /** Addresses of which the base is not known. */
  readonly unknown: ReadonlySet<string>;
}

/** How the memory helps to recognise live objects. */
export interface MovedBindings {
  /** Address to remote ID, moves carried out. */
  readonly ids: ReadonlyMap<string, string>;
  /** Address to the name under which a moved object was known: the last resort, where it has no binding or its object is gone. */
  readonly formerNames: ReadonlyMap<string, string>;
}

/** Nothing remembered, nothing moved. */
export const NO_STATE: MovedBindings = { ids: new Map(), formerNames: new Map() };

/**
 * Carries out `moved` (new address to old) over the bindings. A chain runs from its free end, so that every address takes the binding
 * of the one before it; an address that has its own binding already has been moved by an earlier apply.
 */
export function applyMoves(state: State | null, moved: ReadonlyMap<string, string>): MovedBindings {
  const ids = new Map([...(state?.bindings ?? [])].map(([address, { id }]) => [address, id]));
  const formerNames = new Map<string, string>();
  for (const [from, to] of movesInOrder(moved)) {
    if (ids.has(to)) continue;
    formerNames.set(to, formerName(from));
    const id = ids.get(from);
    if (id !== undefined) ids.set(to, id);
    ids.delete(from);
  }
  return { ids, formerNames };
}

/** The moves of `moved` (new address to old) as pairs of old and new, each chain from its free end. */
export function* movesInOrder(moved: ReadonlyMap<string, string>): Generator<readonly [from: string, to: string]> {
  const sources = new Set(moved.values());
  for (const end of moved.keys()) {
    if (sources.has(end)) continue;
    for (let to = end, from = moved.get(to); from !== undefined; to = from, from = moved.get(to)) yield [from, to];
  }
}

/** The name by which an address was known to the service: its key. */
export function formerName(address: string): string {
  const key = address.slice(address.indexOf('/') + 1);
  try {
    return decodeURIComponent(key);
  } catch {
    // A key that is no percent-encoding stands for itself.
    return key;
  }
}
