/** The state of one kind in a plan: its desired resources, its live objects, and which of them belong together. */
import type {
  ApiError,
  CollectionKind,
  DesiredResource,
  LiveObject,
  LiveResource,
  LiveSetting,
  ReadResult,
  SettingKind,
} from '../kinds/kind.ts';
import type { ReadStatus } from '../model/plan.ts';
import type { Pruning } from '../state/prune.ts';
import { type LedgerState, ownerDigest, type SentCreate } from '../state/state.ts';
import type { MatchResult } from './match.ts';

/** The read of one kind. */
export interface KindRead<Live extends LiveResource = LiveResource> {
  readonly status: ReadStatus;
  readonly result: ReadResult<Live>;
  /** When the read began, in milliseconds of the clock that never goes back. */
  readonly readAt: number;
  /** The error that made the read incomplete; null otherwise. */
  readonly error: ApiError | null;
}

/** The state of a collection after refresh and match. */
export interface CollectionState {
  readonly kind: CollectionKind;
  /** Sorted by address. */
  readonly resources: readonly DesiredResource[];
  readonly read: KindRead<LiveObject>;
  readonly match: MatchResult<LiveObject>;
  readonly pruning: Pruning;
  /** The bindings of what killed applies created, which the ledger does not have yet. */
  readonly interruptedCreates: LedgerState['bindings'];
  /** The creates of earlier runs whose objects this read does not show either, by the address that would be created. */
  readonly unseenCreates: ReadonlyMap<string, SentCreate>;
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

/** Returns the digest of the owner that the responses name; null where no response names one. */
export function ownerDigestOf(kindStates: readonly KindState[]): string | null {
  const owner = kindStates.map(({ read }) => read.result.owner).find((userId) => userId !== undefined);
  return owner === undefined ? null : ownerDigest(owner);
}
