/** The bindings of the ledger: which live object belongs to which address, and the changes that bind one (design section 3, identity). */

import { isLoopback } from '../config/project.ts';
import type { CollectionKind, DesiredResource, Kind, LiveObject, LiveResource } from '../kinds/kind.ts';
import { isAddressOf, sectionOfAddress } from '../model/address.ts';
import { type PlannedChange, planAdopt, planMove } from './planned-change.ts';
import type { LedgerState, StateBinding } from './state.ts';

/** Returns the addresses of this kind that the ledger binds, by remote ID. */
export function addressByRemoteId(kind: Kind, state: LedgerState | null): ReadonlyMap<string, string> {
  return new Map([...(state?.bindings ?? [])].flatMap(([address, { id }]) => (isAddressOf(kind, address) ? [[id, address]] : [])));
}

/** Returns the state with more bindings; null without a ledger. */
export function withBindings(state: LedgerState | null, more: LedgerState['bindings']): LedgerState | null {
  return state && { ...state, bindings: new Map([...state.bindings, ...more]) };
}

/**
 * Returns the bindings of a kind by which live objects are matched when the configuration of an earlier apply is planned again: those of that
 * apply (`earlier`) whose objects exist, and the current ones of all other addresses and objects.
 */
export function returnToBindings(
  kind: Kind,
  current: LedgerState['bindings'],
  earlier: LedgerState['bindings'],
  exists: (id: string) => boolean,
): LedgerState['bindings'] {
  const returned = new Map([...earlier].filter(([address, { id }]) => isAddressOf(kind, address) && exists(id)));
  const returnedIds = new Set([...returned.values()].map(({ id }) => id));
  return new Map<string, StateBinding>([...[...current].filter(([, { id }]) => !returnedIds.has(id)), ...returned]);
}

/**
 * Marks the updates whose objects get another address or are adopted. With a ledger, adds `adopt` and `move` changes for other matched
 * objects that get another address or are adopted.
 */
export function withAdoptionsAndMoves(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  liveByAddress: ReadonlyMap<string, LiveObject>,
  planned: readonly PlannedChange[],
  adopt: ReadonlyMap<string, string>,
  {
    state,
    ownership,
    earlierBindings,
  }: {
    readonly state: LedgerState | null;
    readonly ownership: 'shared' | 'exclusive' | 'observe';
    readonly earlierBindings: LedgerState['bindings'] | null;
  },
): readonly PlannedChange[] {
  const boundAddress = addressByRemoteId(kind, state);
  const newBindingOf = (address: string, { id }: { readonly id: string }): NewBinding | undefined => {
    const from = boundAddress.get(id);
    if (from === address) return undefined;
    if (from !== undefined) return { movedFrom: from };
    // Without a ledger, only what `adopt` names counts as adopted.
    const isAdopted = state !== null || adopt.get(address) === id;
    return isAdopted ? { adopts: id } : undefined;
  };
  const marked = planned.map((each): PlannedChange => {
    const { change, live } = each;
    if (change.action !== 'update' || live === null || live.id === null) return each;
    const binding = newBindingOf(change.address, live);
    const isNew = binding !== undefined && 'adopts' in binding && earlierBindings?.get(change.address)?.id !== live.id;
    const identityProblem =
      isNew && isTakenOver(kind, change.address, live.id, { adopt, state }) ? takesOver(kind, live) : each.identityProblem;
    return { ...each, identityProblem, change: { ...change, ...binding } };
  });
  if (!state || ownership === 'observe') return marked;
  const changedAddresses = new Set(planned.map(({ change }) => change.address));
  const ledgerOnly = resources.flatMap((desired): PlannedChange[] => {
    const live = liveByAddress.get(desired.address);
    const newBinding = live && !changedAddresses.has(desired.address) ? newBindingOf(desired.address, live) : undefined;
    if (!live || !newBinding) return [];
    return ['movedFrom' in newBinding ? planMove(kind, desired, live, newBinding.movedFrom) : planAdopt(kind, desired, live)];
  });
  return [...marked, ...ledgerOnly];
}

/**
 * Decides whether binding an object would take it over without a decision: nobody names its ID under `adopt`, and an apply has managed its
 * section completely, so that an object which upkeep does not know belongs to somebody else.
 */
export function isTakenOver(
  kind: Kind,
  address: string,
  id: string,
  { adopt, state }: { readonly adopt: ReadonlyMap<string, string>; readonly state: LedgerState | null },
): boolean {
  return adopt.get(address) !== id && state !== null && state.managedSections.has(sectionOfAddress(kind, address) ?? '');
}

function takesOver(kind: Kind, live: LiveResource): string {
  return `it would change ${kind.idAddress(live)}, which the account has and upkeep did not create`;
}

/** How an object is bound anew: from another address, or for the first time. */
type NewBinding = { readonly movedFrom: string } | { readonly adopts: string };

/** Returns scheme and host of a service, by which it is told from another one; null for this machine, where addresses mean little. */
export function serviceOf(baseUrl: string): string | null {
  const { origin, hostname } = new URL(baseUrl);
  return isLoopback(hostname) ? null : origin;
}

/** Number of bound objects that must be gone for a read to be suspicious. */
export const MIN_GONE_BINDINGS = 2;

/**
 * Returns why a complete read is suspicious; undefined where it is not (design section 4, rule 1). `ownerDigest` is the digest of the owner
 * that the responses name, in the reads of all kinds, and `baseUrl` the address of the service.
 */
export function suspiciousReadReason(
  kind: Kind,
  objects: readonly { readonly id: string | null }[],
  { ownerDigest, baseUrl }: { readonly ownerDigest: string | null; readonly baseUrl: string },
  state: LedgerState | null,
): string | undefined {
  if (!state) return undefined;
  const service = serviceOf(baseUrl);
  if (service !== null && state.baseUrl !== null && service !== state.baseUrl)
    return `the last apply wrote to ${state.baseUrl}, and this is ${service}`;
  if (ownerDigest !== null && state.ownerDigest !== null && ownerDigest !== state.ownerDigest)
    return 'the account answers with another owner than at the last apply';
  const ids = new Set(objects.map((live) => live.id));
  // Of these, reads may not show yet what the last apply did.
  const isOpen = (address: string) =>
    state.bindings.get(address)?.unseen !== undefined || state.bindings.get(address)?.deleted !== undefined;
  const boundIds = [...addressByRemoteId(kind, state)].flatMap(([id, address]) => (isOpen(address) ? [] : [id]));
  const gone = boundIds.filter((id) => !ids.has(id)).length;
  return gone >= MIN_GONE_BINDINGS && gone * 2 > boundIds.length
    ? `${gone} of ${boundIds.length} objects that were applied are gone`
    : undefined;
}
