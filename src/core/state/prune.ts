/** Decides which unclaimed live objects are deleted, forgotten or kept (design section 3, identity and what may be deleted). */
import type { CollectionKind, Kind, LiveObject } from '../kinds/kind.ts';
import { addressKey, isAddressOf, sectionOfAddress } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import { matchesGlob } from '../model/glob.ts';
import { addressByRemoteId } from './bindings.ts';
import { nameFromKey } from './moves.ts';
import { isManaged } from './object-globs.ts';
import { type PlannedChange, planForget } from './planned-change.ts';
import type { LedgerState } from './state.ts';

/** The live object of each declared address, and the objects that belong to none. */
export interface MatchedObjects {
  readonly liveByAddress: ReadonlyMap<string, LiveObject>;
  readonly unclaimed: readonly LiveObject[];
}

/** A live object to delete, with the address to which the ledger binds it, if any. */
export interface ObjectToDelete {
  readonly live: LiveObject;
  readonly boundAddress?: string;
}

/** A live object to forget, with the address that `removed` names or to which the ledger binds it. */
interface ObjectToForget {
  readonly live: LiveObject;
  readonly address: string;
}

/** All that decides which unclaimed objects are deleted. */
export interface PruneInput {
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  /** Globs of what this project may delete; null = everything. */
  readonly manages: readonly string[] | null;
  /** Sections that are present in the sources. */
  readonly presentKeys: ReadonlySet<string>;
  /** The addresses under `removed:`. What they mean is forgotten, never deleted. */
  readonly removed: ReadonlySet<string>;
  readonly ledgerState: LedgerState | null;
  /** Whether an earlier commit is applied. Objects that were only adopted are then forgotten instead of deleted. */
  readonly appliesEarlierCommit: boolean;
  /** The bindings of the apply to which the plan goes back; null where it goes back to none. */
  readonly earlierBindings: LedgerState['bindings'] | null;
  /**
   * Returns why no configuration can declare an object, which `exclusive` then keeps; undefined where one can, or where the user names the
   * object to delete it. Asked only of objects that would be deleted.
   */
  readonly whyNotDeclarable: (live: LiveObject) => string | undefined;
}

/** What becomes of the objects that match no declared address. */
export interface Pruning {
  readonly toDelete: readonly ObjectToDelete[];
  /** Changes that make the ledger forget an object. */
  readonly forgets: readonly PlannedChange[];
  /** All unclaimed objects that are not deleted, those to forget included. */
  readonly kept: readonly LiveObject[];
  /** Those of `kept` that would be deleted if a configuration could declare them. */
  readonly notDeclarable: readonly KeptUndeclarable[];
}

/** A live object that no configuration can declare, with the reason. */
interface KeptUndeclarable {
  readonly live: LiveObject;
  readonly reason: string;
}

/**
 * Decides what becomes of each unclaimed object of a kind. The first row that fits decides:
 *
 *   named by `removed`?       | the ledger binds it to              | section present? | ownership         | result
 *   --------------------------+-------------------------------------+------------------+-------------------+----------------------------
 *   forgotten by an apply     | any address, or none                | any              | any               | keep
 *   yes                       | any address, or none                | any              | shared, exclusive | forget
 *   yes                       | any address, or none                | any              | observe           | keep
 *   no                        | an address without a matched object | yes              | any               | delete
 *   no                        | an address without a matched object | no               | any               | keep
 *   no                        | no address                          | yes              | exclusive         | delete
 *   no                        | no address                          | yes              | shared, observe   | keep
 *   no                        | no address                          | no               | any               | keep
 *
 * - An object whose address now matches another object counts as bound to no address, with one exception: a plan that goes back to
 *   an earlier apply deletes an object that was bound only since then under its address, and that apply's `removed` does not protect it.
 *   Example: apply 1 bound `playlist/a` to X; apply 2 replaced X by Y. Going back to apply 1 matches `playlist/a` with X, and deletes Y.
 * - The section is that of the address. Where there is no address, it is the section that would declare the object.
 * - An object that is bound to no address and that no configuration can declare is kept instead of deleted, unless the user names it.
 * - An object that was only recognized is forgotten instead of deleted, and under `exclusive` deleted as an object without an address. Where
 *   an earlier commit is applied, or `manages` of the target does not name the object, an object that was only adopted is forgotten as well.
 *   Under `observe` both are kept.
 * - `manages` names an object by its ID or its live name. One that it does not name is kept, whatever else is true of it, unless it names the
 *   address to which the ledger binds the object.
 * - The safety check `observe` blocks every delete under `observe`; live-warnings.ts warns of an absent section with bindings.
 * - Without a ledger nothing is bound and nothing can be forgotten, so an object that `removed` names is kept.
 */
