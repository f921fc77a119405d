/** One change of a plan: plain data (`change`), with the resources that it is about. The stages of the planner complete it, `apply` executes it. */
import type { DesiredState } from '../config/desired-state.ts';
import type { CollectionKind, DesiredResource, Kind, LiveObject, LiveResource, ResourceChange, RiskInput } from '../kinds/kind.ts';
import {
  type Action,
  type Change,
  combineEffects,
  type Effect,
  type FieldChange,
  type FieldDifference,
  LAST_PHASE,
  type Origin,
  type Phase,
  type PlaybackReason,
  worstPlayback,
  writesOnService,
} from '../model/change.ts';
import type { SourcePosition } from '../model/finding.ts';
import type { SentCreate } from './state.ts';

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

/** Why it is uncertain to which address an object or a name belongs, or whose an object is. */
export interface IdentityProblem {
  /** A clause. */
  readonly reason: string;
  /** What lifts it, a clause; absent where the declaration or `adopt` does. */
  readonly lift?: string;
  /** Present where `manages` of the target does not name the object that the change would bind. */
  readonly isUnmanaged?: true;
}

/** A change of the plan, blocked or not, with all that is needed to check and to execute it. */
export type PlannedChange = ResourceChange & {
  readonly kind: Kind;
  /** As in the plan document. Before their stages, its origins are `unknown`, its wave is 0, its digest is empty, and it is not blocked. */
  readonly change: Change;
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
  /** Why the safety check `identity` blocks it; null where it does not. */
  readonly identityProblem: IdentityProblem | null;
  /** What it would roll back of the commit last applied; null for nothing. */
  readonly rollback: Rollback | null;
  /** Of an update: why it cannot be sent. It sends the whole resource, with the live values of ignored fields, and that whole is invalid. */
  readonly whyNotSendable?: string;
  /** Of a create: that an earlier run has sent it, and that its object has not been seen since. */
  readonly unseenCreate?: SentCreate;
  /** Of a create: whether the new object replaces the object that the ledger binds to this address, which the plan deletes. */
  readonly replacesBoundObject?: true;
  /**
   * Of a delete: true where the object is deleted because the ledger binds it, and not as an undeclared object: its address has no other
   * object, or the plan goes back to an apply that did not bind it yet.
   */
  readonly isDeletedAsBound?: true;
  /**
   * Of a delete: the address to which the ledger binds the object, if it is still declared. A new object replaces this one or, where `--ref`
   * goes back to an earlier apply, an older one.
   */
  readonly replacementAddress?: string;
  /**
   * Where an object that is called by its name gets or loses one: the live object that has the name now which this one will have, another
   * object or none. Its effect, playback and devices are measured against that (design section 10).
   */
  readonly namesake?: LiveObject | null;
  /** The address of the change that takes the name of its object; null where nobody does. Its effect rests on that change. */
  readonly nameGoesTo?: string | null;
};

/** Returns where the resource of a change is declared; null for one that is not declared. */
export function declarationPlace({ desired }: PlannedChange, { positionOf }: Pick<DesiredState, 'positionOf'>): SourcePosition | null {
  return desired && (desired.textFilePosition ?? positionOf(desired.path));
}

/** The members of a change that stages of the planner complete. */
type Completed = Pick<Change, 'origin' | 'fields' | 'ignored' | 'phase' | 'wave' | 'digest' | 'blocked' | 'declared'>;

/** Returns a planned change whose plain data has these members. */
export function withChange(planned: PlannedChange, members: Partial<Completed>): PlannedChange {
  return { ...planned, change: { ...planned.change, ...members } };
}

/** Decides whether the plan lists a change under `behind`. */
export function isBehind({ rollback }: Pick<PlannedChange, 'rollback'>): boolean {
  return rollback?.isBehind === true;
}

/** Returns the address to which the object of a change was bound before, where that is another one. */
export function formerAddressOf(change: Change): string | undefined {
  return 'movedFrom' in change ? change.movedFrom : undefined;
}

/** Returns the address that the object of a change had when it was last applied; of a create its own. */
export function addressAtLastApply(planned: PlannedChange): string {
  const { change } = planned;
  return (change.action === 'update' ? change.movedFrom : undefined) ?? declaredAddressOf(planned);
}

/** Returns the address of the declaration that a change concerns: of a delete, that of the object that replaces the deleted one. */
export function declaredAddressOf({ change, replacementAddress }: Pick<PlannedChange, 'change' | 'replacementAddress'>): string {
  return replacementAddress ?? change.address;
}

/** Plans a create, with the risk that its kind assigns to each difference. */
export function planCreate(
  kind: CollectionKind,
  desired: DesiredResource,
  differences: readonly FieldDifference[],
  { replacesBoundObject, identityProblem }: { readonly replacesBoundObject: boolean; readonly identityProblem: IdentityProblem | null },
): PlannedChange {
  const assessed = assessChange({ kind, action: 'create', before: null, after: desired }, differences);
  const change: Change = { ...headOf(kind, desired), action: 'create', ...restOf(kind, 'create', assessed) };
  return { ...plain(kind, change), desired, live: null, identityProblem, ...(replacesBoundObject ? { replacesBoundObject } : {}) };
}

/** Plans an update, with the risk that its kind assigns to each difference. */
export function planUpdate(
  kind: Kind,
  desired: DesiredResource,
  live: LiveResource,
  differences: readonly FieldDifference[],
): PlannedChange {
  const assessed = assessChange({ kind, action: 'update', before: live, after: desired }, differences);
  return { ...plain(kind, { ...headOf(kind, desired), action: 'update', ...restOf(kind, 'update', assessed) }), desired, live };
}

