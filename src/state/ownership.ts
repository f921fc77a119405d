/** Ownership: which objects are deleted, adopted, moved or forgotten (design section 3, identity and what may be deleted). */
import type { CollectionKind, DesiredResource, Kind, LiveObject } from '../kinds/kind.ts';
import { addressKey, isAddressOf, sectionOfAddress } from '../model/address.ts';
import { compareStrings } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import { type ChangeDraft, draftAdopt, draftForget, draftMove } from './change-draft.ts';
import { formerName, type State } from './state.ts';

/** The live object of each declared address, and the objects that belong to none. */
export interface MatchedObjects {
  readonly pairs: ReadonlyMap<string, LiveObject>;
  readonly unmatched: readonly LiveObject[];
}

/** A live object that is to be deleted. `address` is the one to which the ledger binds it; absent without a binding. */
export interface Prune {
  readonly live: LiveObject;
  readonly address?: string;
}

/** All that decides which unmatched objects are deleted. */
export interface OwnershipInput {
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  /** Sections that are present in the sources. */
  readonly managedSections: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly state: State | null;
  /** Whether an earlier commit is applied: an object that was only adopted since then is forgotten, not deleted. */
  readonly appliesEarlierCommit: boolean;
}

/** What becomes of the objects that match no declared address. */
export interface Unmatched {
  readonly toDelete: readonly Prune[];
  /** Changes that make the ledger forget the objects that `removed` names. */
  readonly toForget: readonly ChangeDraft[];
  /** Objects that stay and have no address. */
  readonly unmanaged: readonly LiveObject[];
}

/**
 * Decides what becomes of each unmatched object of a kind. Deletes what the ledger binds, under `exclusive` also what it does not bind;
 * keeps what `removed` names.
 */
export function classifyUnmatched(kind: CollectionKind, match: MatchedObjects, input: OwnershipInput): Unmatched {
  const { unmatched } = match;
  const bound = addressByRemoteId(kind, input.state);
  const forgotten = input.state?.forgotten ?? new Set();
  const removals = matchRemovedBlocks(kind, match, input);
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
    unmanaged: unmatched.filter(({ id }) => !deletedIds.has(id)),
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
  input: OwnershipInput,
): Prune | undefined {
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
function forgetsOnEarlierCommit({ address }: Prune, { appliesEarlierCommit, state }: OwnershipInput): boolean {
  return appliesEarlierCommit && address !== undefined && state?.bindings.get(address)?.origin === 'adopted';
}

function forgetChange(kind: CollectionKind, { live, address }: Prune, { state, ownership }: OwnershipInput): readonly ChangeDraft[] {
  if (!state || ownership === 'observe' || address === undefined) return [];
  return [draftForget(kind, address, live)];
}

/** Finds the unmatched objects that `removed` may mean: by binding, by address, and by the name that a move looks for. All of them stay. */
function matchRemovedBlocks(kind: CollectionKind, { unmatched }: MatchedObjects, input: OwnershipInput): readonly Prune[] {
  const addresses = [...input.removed].filter((address) => isAddressOf(kind, address)).sort(compareStrings);
  if (addresses.length === 0) return [];
  const byId = new Map(unmatched.map((live) => [live.id, live]));
  const byAddress = new Map(unmatched.map((live) => [kind.unmanagedAddress(live), live]));
  const matchable = unmatched.filter((live) => live.matchableByName);
  const byLabel = groupBy(matchable, (live) => live.label);
  const found = addresses.flatMap((address) => {
    const bound = byId.get(input.state?.bindings.get(address)?.id ?? '');
    const fitting = [bound, byAddress.get(address), byId.get(addressKey(address)), ...(byLabel.get(formerName(address)) ?? [])];
    return fitting.flatMap((live): [string, Prune][] => (live ? [[live.id, { live, address }]] : []));
  });
  return [...new Map(found.reverse()).values()].reverse();
}

/** Returns the addresses of this kind that the ledger binds, by remote ID. */
export function addressByRemoteId(kind: Kind, state: State | null): ReadonlyMap<string, string> {
  return new Map([...(state?.bindings ?? [])].flatMap(([address, { id }]) => (isAddressOf(kind, address) ? [[id, address]] : [])));
}

/**
 * Marks the updates of objects that get another address, or are adopted, and adds `adopt` and `move` changes for matched objects that need
 * no update. The added changes need a ledger.
 */
export function withAdoptionsAndMoves(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  match: MatchedObjects,
  drafts: readonly ChangeDraft[],
  adopt: ReadonlyMap<string, string>,
  { state, ownership }: Pick<OwnershipInput, 'state' | 'ownership'>,
): readonly ChangeDraft[] {
  const boundAddress = addressByRemoteId(kind, state);
  const newBindingOf = (address: string, { id }: { readonly id: string }): NewBinding | undefined => {
    const from = boundAddress.get(id);
    if (from === address) return undefined;
    if (from !== undefined) return { movedFrom: from };
    return state || adopt.get(address) === id ? { adopts: id } : undefined;
  };
  const marked = drafts.map((draft) =>
    draft.action === 'update' && draft.live.id !== null ? { ...draft, ...newBindingOf(draft.address, draft.live) } : draft,
  );
  if (!state || ownership === 'observe') return marked;
  const changed = new Set(drafts.map((draft) => draft.address));
  const stateOnly = resources.flatMap((desired): ChangeDraft[] => {
    const live = match.pairs.get(desired.address);
    const newBinding = live && !changed.has(desired.address) ? newBindingOf(desired.address, live) : undefined;
    if (!live || !newBinding) return [];
    return ['movedFrom' in newBinding ? draftMove(kind, desired, live, newBinding.movedFrom) : draftAdopt(kind, desired, live)];
  });
  return [...marked, ...stateOnly];
}

/** The binding of an object to another address than before, or for the first time. */
type NewBinding = { readonly movedFrom: string } | { readonly adopts: string };

/** Returns why a complete read is suspicious; undefined where it is not (design section 4, rule 1). `owner` is a digest. */
export function suspiciousReadReason(
  kind: Kind,
  objects: readonly { readonly id: string | null }[],
  owner: string | null,
  state: State | null,
): string | undefined {
  if (!state) return undefined;
  if (owner !== null && state.owner !== null && owner !== state.owner)
    return 'the account answers with another owner than at the last apply';
  const ids = new Set(objects.map((live) => live.id));
  const bound = [...addressByRemoteId(kind, state).keys()];
  const gone = bound.filter((id) => !ids.has(id)).length;
  return gone >= 2 && gone * 2 > bound.length ? `${gone} of ${bound.length} objects that were applied are gone` : undefined;
}
