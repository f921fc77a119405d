/** Drafts of changes. The stages of the planner add the origin of a draft, its phase and wave, and why it is blocked. */
import type { CollectionKind, DesiredResource, Kind, LiveObject, LiveResource, RiskInput } from '../kinds/kind.ts';
import {
  type BlockReason,
  combineEffects,
  type Effect,
  type FieldChange,
  type FieldDifference,
  type Origin,
  type Phase,
  type Playback,
  type PlaybackReason,
  type RiskReason,
  worstPlayback,
} from '../model/change.ts';

interface DraftBase {
  readonly kind: Kind;
  readonly address: string;
  readonly name: string;
  readonly fields: readonly FieldChange[];
  readonly effect: Effect;
  /** Why its fields strengthen or weaken protection. */
  readonly reasons: readonly RiskReason[];
  readonly playback: Playback;
  /** Why it affects playback. */
  readonly playbackReasons: readonly PlaybackReason[];
  readonly origin: Origin;
  /** What it would roll back of the commit last applied; absent if nothing. */
  readonly rollback?: Rollback;
}

/** What a change would roll back of the commit last applied (design section 12). */
export interface Rollback {
  /** A clause. */
  readonly reason: string;
  /**
   * Whether the plan lists the change under `behind`: it would do nothing but roll back what a newer commit, which is applied already, has
   * brought, and `--allow rollback` is not given.
   */
  readonly isBehind: boolean;
}

/** The creation of an object. */
export interface CreateDraft extends DraftBase {
  readonly action: 'create';
  readonly kind: CollectionKind;
  readonly desired: DesiredResource;
  readonly live: null;
  /** Whether the new object replaces the object that the ledger binds to this address, which the plan deletes. */
  readonly replacesBoundObject: boolean;
  /** Why it cannot be told which object its address has, so that the safety check `identity` blocks it; null otherwise. */
  readonly identityProblem: string | null;
}

/** The update of an object or a setting, which may also bind the object to another address. */
export interface UpdateDraft extends DraftBase {
  readonly action: 'update';
  readonly desired: DesiredResource;
  readonly live: LiveResource;
  /** The address to which the object was bound before. */
  readonly movedFrom?: string;
  /** The remote ID that is bound to the address from now on. */
  readonly adopts?: string;
  /** Why the update cannot be sent: it sends the whole resource, with the live values of ignored fields, and that whole is invalid. */
  readonly whyNotSendable?: string;
}

/** The deletion of an object. */
export interface DeleteDraft extends DraftBase {
  readonly action: 'delete';
  readonly kind: CollectionKind;
  readonly desired: null;
  readonly live: LiveObject;
  /**
   * Whether it is deleted because the ledger binds it: its address has no other object, or the plan goes back to an apply that did not bind
   * it yet.
   */
  readonly isBound: boolean;
  /**
   * The address to which the ledger binds the object, if it is still declared: a new object replaces this one or, where `--ref` goes back
   * to an earlier apply, an older one.
   */
  readonly replacementAddress?: string;
}

/** A change that writes nothing on the service. */
export type LedgerOnlyDraft = AdoptDraft | MoveDraft | ForgetDraft;

interface AdoptDraft extends DraftBase {
  readonly action: 'adopt';
  readonly desired: DesiredResource;
  readonly live: LiveObject;
  readonly adopts: string;
}

interface MoveDraft extends DraftBase {
  readonly action: 'move';
  readonly desired: DesiredResource;
  readonly live: LiveObject;
  readonly movedFrom: string;
}

interface ForgetDraft extends DraftBase {
  readonly action: 'forget';
  readonly desired: null;
  readonly live: LiveObject;
}

/** A change before it is scheduled. */
export type ChangeDraft = CreateDraft | UpdateDraft | DeleteDraft | LedgerOnlyDraft;

/** A change with its phase and wave. */
export type ScheduledChange = ChangeDraft & {
  readonly phase: Phase;
  readonly wave: number;
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
  /** Why it is uncertain to which address an object or a name belongs, so that the safety check `identity` blocks it; null otherwise. */
  readonly identityProblem: string | null;
};

/** Decides whether the plan lists a change under `behind`. */
export function isBehind({ rollback }: Pick<ScheduledChange, 'rollback'>): boolean {
  return rollback?.isBehind === true;
}

/** A change after the safety checks. */
export type SafetyCheckedChange = ScheduledChange & { readonly blocked: BlockReason | null };

