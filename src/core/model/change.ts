import type { SourcePosition } from './finding.ts';
import type { IgnoredValue } from './ignored-fields.ts';
import type { DeviceClass } from './impact.ts';
import type { Json } from './json.ts';
import { type Lift, liftText } from './lift.ts';

/** The action of a change. `adopt`, `move` and `forget` write nothing on the service. */
export type Action = 'create' | 'update' | 'delete' | 'adopt' | 'move' | 'forget';

/** The effect of a change on the protection of content. */
export type Effect = 'strengthens' | 'weakens' | 'neutral';

/**
 * What a change can do to playback by viewers, worst first (design section 11). `unknown`: it depends on what upkeep cannot see, or on what
 * the API documents leave open.
 */
export const PLAYBACKS = ['stops', 'reduces', 'unknown', 'gains', 'neutral'] as const;

/** One of `PLAYBACKS`. */
export type Playback = (typeof PLAYBACKS)[number];

/**
 * Where a difference comes from: the repository (`change`), the account (`drift`), both, or unknown. An update whose fields have different
 * origins is `unknown` if one of these is, and else `both`.
 */
export type Origin = 'change' | 'drift' | 'both' | 'unknown';

/** The safety checks that can block a change (design section 4, rule 9). */
export type SafetyCheck = OverridableCheck | 'deletes' | 'protect' | 'identity' | 'observe' | 'ignored-value' | 'guard';

/** The safety checks that `--allow` overrides by their name alone. `deletes` takes a number as well. */
export const OVERRIDABLE_CHECKS = [
  'updates',
  'playback-loss',
  'weakening',
  'first-apply',
  'suspicious-read',
  'unknown-fields',
  'rollback',
  'ignore-expired',
] as const;

/** One of `OVERRIDABLE_CHECKS`. */
export type OverridableCheck = (typeof OVERRIDABLE_CHECKS)[number];

/** The safety checks that `--allow` overrides, for all changes or for addresses. */
export type AllowedCheck = OverridableCheck | 'deletes';

/** The phases in which changes are applied, in this order (design section 4, rule 6). `update` also holds the creates of playlists. */
export const PHASES = ['strengthen', 'update', 'delete', 'weaken', 'delete-policies'] as const;

/** One of `PHASES`. */
export type Phase = (typeof PHASES)[number];

/** The phase of a change that only the ledger records: the last one, whatever its name, because nothing waits for such a change. */
export const LAST_PHASE: Phase = 'delete-policies';

/** Compares two phases by their order: negative if `a` comes first. */
export function comparePhases(a: Phase, b: Phase): number {
  return PHASES.indexOf(a) - PHASES.indexOf(b);
}

/** Why a difference strengthens or weakens protection. */
export interface RiskReason {
  readonly effect: Exclude<Effect, 'neutral'>;
  /** In words, for people. */
  readonly text: string;
}

/** The effect of a difference on protection, and the reasons for it. It is neutral if and only if there is no reason. */
export interface RiskAssessment {
  readonly effect: Effect;
  readonly reasons: readonly RiskReason[];
}

/** Why a change affects playback. */
export interface PlaybackReason {
  readonly playback: Exclude<Playback, 'neutral'>;
  /** In words, for people. */
  readonly text: string;
  /** Whether the resource itself goes off air: viewers could play it, or might have been able to, and cannot any more. */
  readonly offAir?: true;
  /** The classes of devices on which it does; absent where the reason is about something else. */
  readonly devices?: readonly DeviceClass[];
  /** With `devices`: the addresses of the policies under which it does. */
  readonly policies?: readonly string[];
  /** With `devices`: true where they lose what they may have played, which is not known. */
  readonly uncertain?: true;
  /** False where it is about devices that nobody expects to play, so that the safety check `playback-loss` leaves it out. */
  readonly expected?: false;
}

