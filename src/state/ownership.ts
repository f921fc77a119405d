/** What belongs to us: which objects go, which are adopted, moved or forgotten (design section 3, identity and what may be deleted). */
import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import { compareStrings } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import type { ChangeDraft } from './change-draft.ts';
import { stateOnlyChange } from './new-change.ts';
import { formerName, type State } from './state.ts';

/** Which live objects belong to declared addresses, and which belong to none. */
export interface MatchedObjects {
  readonly pairs: ReadonlyMap<string, LiveResource>;
  readonly unmatched: readonly LiveResource[];
}

/** A live object that is to be deleted; `address` is the one that it was applied for, absent where nobody declared it. */
export interface Prune {
  readonly live: LiveResource;
  readonly address?: string;
}

/** What decides over the objects of one kind. */
export interface OwnershipInput {
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  /** Sections that are present. */
  readonly managedSections: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly state: State | null;
  /** Whether this run goes back to an earlier commit: what was only adopted since then is forgotten, not deleted. */
  readonly appliesEarlierCommit: boolean;
}

/** What becomes of the objects that no declared address matches. */
export interface Unmatched {
  readonly toDelete: readonly Prune[];
  /** Steps that make the ledger forget what `removed` names. */
  readonly toForget: readonly ChangeDraft[];
  /** Objects that stay and are nobody's. */
  readonly unmanaged: readonly LiveResource[];
}

/** Sorts the undeclared objects of a kind: what we applied goes, in `exclusive` also what nobody declares; what `removed` names stays. */
export function classifyUnmatched(kind: Kind, identified: MatchedObjects, own: OwnershipInput): Unmatched {
  const { unmatched } = identified;
  const bound = addressByRemoteId(kind, own.state);
  const known = own.state?.forgotten ?? new Set();
  const removals = matchRemovedBlocks(kind, identified, own);
  const named = new Set(removals.map(({ live }) => live.id));
  const others = unmatched.filter(({ id }) => !named.has(id) && !known.has(id));
  const ends = others.flatMap((live) => pruneCandidate(kind, live, bound.get(live.id), identified, own) ?? []);
  const doomed = ends.filter((each) => !forgetsOnEarlierCommit(each, own));
  const gone = new Set(doomed.map(({ live }) => live.id));
  return {
    toDelete: doomed,
    toForget: [...removals.filter(({ live }) => !known.has(live.id)), ...ends.filter((each) => forgetsOnEarlierCommit(each, own))].flatMap(
      (each) => forgetChange(kind, each, own),
    ),
    unmanaged: unmatched.filter(({ id }) => !gone.has(id)),
  };
}

/** The end of an object that `removed` does not name; undefined = it stays. An address that has another object now says nothing of its old one. */
function pruneCandidate(
  kind: Kind,
  live: LiveResource,
  address: string | undefined,
  { pairs }: MatchedObjects,
  own: OwnershipInput,
): Prune | undefined {
  if (address !== undefined && !pairs.has(address)) {
    const ours = own.managedSections.has(sectionOf(kind, address)) && !own.removed.has(address);
    return ours ? { live, address } : undefined;
  }
  return own.ownership === 'exclusive' && own.managedSections.has(live.configSection) ? { live } : undefined;
}

/** On the way back, what was only adopted is forgotten instead of deleted (design section 6). */
function forgetsOnEarlierCommit({ address }: Prune, { appliesEarlierCommit, state }: OwnershipInput): boolean {
  return appliesEarlierCommit && address !== undefined && state?.bindings.get(address)?.origin === 'adopted';
}

function forgetChange(kind: Kind, { live, address }: Prune, { state, ownership }: OwnershipInput): readonly ChangeDraft[] {
  if (!state || ownership === 'observe' || address === undefined) return [];
  return [{ ...stateOnlyChange(kind, 'forget', null, live), address }];
}

