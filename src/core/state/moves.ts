/** How `moved` changes the bindings of the ledger (design sections 3 and 6). */
import { addressKey } from '../model/address.ts';
import type { LedgerState } from './state.ts';

/** The bindings by which live objects are matched, after `moved` was applied to them. */
export interface EffectiveBindings {
  /** Address to remote ID. */
  readonly ids: ReadonlyMap<string, string>;
  /** Address to the key of its old address, taken as a name. Used last, where the address has no binding or its object is gone. */
  readonly oldKeys: ReadonlyMap<string, string>;
}

/** No bindings and no moves. */
export const NO_BINDINGS: EffectiveBindings = { ids: new Map(), oldKeys: new Map() };

/**
 * Applies `moved` (new address to old) to the bindings. A chain from `a` to `b` and from `b` to `c` is applied from its end: `c` takes the
 * binding of `b`, then `b` takes that of `a`. A move to an address that is already bound is skipped, because an earlier apply has made it.
 */
export function applyMoves(state: Pick<LedgerState, 'bindings'> | null, moved: ReadonlyMap<string, string>): EffectiveBindings {
  const ids = new Map([...(state?.bindings ?? [])].map(([address, { id }]) => [address, id]));
  const oldKeys = new Map<string, string>();
  for (const [from, to] of movesInOrder(moved)) {
    if (ids.has(to)) continue;
    oldKeys.set(to, nameFromKey(from));
    const id = ids.get(from);
    if (id !== undefined) ids.set(to, id);
    ids.delete(from);
  }
  return { ids, oldKeys };
}

/**
 * Yields the moves of `moved` as pairs of old and new address: the map holds the old address of each new one, the sources write `from` and
 * `to`. Each chain of moves begins at its end. A cycle without an end yields nothing; validation refuses it.
 */
export function* movesInOrder(moved: ReadonlyMap<string, string>): Generator<readonly [from: string, to: string]> {
  const sources = new Set(moved.values());
  for (const end of moved.keys()) {
    if (sources.has(end)) continue;
    for (let to = end, from = moved.get(to); from !== undefined; to = from, from = moved.get(to)) yield [from, to];
  }
}

/** Returns the key of an address as a name: that of the object, where its declaration gave it no other. */
export function nameFromKey(address: string): string {
  const key = addressKey(address);
  try {
    return decodeURIComponent(key);
  } catch {
    // A key that is not percent-encoded is the name itself.
    return key;
  }
}
