/**
 * Refreshes one kind: reads its live objects, matches them, spot-checks the read, and decides what becomes of the objects that no resource
 * matches.
 */

import {
  ApiError,
  type ApiService,
  type CollectionKind,
  type DesiredResource,
  type Kind,
  type LiveObject,
  type LiveResource,
  type ReadResult,
  type SettingKind,
} from '../kinds/kind.ts';
import { addressPrefixes, prefixOfAddress } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { compareStrings } from '../model/finding.ts';
import { letsThrough } from '../safety/overrides.ts';
import { addressByRemoteId, returnToBindings, withBindings } from '../state/bindings.ts';
import { applyMoves, type EffectiveBindings } from '../state/moves.ts';
import { isManaged } from '../state/object-globs.ts';
import { accountOf, withoutHeld } from '../state/other-ledgers.ts';
import { type Pruning, pruneUnmatched } from '../state/prune.ts';
import type { LedgerState, SentCreate } from '../state/state.ts';
import type { PlanInput } from './input.ts';
import { interruptedCreates } from './interrupted.ts';
import type { CollectionState, KindRead, KindState, SettingState } from './kind-state.ts';
import { type MatchResult, matchResources, matchSetting } from './match.ts';
import { whyNotRead } from './why-not-read.ts';

const NO_MATCHES: MatchResult<never> = {
  liveByAddress: new Map<string, never>(),
  identityProblems: new Map(),
  unclaimed: [],
  warnings: [],
};
const NO_PRUNING: Pruning = { toDelete: [], forgets: [], kept: [], notDeclarable: [] };

/** The input of a plan without its API client, so that no request bypasses the counter of the plan. */
type RefreshInput = Omit<PlanInput, 'service'>;

/**
 * Refreshes one kind, if it is managed and selected by `--only`, and matches it. `resourcesByAddressPrefix` holds
 * the desired resources by the prefix of their address.
 */
export function refreshKind(
  kind: Kind,
  input: RefreshInput,
  service: ApiService,
  resourcesByAddressPrefix = resourcesByPrefix(input.desiredState.resources),
): Promise<KindState> {
  const unsorted = addressPrefixes(kind).flatMap((prefix) => resourcesByAddressPrefix.get(prefix) ?? []);
  const resources = unsorted.sort((a, b) => compareStrings(a.address, b.address));
  return kind.type === 'collection' ? refreshCollection(kind, resources, input, service) : refreshSetting(kind, resources, input, service);
}

/** Groups resources by the prefix of their address: `playlist/`, or the whole address of a setting. */
export function resourcesByPrefix(resources: readonly DesiredResource[]): ReadonlyMap<string, readonly DesiredResource[]> {
  return groupBy(resources, ({ address }) => prefixOfAddress(address));
}

async function refreshSetting(
  kind: SettingKind,
  resources: readonly DesiredResource[],
  input: RefreshInput,
  service: ApiService,
): Promise<SettingState> {
  const reason = whyNotRead(kind, input);
  if (reason) return { kind, resources, read: notRead(reason), match: NO_MATCHES };
  const read = await readKind(kind, service, input.elapsed);
  return { kind, resources, read, match: matchSetting(resources, read.result.objects) };
}

/**
 * Reads the live objects, matches them, spot-checks the read, and decides what becomes of the objects that no resource matches. Where an
 * earlier run has sent a create whose object is not there, it reads again until the object is, or the time for that is over.
 */
async function refreshCollection(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  given: RefreshInput,
  service: ApiService,
): Promise<CollectionState> {
  const reason = whyNotRead(kind, given);
  if (reason) return stateWithoutMatches(kind, resources, notRead(reason));
  const failedLookup = given.failedExternalIdLookups.get(kind.name);
  if (failedLookup) return stateWithoutMatches(kind, resources, incomplete(failedLookup, given.elapsed()));
  return given.settling.settle(
    () => readCollection(kind, resources, given, service),
    ({ unseenCreates }) => unseenCreates.size === 0,
  );
}

