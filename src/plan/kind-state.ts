/** The state of one kind in a plan: desired resources, live objects, and which belong together. */
import { createHash } from 'node:crypto';
import type { ApiService, DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { compareStrings } from '../model/finding.ts';
import { matchesGlob, mayMatchBelow } from '../model/glob.ts';
import { addressByRemoteId, classifyUnmatched, groupByKindPrefix, type Unmatched } from '../state/ownership.ts';
import { applyMoves } from '../state/state.ts';
import type { PlanInput } from './input.ts';
import { type MatchResult, matchResources } from './match.ts';
import { type KindRead, notRead, readKind, spotCheckList } from './refresh.ts';

/** The state of one kind after refresh and match. */
export interface KindState {
  readonly kind: Kind;
  /** Sorted by address. */
  readonly resources: readonly DesiredResource[];
  readonly read: KindRead;
  readonly match: MatchResult;
  readonly unmatched: Unmatched;
}

const NO_MATCHES: MatchResult = { pairs: new Map(), ambiguous: new Map(), unmatched: [], warnings: [] };
const NO_UNMATCHED: Unmatched = { toDelete: [], toForget: [], unmanaged: [] };

/**
 * Refreshes one kind, if it is managed and selected by `--only`: reads its live objects, matches them, spot-checks the read, and classifies
 * the objects that no resource matches. `declared` holds the desired resources by prefix of their address.
 */
export async function refreshKind(
  kind: Kind,
  input: PlanInput,
  service: ApiService,
  declared = groupByKindPrefix(input.desiredState.resources),
): Promise<KindState> {
  const { desiredState, state, target } = input;
  const own = kind.addresses.flatMap((prefix) => declared.get(prefix) ?? []);
  const resources = own.sort((a, b) => compareStrings(a.address, b.address));
  const unmatchedState = (read: KindRead): KindState => ({ kind, resources, read, match: NO_MATCHES, unmatched: NO_UNMATCHED });
  const skipped = skipReason(kind, input);
  if (skipped) return unmatchedState(notRead(skipped));
  const read = await readKind(kind, service, input.now);
  await yieldToEventLoop();
  const match = matchResources(kind, resources, read.result.objects, desiredState.adopt, applyMoves(state, desiredState.moved));
  const missing = resources.filter(({ address }) => !match.pairs.has(address) && !match.ambiguous.has(address));
  const spotChecked = await spotCheckList(kind, read, missing, [...addressByRemoteId(kind, state).keys()], service);
  if (spotChecked.status !== 'complete') return unmatchedState(spotChecked);
  const unmatched = classifyUnmatched(kind, match, {
    ownership: target.ownership,
    managedSections: desiredState.managedSections,
    removed: desiredState.removed,
    state,
    appliesEarlierCommit: input.appliesEarlierCommit,
  });
  return { kind, resources, read: spotChecked, match, unmatched };
}

/** Returns why a kind is not read; undefined where it is. */
export function skipReason(
  kind: Kind,
  { desiredState, only }: Pick<PlanInput, 'desiredState' | 'only'>,
): 'unmanaged' | 'skipped' | undefined {
  if (!kind.sections.some((section) => section.manages && desiredState.managedSections.has(section.key))) return 'unmanaged';
  return isSelected(only, kind) ? undefined : 'skipped';
}

/** Decides whether `--only` selects an address. */
export function matchesOnly(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

/** Returns the digest by which the ledger records the owner of the account. */
export function ownerDigest(owner: string): string {
  return `sha256:${createHash('sha256').update(owner).digest('hex')}`;
}

/** Returns the unmanaged live objects of a kind, with the addresses under which they are reported. */
export function unmanagedAddresses({ kind, unmatched }: KindState): readonly { readonly address: string; readonly live: LiveResource }[] {
  return unmatched.unmanaged.map((live) => ({ address: kind.unmanagedAddress(live), live }));
}

function isSelected(only: readonly string[], kind: Kind): boolean {
  return (
    only.length === 0 ||
    only.some((glob) => kind.addresses.some((prefix) => (kind.singleton ? matchesGlob(glob, prefix) : mayMatchBelow(glob, prefix))))
  );
}