export function pruneUnmatched(kind: CollectionKind, match: MatchedObjects, input: PruneInput): Pruning {
  const { unclaimed } = match;
  const boundAddress = addressByRemoteId(kind, input.ledgerState);
  const forgottenEarlier = input.ledgerState?.forgotten ?? new Set();
  const earlierIds = input.earlierBindings && new Set([...input.earlierBindings.values()].map(({ id }) => id));
  const isBoundSince = ({ id }: LiveObject) => earlierIds !== null && boundAddress.has(id) && !earlierIds.has(id);
  const removals = matchRemoved(kind, match, input).filter(({ live }) => !isBoundSince(live));
  const removedIds = new Set(removals.map(({ live }) => live.id));
  const others = unclaimed.filter((live) => !removedIds.has(live.id) && !forgottenEarlier.has(live.id));
  const deletable = others.flatMap((live) => deletionOf(kind, live, boundAddress.get(live.id), match, input, isBoundSince) ?? []);
  const notDeclarable = deletable.flatMap((object): KeptUndeclarable[] => {
    const reason = object.boundAddress === undefined ? input.whyNotDeclarable(object.live) : undefined;
    return reason === undefined ? [] : [{ live: object.live, reason }];
  });
  const notDeclarableIds = new Set(notDeclarable.map(({ live }) => live.id));
  const pruned = deletable.filter(({ live }) => !notDeclarableIds.has(live.id));
  const toDelete = pruned.filter((object) => addressToForget(kind, object, input) === undefined);
  const deletedIds = new Set(toDelete.map(({ live }) => live.id));
  return {
    toDelete,
    forgets: [
      ...removals.filter(({ live }) => !forgottenEarlier.has(live.id)),
      ...pruned.flatMap((object) => {
        const address = addressToForget(kind, object, input);
        if (address === undefined) return [];
        return [{ live: object.live, address: match.liveByAddress.has(address) ? kind.idAddress(object.live) : address }];
      }),
    ].flatMap((object) => forgetChange(kind, object, input)),
    kept: unclaimed.filter(({ id }) => !deletedIds.has(id)),
    notDeclarable,
  };
}

/**
 * Returns the deletion of an unclaimed object that `removed` does not name; undefined to keep it. The ledger binds it to `boundAddress`;
 * `isBoundSince` decides whether the apply to which the plan goes back did not bind it.
 */
function deletionOf(
  kind: CollectionKind,
  live: LiveObject,
  boundAddress: string | undefined,
  { liveByAddress }: MatchedObjects,
  { ownership, manages, presentKeys, ledgerState }: PruneInput,
  isBoundSince: (live: LiveObject) => boolean,
): ObjectToDelete | undefined {
  const isNamed = isManaged(manages, kind, live);
  const isRecognized = boundAddress !== undefined && ledgerState?.bindings.get(boundAddress)?.origin === 'recognized';
  // What was only recognized is nobody's decision: `exclusive` deletes it like any undeclared object.
  if (
    boundAddress !== undefined &&
    !(isRecognized && ownership === 'exclusive' && isNamed) &&
    (!liveByAddress.has(boundAddress) || isBoundSince(live))
  ) {
    const isManagedAddress = isNamed || manages?.some((glob) => matchesGlob(glob, boundAddress));
    return isManagedAddress && isInManagedSection(kind, boundAddress, presentKeys) ? { live, boundAddress } : undefined;
  }
  return isNamed && ownership === 'exclusive' && presentKeys.has(live.configSection) ? { live } : undefined;
}

/** Decides whether the section that declares an address of this kind is present in the sources. */
export function isInManagedSection(kind: Kind, address: string, presentKeys: ReadonlySet<string>): boolean {
  const section = sectionOfAddress(kind, address);
  return section !== undefined && presentKeys.has(section);
}

/**
 * Returns the address of an object that is forgotten instead of deleted: it was only recognized, or it was adopted and an earlier commit is
 * applied (design section 6, entries) or `manages` does not name it (design section 3, identity). Returns undefined for every other object.
 */
function addressToForget(
  kind: CollectionKind,
  { live, boundAddress }: ObjectToDelete,
  { appliesEarlierCommit, ledgerState, manages }: PruneInput,
): string | undefined {
  const origin = boundAddress === undefined ? undefined : ledgerState?.bindings.get(boundAddress)?.origin;
  const isOnlyAdopted = origin === 'adopted' && (appliesEarlierCommit || !isManaged(manages, kind, live));
  return origin === 'recognized' || isOnlyAdopted ? boundAddress : undefined;
}

function forgetChange(
  kind: CollectionKind,
  { live, address }: ObjectToForget,
  { ledgerState, ownership }: PruneInput,
): readonly PlannedChange[] {
  return ledgerState && ownership !== 'observe' ? [planForget(kind, address, live)] : [];
}

/**
 * Finds the unclaimed objects that an address of `removed` may mean: by its binding, by the address `~<id>`, by its key as an ID, or by
 * name. None of these objects is deleted.
 */
function matchRemoved(kind: CollectionKind, { unclaimed }: MatchedObjects, input: PruneInput): readonly ObjectToForget[] {
  const addresses = [...input.removed].filter((address) => isAddressOf(kind, address)).sort(compareStrings);
  const byId = new Map(unclaimed.map((live) => [live.id, live]));
  const byAddress = new Map(unclaimed.map((live) => [kind.idAddress(live), live]));
  const matchable = unclaimed.filter((live) => live.isMatchableByRemoteName);
  const byRemoteName = groupBy(matchable, (live) => live.remoteName);
  const found = addresses.flatMap((address) => {
    const bound = byId.get(input.ledgerState?.bindings.get(address)?.id ?? '');
    const fitting = [bound, byAddress.get(address), byId.get(addressKey(address)), ...(byRemoteName.get(nameFromKey(address)) ?? [])];
    return fitting.flatMap((live): [string, ObjectToForget][] => (live ? [[live.id, { live, address }]] : []));
  });
  // Contains each object once, with the first address that fits it.
  return [...new Map(found.reverse()).values()].reverse();
}