/** The undeclared objects that `removed` may mean: by binding, by address, and as a move would find them. All of them stay. */
function matchRemovedBlocks(kind: Kind, { unmatched }: MatchedObjects, own: OwnershipInput): readonly Prune[] {
  const addresses = [...own.removed].filter((address) => isAddressOf(kind, address)).sort(compareStrings);
  if (addresses.length === 0) return [];
  const byId = new Map(unmatched.map((live) => [live.id, live]));
  const byAddress = new Map(unmatched.map((live) => [kind.unmanagedAddress(live), live]));
  const nameable = unmatched.filter((live) => live.matchableByName);
  const byLabel = groupBy(nameable, (live) => live.label);
  const found = addresses.flatMap((address) => {
    const bound = byId.get(own.state?.bindings.get(address)?.id ?? '');
    const fitting = [bound, byAddress.get(address), byId.get(lastPart(address)), ...(byLabel.get(formerName(address)) ?? [])];
    return fitting.flatMap((live): [string, Prune][] => (live ? [[live.id, { live, address }]] : []));
  });
  return [...new Map(found.reverse()).values()].reverse();
}

function lastPart(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

/** The addresses of this kind that the ledger knows, by remote ID. */
export function addressByRemoteId(kind: Kind, state: State | null): ReadonlyMap<string, string> {
  return new Map([...(state?.bindings ?? [])].flatMap(([address, { id }]) => (isAddressOf(kind, address) ? [[id, address]] : [])));
}

/** Says of every matched object whose it becomes: on its update, or as a step of its own. Without a ledger there is nothing to say. */
export function withAdoptionsAndMoves(
  kind: Kind,
  resources: readonly DesiredResource[],
  identified: MatchedObjects,
  drafts: readonly ChangeDraft[],
  adopt: ReadonlyMap<string, string>,
  { state, ownership }: Pick<OwnershipInput, 'state' | 'ownership'>,
): readonly ChangeDraft[] {
  if (kind.singleton) return drafts;
  const former = addressByRemoteId(kind, state);
  const claimOf = (address: string, live: LiveResource): Pick<ChangeDraft, 'adopts' | 'movedFrom'> | undefined => {
    const from = former.get(live.id);
    if (from === address) return undefined;
    if (from !== undefined) return { movedFrom: from };
    return state || adopt.get(address) === live.id ? { adopts: live.id } : undefined;
  };
  const marked = drafts.map((draft) =>
    draft.action === 'update' && draft.live ? { ...draft, ...claimOf(draft.address, draft.live) } : draft,
  );
  if (!state || ownership === 'observe') return marked;
  const changed = new Set(drafts.map((draft) => draft.address));
  const notes = resources.flatMap((desired): ChangeDraft[] => {
    const live = identified.pairs.get(desired.address);
    const claim = live && !changed.has(desired.address) ? claimOf(desired.address, live) : undefined;
    return live && claim ? [{ ...stateOnlyChange(kind, claim.movedFrom === undefined ? 'adopt' : 'move', desired, live), ...claim }] : [];
  });
  return [...marked, ...notes];
}

/** Why a reading is doubtful although it looks complete; undefined = it is not (design section 4, rule 1). `owner` is a digest. */
export function suspiciousReadReason(
  kind: Kind,
  objects: readonly LiveResource[],
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

/** Whether an address is one of this kind. */
export function isAddressOf(kind: Kind, address: string): boolean {
  return kind.addresses.some((prefix) => (kind.singleton ? address === prefix : address.startsWith(prefix)));
}

/** Declared resources by what the addresses of their kind begin with. */
export function groupByKindPrefix(resources: readonly DesiredResource[]): ReadonlyMap<string, readonly DesiredResource[]> {
  return groupBy(resources, ({ address }) => address.slice(0, address.indexOf('/') + 1) || address);
}

/** The section under which an address is declared. */
export function sectionOf(kind: Kind, address: string): string {
  const managing = kind.sections.filter((section) => section.manages);
  return (managing.find(({ prefix }) => prefix !== undefined && address.startsWith(prefix)) ?? managing[0])?.key ?? kind.name;
}