/** Drafts a create, with the risk that its kind assigns to each difference. */
export function draftCreate(
  kind: CollectionKind,
  desired: DesiredResource,
  differences: readonly FieldDifference[],
  matchFacts: Pick<CreateDraft, 'replacesBoundObject' | 'identityProblem'>,
): CreateDraft {
  const assessed = assessChange({ kind, action: 'create', before: null, after: desired }, differences);
  return { ...draftHead(kind, desired), action: 'create', desired, live: null, ...assessed, ...matchFacts };
}

/** Drafts an update, with the risk that its kind assigns to each difference. */
export function draftUpdate(
  kind: Kind,
  desired: DesiredResource,
  live: LiveResource,
  differences: readonly FieldDifference[],
): UpdateDraft {
  const assessed = assessChange({ kind, action: 'update', before: live, after: desired }, differences);
  return { ...draftHead(kind, desired), action: 'update', desired, live, ...assessed };
}

/** Drafts a delete of an object that no address declares, with the risk that its kind assigns to each difference. */
export function draftDelete(kind: CollectionKind, live: LiveObject, differences: readonly FieldDifference[]): DeleteDraft {
  const assessed = assessChange({ kind, action: 'delete', before: live, after: null }, differences);
  const head = { kind, address: kind.idAddress(live), name: live.remoteName };
  return { ...head, origin: 'unknown', action: 'delete', desired: null, live, ...assessed, isBound: false };
}

const NO_RISK = { fields: [], effect: 'neutral', reasons: [], playback: 'neutral', playbackReasons: [] } as const;

/** Drafts the first binding of an object that needs no update. */
export function draftAdopt(kind: Kind, desired: DesiredResource, live: LiveObject): ChangeDraft {
  return { ...draftHead(kind, desired), action: 'adopt', desired, live, adopts: live.id, ...NO_RISK };
}

/** Drafts the move of an object that needs no update from the address to which the ledger binds it. */
export function draftMove(kind: Kind, desired: DesiredResource, live: LiveObject, from: string): ChangeDraft {
  return { ...draftHead(kind, desired), action: 'move', desired, live, movedFrom: from, ...NO_RISK };
}

/** Drafts a change that removes the binding of an object from the ledger. The object stays. */
export function draftForget(kind: Kind, address: string, live: LiveObject): ChangeDraft {
  return { kind, address, name: live.remoteName, origin: 'unknown', action: 'forget', desired: null, live, ...NO_RISK };
}

/** Returns what all drafts of a declared resource have in common. */
function draftHead<Of extends Kind>(kind: Of, { address, displayName }: DesiredResource) {
  return { kind, address, name: displayName, origin: 'unknown' } as const;
}

/** The change that a kind assesses. */
type AssessmentSubject = Pick<RiskInput, 'action' | 'before' | 'after'> & { readonly kind: Kind };

/** Assesses the risk of each difference and of all of them together, and playback. Keeps the origins of differences that have one. */
export function assessChange(
  { kind, action, before, after }: AssessmentSubject,
  differences: readonly (FieldDifference & { readonly origin?: Origin })[],
): Pick<DraftBase, 'fields' | 'effect' | 'reasons' | 'playback' | 'playbackReasons'> {
  const input = { action, before, after, fields: differences };
  const assessments = kind.assessRisk(input);
  const fields = differences.map(({ path, before, after, origin = 'unknown' }, index): FieldChange => {
    const { effect, reasons } = assessments[index] ?? missingAssessment(kind, path);
    return { path, before, after, origin, effect, ...(reasons.length === 0 ? {} : { reasons }) };
  });
  const playbackReasons = kind.assessPlayback?.(input) ?? [];
  return {
    fields,
    effect: combineEffects(fields),
    reasons: assessments.flatMap(({ reasons }) => reasons),
    playback: worstPlayback(playbackReasons),
    playbackReasons,
  };
}

/** Adds reasons that the kind of a change cannot know. */
export function withPlaybackReasons<Any extends Pick<DraftBase, 'playback' | 'playbackReasons'>>(
  draft: Any,
  added: readonly PlaybackReason[] = [],
): Any {
  if (added.length === 0) return draft;
  const playbackReasons = [...added, ...draft.playbackReasons];
  return { ...draft, playbackReasons, playback: worstPlayback(playbackReasons) };
}

/** A kind that does not assess a field breaks its contract. */
function missingAssessment(kind: Kind, path: string): never {
  throw new Error(`the kind ${kind.name} did not assess ${path}`);
}