/** Plans the delete of an object that no address declares, with the risk that its kind assigns to each difference. */
export function planDelete(kind: CollectionKind, live: LiveObject, differences: readonly FieldDifference[]): PlannedChange {
  const assessed = assessChange({ kind, action: 'delete', before: live, after: null }, differences);
  const head = { address: kind.idAddress(live), kind: kind.name, name: live.remoteName };
  return { ...plain(kind, { ...head, action: 'delete', ...restOf(kind, 'delete', assessed) }), desired: null, live };
}

const NO_RISK = { fields: [], effect: 'neutral', playback: 'neutral' } as const;

/** Plans the first binding of an object that needs no update. */
export function planAdopt(kind: Kind, desired: DesiredResource, live: LiveObject): PlannedChange {
  const change: Change = { ...headOf(kind, desired), action: 'adopt', adopts: live.id, ...restOf(kind, 'adopt', NO_RISK) };
  return { ...plain(kind, change), desired, live };
}

/** Plans the move of an object that needs no update from the address to which the ledger binds it. */
export function planMove(kind: Kind, desired: DesiredResource, live: LiveObject, from: string): PlannedChange {
  const change: Change = { ...headOf(kind, desired), action: 'move', movedFrom: from, ...restOf(kind, 'move', NO_RISK) };
  return { ...plain(kind, change), desired, live };
}

/** Plans a change that removes the binding of an object from the ledger. The object stays. */
export function planForget(kind: Kind, address: string, live: LiveObject): PlannedChange {
  const head = { address, kind: kind.name, name: live.remoteName };
  return { ...plain(kind, { ...head, action: 'forget', ...restOf(kind, 'forget', NO_RISK) }), desired: null, live };
}

function headOf(kind: Kind, { address, displayName }: DesiredResource): Pick<Change, 'address' | 'kind' | 'name'> {
  return { address, kind: kind.name, name: displayName };
}

/** Returns the members of a change that follow from its risk, and those that later stages complete. */
function restOf(kind: Kind, action: Action, { fields, effect, ...playback }: Assessed) {
  const rest = { origin: 'unknown', effect, ...playback, fields, phase: phaseOf(kind, action, effect) } as const;
  return { ...rest, wave: 0, digest: '', blocked: null };
}

function plain(kind: Kind, change: Change) {
  return { kind, change, dependsOn: null, identityProblem: null, rollback: null };
}

/** Returns the phase of a change. A change that only the ledger records has the last phase, although that is called `delete-policies`. */
function phaseOf(kind: Kind, action: Action, effect: Effect): Phase {
  const written = { action };
  return writesOnService(written) ? kind.phase(written.action, effect) : LAST_PHASE;
}

/** Returns an update of fewer fields, to another desired resource. Its risk is assessed anew. */
export function withFewerFields(
  planned: PlannedChange & { readonly desired: DesiredResource; readonly live: LiveResource },
  desired: DesiredResource,
  fields: readonly FieldChange[],
): PlannedChange {
  const { kind, live, change } = planned;
  return { ...withAssessment(planned, assessChange({ kind, action: change.action, before: live, after: desired }, fields)), desired };
}

/** Returns a change with another assessment, and the phase that follows from it. */
export function withAssessment(planned: PlannedChange, assessed: Assessed): PlannedChange {
  const { playbackReasons: _before, ...rest } = planned.change;
  return { ...planned, change: { ...rest, ...assessed, phase: phaseOf(planned.kind, rest.action, assessed.effect) } };
}

/** The change that a kind assesses. */
type AssessmentSubject = Pick<RiskInput, 'action' | 'before' | 'after'> & { readonly kind: Kind };

/** The fields of a change, and what they do. */
export type Assessed = Pick<Change, 'fields' | 'effect' | 'playback' | 'playbackReasons'>;

/** Assesses the risk of each difference and of all of them together, and playback. Keeps the origins of differences that have one. */
export function assessChange(
  { kind, action, before, after }: AssessmentSubject,
  differences: readonly (FieldDifference & { readonly origin?: Origin })[],
): Assessed {
  const input = { action, before, after, fields: differences };
  const assessments = kind.assessRisk(input);
  const fields = differences.map(({ path, before, after, origin = 'unknown' }, index): FieldChange => {
    const { effect, reasons } = assessments[index] ?? missingAssessment(kind, path);
    return { path, before, after, origin, effect, ...(reasons.length === 0 ? {} : { reasons }) };
  });
  return { fields, effect: combineEffects(fields), ...playbackOf(kind.assessPlayback?.(input) ?? []) };
}

/** Adds reasons that the kind of a change cannot know. */
export function withPlaybackReasons<Any extends Pick<Change, 'playback' | 'playbackReasons'>>(
  change: Any,
  added: readonly PlaybackReason[] = [],
): Any {
  return added.length === 0 ? change : { ...change, ...playbackOf([...added, ...(change.playbackReasons ?? [])]) };
}

function playbackOf(reasons: readonly PlaybackReason[]): Pick<Change, 'playback' | 'playbackReasons'> {
  return { playback: worstPlayback(reasons), ...(reasons.length === 0 ? {} : { playbackReasons: reasons }) };
}

/** A kind that does not assess a field breaks its contract. */
function missingAssessment(kind: Kind, path: string): never {
  throw new Error(`the kind ${kind.name} did not assess ${path}`);
}
