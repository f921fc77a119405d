/** The state of one kind in a plan: desired resources, live objects, and which belong together. */
import { createHash } from 'node:crypto';
import type { ApiService, CollectionKind, DesiredResource, Kind, LiveObject, LiveSetting, SettingKind } from '../kinds/kind.ts';
import { addressPattern, addressPatterns, mayMatchPattern } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { compareStrings } from '../model/finding.ts';
import { matchesGlob } from '../model/glob.ts';
import { addressByRemoteId } from '../state/bindings.ts';
import { applyMoves } from '../state/moves.ts';
import { type Pruning, pruneUnmatched } from '../state/prune.ts';
import type { PlanInput } from './input.ts';
import { type MatchResult, matchResources, matchSetting } from './match.ts';
import { type KindRead, notRead, readKind, spotCheckList } from './refresh.ts';

/** The state of a collection after refresh and match. */
export interface CollectionState {
  readonly kind: CollectionKind;
  /** Sorted by address. */
  readonly resources: readonly DesiredResource[];
  readonly read: KindRead<LiveObject>;
  readonly match: MatchResult<LiveObject>;
  readonly pruning: Pruning;
}

/** The state of a setting after refresh and match. */
export interface SettingState {
  readonly kind: SettingKind;
  /** At most one. */
  readonly resources: readonly DesiredResource[];
  readonly read: KindRead<LiveSetting>;
  readonly match: MatchResult<LiveSetting>;
}

/** The state of one kind after refresh and match. */
export type KindState = CollectionState | SettingState;

/** Decides whether this is the state of a collection. */
export function isCollectionState(kindState: KindState): kindState is CollectionState {
  return kindState.kind.type === 'collection';
}

const NO_MATCHES: MatchResult<never> = { pairs: new Map<string, never>(), identityProblems: new Map(), unmatched: [], warnings: [] };
const NO_UNMATCHED: Pruning = { toDelete: [], toForget: [], kept: [] };

/** Refreshes one kind, if it is managed and selected by `--only`, and matches it. `declared` holds the desired resources by address pattern. */
export function refreshKind(
  kind: Kind,
  input: PlanInput,
  service: ApiService,
  declared = resourcesByPattern(input.desiredState.resources),
): Promise<KindState> {
  const own = addressPatterns(kind).flatMap((pattern) => declared.get(pattern) ?? []);
  const resources = own.sort((a, b) => compareStrings(a.address, b.address));
  return kind.type === 'collection' ? refreshCollection(kind, resources, input, service) : refreshSetting(kind, resources, input, service);
}

/** Groups resources by the pattern of their address: `playlist/`, or the whole address of a setting. */
export function resourcesByPattern(resources: readonly DesiredResource[]): ReadonlyMap<string, readonly DesiredResource[]> {
  return groupBy(resources, ({ address }) => addressPattern(address));
}

async function refreshSetting(
  kind: SettingKind,
  resources: readonly DesiredResource[],
  input: PlanInput,
  service: ApiService,
): Promise<SettingState> {
  const skipped = whyNotRead(kind, input);
  if (skipped) return { kind, resources, read: notRead(skipped), match: NO_MATCHES };
  const read = await readKind(kind, service, input.now);
  return { kind, resources, read, match: matchSetting(resources, read.result.objects) };
}

/** Reads the live objects, matches them, spot-checks the read, and classifies the objects that no resource matches. */
async function refreshCollection(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  input: PlanInput,
  service: ApiService,
): Promise<CollectionState> {
  const { desiredState, state, target } = input;
  const stateWithoutMatches = (read: KindRead<LiveObject>): CollectionState => {
    return { kind, resources, read, match: NO_MATCHES, pruning: NO_UNMATCHED };
  };
  const skipped = whyNotRead(kind, input);
  if (skipped) return stateWithoutMatches(notRead(skipped));
  const read = await readKind(kind, service, input.now);
  await yieldToEventLoop();
  const match = matchResources(kind, resources, read.result.objects, desiredState.adopt, applyMoves(state, desiredState.moved));
  const missing = resources.filter(({ address }) => !match.pairs.has(address) && !match.identityProblems.has(address));
  const spotChecked = await spotCheckList(kind, read, missing, [...addressByRemoteId(kind, state).keys()], service);
  if (spotChecked.status !== 'complete') return stateWithoutMatches(spotChecked);
  const unmatched = pruneUnmatched(kind, match, {
    ownership: target.ownership,
    managedSections: desiredState.managedSections,
    removed: desiredState.removed,
    state,
    appliesEarlierCommit: input.appliesEarlierCommit,
  });
  return { kind, resources, read: spotChecked, match, pruning: unmatched };
}

/** Returns why a kind is not read; undefined where it is. */
export function whyNotRead(
  kind: Kind,
  { desiredState, only }: Pick<PlanInput, 'desiredState' | 'only'>,
): 'unmanaged' | 'skipped' | undefined {
  if (!kind.sections.some(({ key, declares }) => declares !== null && desiredState.managedSections.has(key))) return 'unmanaged';
  return isKindSelected(only, kind) ? undefined : 'skipped';
}

/** Decides whether `--only` selects an address. */
export function isAddressSelected(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

/** Returns the digest by which the ledger records the owner of the account. */
export function ownerDigest(owner: string): string {
  return `sha256:${createHash('sha256').update(owner).digest('hex')}`;
}

/** Returns the unmanaged live objects of a kind, with the addresses under which they are reported. */
export function keptAddresses(kindState: KindState): readonly { readonly address: string; readonly live: LiveObject }[] {
  if (!isCollectionState(kindState)) return [];
  return kindState.pruning.kept.map((live) => ({ address: kindState.kind.idAddress(live), live }));
}

function isKindSelected(only: readonly string[], kind: Kind): boolean {
  return only.length === 0 || only.some((glob) => addressPatterns(kind).some((pattern) => mayMatchPattern(glob, pattern)));
}
