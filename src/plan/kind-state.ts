/** One kind on its way through a run: what is declared, what was seen, and who belongs to whom. */
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

/** One kind's part of a run. */
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

/** Looks at a kind's part of the account, if it is managed and within `--only`, and recognises what is there. `declared` is by beginning. */
export async function refreshKind(
  kind: Kind,
  input: PlanInput,
  service: ApiService,
  declared = groupByKindPrefix(input.desiredState.resources),
): Promise<KindState> {
  const { desiredState, state, target } = input;
  const own = kind.addresses.flatMap((beginning) => declared.get(beginning) ?? []);
  const resources = own.sort((a, b) => compareStrings(a.address, b.address));
  const blank = (read: KindRead): KindState => ({ kind, resources, read, match: NO_MATCHES, unmatched: NO_UNMATCHED });
  const left = skipReason(kind, input);
  if (left) return blank(notRead(left));
  const read = await readKind(kind, service, input.now);
  await yieldToEventLoop();
  const match = matchResources(kind, resources, read.result.objects, desiredState.adopt, applyMoves(state, desiredState.moved));
  const missing = resources.filter(({ address }) => !match.pairs.has(address) && !match.ambiguous.has(address));
  const seen = await spotCheckList(kind, read, missing, [...addressByRemoteId(kind, state).keys()], service);
  if (seen.status !== 'complete') return blank(seen);
  const rest = classifyUnmatched(kind, match, {
    ownership: target.ownership,
    managedSections: desiredState.managedSections,
    removed: desiredState.removed,
    state,
    appliesEarlierCommit: input.appliesEarlierCommit,
  });
  return { kind, resources, read: seen, match, unmatched: rest };
}

/** Why a run has nothing to do with a kind; undefined where it does. */
export function skipReason(
  kind: Kind,
  { desiredState, only }: Pick<PlanInput, 'desiredState' | 'only'>,
): 'unmanaged' | 'skipped' | undefined {
  if (!kind.sections.some((section) => section.manages && desiredState.managedSections.has(section.key))) return 'unmanaged';
  return isSelected(only, kind) ? undefined : 'skipped';
}

/** Whether an address lies within `--only`. */
export function matchesOnly(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

/** The digest under which the ledger remembers the account's owner. */
export function ownerDigest(owner: string): string {
  return `sha256:${createHash('sha256').update(owner).digest('hex')}`;
}

/** The live objects of a column that somebody reads by their address. */
export function unmanagedAddresses({ kind, unmatched }: KindState): readonly { readonly address: string; readonly live: LiveResource }[] {
  return unmatched.unmanaged.map((live) => ({ address: kind.unmanagedAddress(live), live }));
}

function isSelected(only: readonly string[], kind: Kind): boolean {
  return (
    only.length === 0 ||
    only.some((glob) => kind.addresses.some((prefix) => (kind.singleton ? matchesGlob(glob, prefix) : mayMatchBelow(glob, prefix))))
  );
}