function stateWithoutMatches(kind: CollectionKind, resources: readonly DesiredResource[], read: KindRead<LiveObject>): CollectionState {
  const nothing = { match: NO_MATCHES, pruning: NO_PRUNING, interruptedCreates: new Map(), unseenCreates: new Map() };
  return { kind, resources, read, ...nothing };
}

async function readCollection(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  given: RefreshInput,
  service: ApiService,
): Promise<CollectionState> {
  const { desiredState, target } = given;
  const read = await readKind(kind, service, given.elapsed);
  if (read.status !== 'complete') return stateWithoutMatches(kind, resources, read);
  await yieldToEventLoop();
  // That an object equals what a killed apply declared proves nothing of one that `manages` does not name: it may have been there before.
  const managed = read.result.objects.filter((live) => isManaged(target.manages, kind, live));
  const equal = given.ledgerState
    ? interruptedCreates(kind, managed, given.interrupted, given.ledgerState, given.now())
    : new Map<string, never>();
  const interrupted =
    equal.size === 0 ? equal : withoutHeld(kind, equal, await given.otherLedgers(), accountOf(target.baseUrl, given.owner, null));
  const ledgerState = withBindings(given.ledgerState, interrupted);
  const input = { ...given, ledgerState };
  const boundIds = new Set(addressByRemoteId(kind, ledgerState).keys());
  // Of these objects it is known which they are (bound, forgotten or named by `removed`), so their names are never taken for another form
  // of a desired name.
  const isIdentified = (live: LiveObject) =>
    boundIds.has(live.id) || ledgerState?.forgotten.has(live.id) === true || desiredState.removed.has(kind.idAddress(live));
  const bindings = applyMoves(bindingsToMatch(kind, read.result.objects, input), desiredState.moved);
  const match = matchResources(kind, resources, read.result.objects, desiredState.adopt, bindings, isIdentified);
  const toCreate = resources.filter(({ address }) => !match.liveByAddress.has(address) && !match.identityProblems.has(address));
  const spotChecked = await spotCheckList(kind, read, toCreate, [...boundIds], service);
  if (spotChecked.status !== 'complete') return stateWithoutMatches(kind, resources, spotChecked);
  const pruning = pruneUnmatched(kind, match, {
    ownership: target.ownership,
    manages: target.manages,
    presentKeys: desiredState.presentKeys,
    removed: desiredState.removed,
    ledgerState,
    appliesEarlierCommit: input.appliesEarlierCommit,
    earlierBindings: input.earlierBindings,
    whyNotDeclarable: createWhyNotDeclarable(kind, read.result.objects, input),
  });
  const unseenCreates = unseenAmong(toCreate, bindings, ledgerState, given.sentCreates);
  return { kind, resources, read: spotChecked, match, pruning, interruptedCreates: interrupted, unseenCreates };
}

/** Returns which of these creates an earlier run has sent: by the ID that the ledger binds to the address, or by the journal. */
function unseenAmong(
  toCreate: readonly DesiredResource[],
  { ids }: EffectiveBindings,
  state: LedgerState | null,
  sentCreates: PlanInput['sentCreates'],
): ReadonlyMap<string, SentCreate> {
  const unseen = new Map(
    [...(state?.bindings.values() ?? [])].flatMap((each) => (each.unseen === undefined ? [] : [[each.id, each.unseen]])),
  );
  return new Map(
    toCreate.flatMap(({ address }): [string, SentCreate][] => {
      const id = ids.get(address);
      const at = id === undefined ? undefined : unseen.get(id);
      const sent = id !== undefined && at !== undefined ? { id, at } : sentCreates.get(address);
      return sent === undefined ? [] : [[address, sent]];
    }),
  );
}

