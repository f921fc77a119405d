/** The bindings of the ledger: which live object belongs to which address, and the changes that bind one (design section 3, identity). */

import { isLoopback } from '../config/project.ts';
import { type CollectionKind, type DesiredResource, isLiveObject, type Kind, type LiveObject } from '../kinds/kind.ts';
import { isAddressOf, sectionOfAddress } from '../model/address.ts';
import { isManaged } from './object-globs.ts';
import { type IdentityProblem, type PlannedChange, planAdopt, planMove } from './planned-change.ts';
import type { LedgerState, SentCreate, StateBinding } from './state.ts';

/** Returns the addresses of this kind that the ledger binds, by remote ID. */
export function addressByRemoteId(kind: Kind, state: Pick<LedgerState, 'bindings'> | null): ReadonlyMap<string, string> {
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

/** All that decides whether an object may be bound to an address. */
export interface BindingRules {
  readonly state: LedgerState | null;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  /** Globs of the objects that this project manages; null = everything. */
  readonly manages: readonly string[] | null;
  /** The IDs that the sources name, by address. */
  readonly adopt: ReadonlyMap<string, string>;
  /** The bindings of the apply to which the plan goes back; null where it goes back to none. */
  readonly earlierBindings: LedgerState['bindings'] | null;
  /** The creates that earlier runs on this machine have sent, and whose objects nobody has seen, by address. */
  readonly sentCreates: ReadonlyMap<string, SentCreate>;
}

/**
 * Marks the updates whose objects get another address or are adopted. With a ledger, adds `adopt` and `move` changes for other matched
 * objects that get another address or are adopted. A change that binds an object which this project must not take over has an identity
 * problem (design section 3, identity).
 */
export function withAdoptionsAndMoves(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  liveByAddress: ReadonlyMap<string, LiveObject>,
  planned: readonly PlannedChange[],
  rules: BindingRules,
): readonly PlannedChange[] {
  const { state, ownership, adopt } = rules;
  const boundAddress = addressByRemoteId(kind, state);
  const newBindingOf = (address: string, { id }: { readonly id: string }): NewBinding | undefined => {
    const from = boundAddress.get(id);
    if (from === address) return undefined;
    if (from !== undefined) return { movedFrom: from };
    // Without a ledger, only what `adopt` names counts as adopted.
    const isAdopted = state !== null || adopt.get(address) === id;
    return isAdopted ? { adopts: id } : undefined;
  };
  const problemOf = (address: string, live: LiveObject, isChanged: boolean) =>
    boundAddress.has(live.id) ? null : problemOfNewBinding(kind, address, live, isChanged, rules);
  const marked = planned.map((each): PlannedChange => {
    const { change, live } = each;
    if (change.action !== 'update' || live === null || !isLiveObject(live)) return each;
    const identityProblem = problemOf(change.address, live, true) ?? each.identityProblem;
    return { ...each, identityProblem, change: { ...change, ...newBindingOf(change.address, live) } };
  });
  if (!state || ownership === 'observe') return marked;
  const changedAddresses = new Set(planned.map(({ change }) => change.address));
  const ledgerOnly = resources.flatMap((desired): PlannedChange[] => {
    const { address } = desired;
    const live = liveByAddress.get(address);
    const newBinding = live && !changedAddresses.has(address) ? newBindingOf(address, live) : undefined;
    if (!live || !newBinding) return [];
    if ('movedFrom' in newBinding) return [planMove(kind, desired, live, newBinding.movedFrom)];
    return [{ ...planAdopt(kind, desired, live), identityProblem: problemOf(address, live, false) }];
  });
  return [...marked, ...ledgerOnly];
}

/**
 * Returns why an object that the ledger binds to no address must not be bound to this one; null where it may. `isChanged` says whether
 * something of it would change. The first row that fits decides:
 *
 *   the object                                                              | bound
 *   ------------------------------------------------------------------------+------------------------------------
 *   was bound to this address by the apply to which the plan goes back,     | yes
 *   and was not forgotten since                                             |
 *   was created by an earlier run on this machine, as far as its ID is      | yes
 *   known; without one, where it is as desired and `adopt` does not name it |
 *   `manages` names neither its ID nor its live name                        | no
 *   would change, its section was managed completely, and `adopt` does not  | no
 *   name its ID                                                             |
 *   any other                                                               | yes
 */
function problemOfNewBinding(
  kind: CollectionKind,
  address: string,
  live: LiveObject,
  isChanged: boolean,
  rules: BindingRules,
): IdentityProblem | null {
  const { state, manages, earlierBindings, sentCreates } = rules;
  const isReturned = earlierBindings?.get(address)?.id === live.id && state?.forgotten.has(live.id) !== true;
  const sent = sentCreates.get(address);
  const isOwn = sent?.id === null ? !isChanged && rules.adopt.get(address) !== live.id : sent?.id === live.id;
  if (isReturned || isOwn) return null;
  if (!isManaged(manages, kind, live)) return outsideOfManages(kind, live);
  if (!isChanged || !isTakenOver(kind, address, live.id, rules)) return null;
  return { reason: `it would change ${kind.idAddress(live)}, which the account has and this ledger does not bind` };
}

/** The code of the finding that lists what to add to `manages`, for all objects that it does not name. */
export const UNMANAGED_CODE = 'unmanaged-object';

function outsideOfManages(kind: CollectionKind, live: LiveObject): IdentityProblem {
  const name = live.remoteName === '' ? '' : `, ${JSON.stringify(live.remoteName)}`;
  return {
    reason: `\`manages\` names neither ${kind.idAddress(live)} nor its live name${name}`,
    lift: `if it is yours, add to \`manages\` what the finding \`${UNMANAGED_CODE}\` lists, under review; if not, give the resource another name`,
    isUnmanaged: true,
  };
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

/** How an object is bound anew: from another address, or for the first time. */
type NewBinding = { readonly movedFrom: string } | { readonly adopts: string };

/** Returns scheme and host of a service, by which it is told from another one; null for this machine, where addresses mean little. */
export function serviceOf(baseUrl: string): string | null {
  const { origin, hostname } = new URL(baseUrl);
  return isLoopback(hostname) ? null : origin;
}

/** Number of bound objects that must be gone for a read to be suspicious. */
export const MIN_GONE_BINDINGS = 2;

/** What a read shows of the objects of a kind. */
interface ShownObjects {
  readonly objects: readonly { readonly id: string | null }[];
  readonly isCounted?: true;
}

/**
 * Returns why a complete read is suspicious; undefined where it is not (design section 4, rule 1). `ownerDigest` is the digest of the owner
 * that the responses name, in the reads of all kinds, and `baseUrl` the address of the service. `declared` has the addresses that the
 * sources declare: what nobody declares may be gone, such as after an apply that was killed while it deleted, where the list is counted and
 * shows any bound object.
 */
export function suspiciousReadReason(
  kind: Kind,
  { objects, isCounted }: ShownObjects,
  { ownerDigest, baseUrl }: { readonly ownerDigest: string | null; readonly baseUrl: string },
  state: LedgerState | null,
  declared: ReadonlySet<string>,
): string | undefined {
  if (!state) return undefined;
  const service = serviceOf(baseUrl);
  if (service !== null && state.baseUrl !== null && service !== state.baseUrl)
    return `the last apply wrote to ${state.baseUrl}, and this is ${service}`;
  if (ownerDigest !== null && state.ownerDigest !== null && ownerDigest !== state.ownerDigest)
    return 'the account answers with another owner than at the last apply';
  const ids = new Set(objects.map((live) => live.id));
  const bound = [...addressByRemoteId(kind, state)];
  const isVouchedFor = isCounted === true && bound.some(([id]) => ids.has(id));
  // Of these, reads may not show yet what the last apply did.
  const isOpen = (address: string) =>
    state.bindings.get(address)?.unseen !== undefined || state.bindings.get(address)?.deleted !== undefined;
  const mayBeGone = (id: string, address: string) => isVouchedFor && !ids.has(id) && !declared.has(address);
  const boundIds = bound.flatMap(([id, address]) => (isOpen(address) || mayBeGone(id, address) ? [] : [id]));
  const gone = boundIds.filter((id) => !ids.has(id)).length;
  return gone >= MIN_GONE_BINDINGS && gone * 2 > boundIds.length
    ? `${gone} of ${boundIds.length} objects that were applied are gone`
    : undefined;
}
