/** Decides which live objects that no resource matches are deleted, forgotten or kept (design section 3, identity and what may be deleted). */
import type { CollectionKind, Kind, LiveObject } from '../kinds/kind.ts';
import { addressKey, isAddressOf, sectionOfAddress } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import { addressByRemoteId } from './bindings.ts';
import { type ChangeDraft, draftForget } from './change-draft.ts';
import { formerName } from './moves.ts';
import type { LedgerState } from './state.ts';

/** The live object of each declared address, and the objects that belong to none. */
export interface MatchedObjects {
  readonly pairs: ReadonlyMap<string, LiveObject>;
  readonly unmatched: readonly LiveObject[];
}

/** A live object that no resource matches. `address` is the one to which the ledger binds it, or that `removed` names, if any. */
export interface UnmatchedObject {
  readonly live: LiveObject;
  readonly address?: string;
}

/** All that decides which unmatched objects are deleted. */
export interface PruneInput {
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  /** Sections that are present in the sources. */
  readonly managedSections: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly state: LedgerState | null;
  /** Whether an earlier commit is applied: an object that was only adopted since then is forgotten, not deleted. */
  readonly appliesEarlierCommit: boolean;
}

/** What becomes of the objects that match no declared address. */
export interface Pruning {
  readonly toDelete: readonly UnmatchedObject[];
  /** Changes that make the ledger forget the objects that `removed` names. */
  readonly toForget: readonly ChangeDraft[];
  /** Objects that stay and have no address. */
  readonly kept: readonly LiveObject[];
}

/**
 * Decides what becomes of each unmatched object of a kind. Deletes what the ledger binds, under `exclusive` also what it does not bind;
 * keeps what `removed` names.
 */
export function pruneUnmatched(kind: CollectionKind, match: MatchedObjects, input: PruneInput): Pruning {
  const { unmatched } = match;
  const bound = addressByRemoteId(kind, input.state);
  const forgotten = input.state?.forgotten ?? new Set();
  const removals = matchRemoved(kind, match, input);
  const removedIds = new Set(removals.map(({ live }) => live.id));
  const others = unmatched.filter(({ id }) => !removedIds.has(id) && !forgotten.has(id));
  const candidates = others.flatMap((live) => pruneCandidate(kind, live, bound.get(live.id), match, input) ?? []);
  const toDelete = candidates.filter((each) => !forgetsOnEarlierCommit(each, input));
  const deletedIds = new Set(toDelete.map(({ live }) => live.id));
  return {
    toDelete,
    toForget: [
      ...removals.filter(({ live }) => !forgotten.has(live.id)),
      ...candidates.filter((each) => forgetsOnEarlierCommit(each, input)),
    ].flatMap((each) => forgetChange(kind, each, input)),
    kept: unmatched.filter(({ id }) => !deletedIds.has(id)),
  };
}

/**
 * Decides whether an unmatched live object that `removed` does not name is deleted. Returns undefined to keep it. `address` is the one to
 * which the ledger binds it; a binding whose address matches another object now does not count.
 */
function pruneCandidate(
  kind: CollectionKind,
  live: LiveObject,
  address: string | undefined,
  { pairs }: MatchedObjects,
  input: PruneInput,
): UnmatchedObject | undefined {
  if (address !== undefined && !pairs.has(address)) {
    const isPruned = isInManagedSection(kind, address, input.managedSections) && !input.removed.has(address);
    return isPruned ? { live, address } : undefined;
  }
  return input.ownership === 'exclusive' && input.managedSections.has(live.configSection) ? { live } : undefined;
}

/** Decides whether the section that declares an address of this kind is present in the sources. */
export function isInManagedSection(kind: Kind, address: string, managedSections: ReadonlySet<string>): boolean {
  const section = sectionOfAddress(kind, address);
  return section !== undefined && managedSections.has(section);
}

/** When an earlier commit is applied, an object that was only adopted is forgotten instead of deleted (design section 6). */
function forgetsOnEarlierCommit({ address }: UnmatchedObject, { appliesEarlierCommit, state }: PruneInput): boolean {
  return appliesEarlierCommit && address !== undefined && state?.bindings.get(address)?.origin === 'adopted';
}

function forgetChange(kind: CollectionKind, { live, address }: UnmatchedObject, { state, ownership }: PruneInput): readonly ChangeDraft[] {
  if (!state || ownership === 'observe' || address === undefined) return [];
  return [draftForget(kind, address, live)];
}

/** Finds the unmatched objects that `removed` may refer to: by binding, by address or ID, and by name. All of them are kept. */
function matchRemoved(kind: CollectionKind, { unmatched }: MatchedObjects, input: PruneInput): readonly UnmatchedObject[] {
  const addresses = [...input.removed].filter((address) => isAddressOf(kind, address)).sort(compareStrings);
  if (addresses.length === 0) return [];
  const byId = new Map(unmatched.map((live) => [live.id, live]));
  const byAddress = new Map(unmatched.map((live) => [kind.idAddress(live), live]));
  const matchable = unmatched.filter((live) => live.matchableByRemoteName);
  const byLabel = groupBy(matchable, (live) => live.remoteName);
  const found = addresses.flatMap((address) => {
    const bound = byId.get(input.state?.bindings.get(address)?.id ?? '');
    const fitting = [bound, byAddress.get(address), byId.get(addressKey(address)), ...(byLabel.get(formerName(address)) ?? [])];
    return fitting.flatMap((live): [string, UnmatchedObject][] => (live ? [[live.id, { live, address }]] : []));
  });
  // Each object once, with the first address that fits it.
  return [...new Map(found.reverse()).values()].reverse();
}