/** Returns the bindings of the ledger. Where `--ref` goes back to an earlier apply, the bindings of that apply take precedence. */
function bindingsToMatch(
  kind: CollectionKind,
  objects: readonly LiveObject[],
  { ledgerState, earlierBindings }: RefreshInput,
): Pick<LedgerState, 'bindings'> | null {
  if (ledgerState === null || earlierBindings === null) return ledgerState;
  const ids = new Set(objects.map(({ id }) => id));
  return { bindings: returnToBindings(kind, ledgerState.bindings, earlierBindings, (id) => ids.has(id)) };
}

/**
 * Returns a function that tells why no configuration can declare an object. It names no reason for an object whose address `--only` gives
 * in full, without `*`, while `--allow deletes` is given: the user asks to delete it. The reasons are computed at the first call.
 */
function createWhyNotDeclarable(
  kind: CollectionKind,
  objects: readonly LiveObject[],
  { selection, overrides, now, whyNotDeclarable }: RefreshInput,
): (live: LiveObject) => string | undefined {
  let reasons: ReadonlyMap<string, string> | undefined;
  return (live) => {
    const address = kind.idAddress(live);
    if ((overrides.deletes > 0 || letsThrough(overrides, 'deletes', address)) && selection.names({ address })) return undefined;
    reasons ??= whyNotDeclarable(kind, objects, now());
    return reasons.get(live.id);
  };
}

/** Maximum number of spot checks of bindings whose objects the list lacks (design section 4, rule 1). */
export const MAX_BINDING_SPOT_CHECKS = 5;

const NOTHING = { objects: [], warnings: [] };

/** Returns the placeholder for a kind that is not managed, or that `--only` does not select. */
export function notRead(status: 'unmanaged' | 'skipped'): KindRead<never> {
  return { status, result: NOTHING, readAt: 0, error: null };
}

/** Reads a kind. A request that fails makes the read incomplete; it never counts as an empty list (design section 4, rule 1). */
export async function readKind<Live extends LiveResource>(
  kind: { read(service: ApiService): Promise<ReadResult<Live>> },
  service: ApiService,
  elapsed: () => number,
): Promise<KindRead<Live>> {
  const readAt = elapsed();
  try {
    return { status: 'complete', result: await kind.read(service), readAt, error: null };
  } catch (error) {
    return incomplete(error, readAt);
  }
}

/**
 * Spot-checks a list, because one page of a list can look like the whole list (design section 4, rule 1). For some of the resources that
 * would be created (`toCreate`) it searches for an object that exists already; for some of the IDs that the ledger binds (`boundIds`) and
 * the list lacks, it reads the object. Returns the read, which is incomplete if a request failed, or an object was found that the list
 * lacks or shows under another name.
 */
export async function spotCheckList(
  kind: CollectionKind,
  read: KindRead<LiveObject>,
  toCreate: readonly DesiredResource[],
  boundIds: readonly string[],
  service: ApiService,
): Promise<KindRead<LiveObject>> {
  if (read.status !== 'complete') return read;
  const listed = new Map(read.result.objects.map(({ id, remoteName }) => [id, remoteName]));
  const unlisted = boundIds.filter((id) => !listed.has(id));
  try {
    const found = await Promise.all([
      ...sample(toCreate, kind.spotChecksPerPlan).map((desired) => kind.find(service, desired)),
      ...sample(unlisted, MAX_BINDING_SPOT_CHECKS).map(async (id) => (await kind.get(service, id)) ?? []),
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
        advice:
          'The service gave only a part of its list, or somebody created the object meanwhile. Run again; if it stays so, ask the vendor about paging.',
      };
  return new ApiError({ category: 'malformed', operation: `reading ${kind.name}`, ...reason, mayHaveWritten: 'no' });
}

/** Returns up to `count` items, spread evenly, so that a missing part of a list is found wherever it is. */
function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  // An interval of at most 1 takes every item. With a `count` of 0 it is infinite, and takes none.
  const interval = items.length / count;
  return items.filter((_, index) => Math.floor(index / interval) !== Math.floor((index - 1) / interval));
}