/** One field that differs; an absent value is null. */
export interface FieldDifference {
  /** JSON Pointer into the resource's fields. */
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** One field of a change. */
export interface FieldChange extends FieldDifference {
  readonly origin: Origin;
  readonly effect: Effect;
  /** Left out for a neutral field. */
  readonly reasons?: readonly RiskReason[];
}

/** Why a safety check blocks a change, and what lifts that. */
export interface BlockingCheck {
  readonly check: SafetyCheck;
  readonly reason: string;
  readonly lift: Lift;
  /** The limit that is exceeded, with the figures, which the reason says too; absent where it is about something else. */
  readonly limit?: string;
  /** What all changes that are blocked so have in common, a clause, which the reason says too; absent where each is judged alone. */
  readonly cause?: string;
  /** The IDs of the guards that deny the change, of the check `guard`. */
  readonly guards?: readonly string[];
}

/** Several checks that block a change, under the one that is hardest to override. Each has to be lifted. */
interface BlockingChecks {
  readonly check: SafetyCheck;
  /** The reasons, joined. */
  readonly reason: string;
  /** The hardest to override first. */
  readonly checks: readonly BlockingCheck[];
}

/** Why a change is blocked: by one check, or by several. */
export type BlockReason = BlockingCheck | BlockingChecks;

/** Returns each check that blocks a change. */
export function blockingChecks(blocked: BlockReason): readonly BlockingCheck[] {
  return 'checks' in blocked ? blocked.checks : [blocked];
}

/** Decides whether a check blocks all changes alike: its reason says nothing of one of them. */
export function isForAll({ cause, reason }: BlockingCheck): boolean {
  return cause === reason;
}

/** Says what lifts all that blocks a change, as a clause. */
export function liftsText(blocked: BlockReason): string {
  return [...new Set(blockingChecks(blocked).map(({ lift }) => liftText(lift)))].join('; ');
}

/** Decides whether only the user's own guards deny a change. Unlike the other checks they may ask who runs upkeep, and where. */
export function isDeniedByGuardsOnly(blocked: BlockReason): boolean {
  return blockingChecks(blocked).every(({ check }) => check === 'guard');
}

/** What all changes of a plan have in common. */
interface ChangeBase {
  readonly address: string;
  readonly kind: string;
  readonly name: string;
  readonly origin: Origin;
  /**
   * Of a difference that was made in the account: the other project whose ledger binds the object, and which has probably made it. Absent
   * where none does. Not part of the digest.
   */
  readonly changedBy?: string;
  readonly effect: Effect;
  readonly playback: Playback;
  /** Left out where `playback` is neutral. */
  readonly playbackReasons?: readonly PlaybackReason[];
  readonly fields: readonly FieldChange[];
  /** The fields of its live object that are left to others; absent for none. Not part of the digest. */
  readonly ignored?: readonly IgnoredValue[];
  readonly phase: Phase;
  /** From 0. Changes of one wave may run concurrently; waves run in order. */
  readonly wave: number;
  /** `sha256:` and the hash of address, action, remote ID, fields and requests (design section 4, rule 2). */
  readonly digest: string;
  readonly blocked: BlockReason | null;
  /** Where its resource is declared; absent for a resource that is not declared. Not part of the digest. */
  readonly declared?: SourcePosition;
}

/** Creates an object. */
export interface CreateChange extends ChangeBase {
  readonly action: 'create';
}

/** Updates an object or a setting, which may get another address or be adopted by the same change. */
export interface UpdateChange extends ChangeBase {
  readonly action: 'update';
  /** The address to which the object was bound before. */
  readonly movedFrom?: string;
  /** The remote ID that is bound to the address from now on. */
  readonly adopts?: string;
}

/** Deletes an object. */
export interface DeleteChange extends ChangeBase {
  readonly action: 'delete';
}

/** Binds an equal object to an address. Only the ledger records it. */
export interface AdoptChange extends ChangeBase {
  readonly action: 'adopt';
  readonly adopts: string;
}

/** Binds an equal object to another address. Only the ledger records it. */
export interface MoveChange extends ChangeBase {
  readonly action: 'move';
  readonly movedFrom: string;
}

/** Removes the binding of an object, which stays. Only the ledger records it. */
export interface ForgetChange extends ChangeBase {
  readonly action: 'forget';
}

/** One change of a plan, as in the plan document (design section 5, JSON). */
export type Change = CreateChange | UpdateChange | DeleteChange | AdoptChange | MoveChange | ForgetChange;

/** The actions that write on the service. The others only change what the ledger records. */
export type WriteAction = 'create' | 'update' | 'delete';

/** Decides whether a change is made only after all that strengthens: it weakens protection, or has the phase of what does. */
export function weakens({ phase, effect }: Pick<Change, 'phase' | 'effect'>): boolean {
  return phase === 'weaken' || effect === 'weakens';
}

/** Decides whether a change binds an object that the ledger binds to no address. */
export function takesOver(change: Change): boolean {
  return 'adopts' in change && change.adopts !== undefined;
}

/** Decides whether a change writes on the service. */
export function writesOnService<Any extends { readonly action: Action }>(change: Any): change is Any & { readonly action: WriteAction } {
  return change.action === 'create' || change.action === 'update' || change.action === 'delete';
}

/** Returns why the fields of a change strengthen or weaken protection. */
export function reasonsOf({ fields }: Pick<Change, 'fields'>): readonly RiskReason[] {
  return fields.flatMap(({ reasons = [] }) => reasons);
}

/** Combines several effects. `weakens` takes precedence over `strengthens`, and both over `neutral`. */
export function combineEffects(parts: readonly { readonly effect: Effect }[]): Effect {
  const effects = new Set(parts.map((part) => part.effect));
  return effects.has('weakens') ? 'weakens' : effects.has('strengthens') ? 'strengthens' : 'neutral';
}

/** Combines reasons into the worst of them; `neutral` where there are none. */
export function worstPlayback(reasons: readonly { readonly playback: Playback }[]): Playback {
  const present = new Set(reasons.map(({ playback }) => playback));
  return PLAYBACKS.find((playback) => present.has(playback)) ?? 'neutral';
}
