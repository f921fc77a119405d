import type { SourcePosition } from './finding.ts';
import type { Json } from './json.ts';

/** The action of a change. `adopt`, `move` and `forget` write nothing on the service. */
export type Action = 'create' | 'update' | 'delete' | 'adopt' | 'move' | 'forget';

/** The effect of a change on the protection of content. */
export type Effect = 'tightens' | 'loosens' | 'neutral';

/** Where a difference comes from: the repository (`change`), the account (`drift`), both, or unknown. */
export type Origin = 'change' | 'drift' | 'both' | 'unknown';

/** The safety checks that can block a change (design section 4, rule 9). */
export type SafetyCheck =
  | 'deletes'
  | 'updates'
  | 'protect'
  | 'loosening'
  | 'identity'
  | 'observe'
  | 'suspicious-read'
  | 'unknown-fields'
  | 'guard';

/** The phases in which changes are applied, in this order (design section 4, rule 6). */
export const PHASES = ['tighten', 'update', 'delete', 'loosen', 'delete-policies'] as const;

/** One of `PHASES`. */
export type Phase = (typeof PHASES)[number];

/** Compares two phases by their order: negative if `a` comes first. */
export function comparePhases(a: Phase, b: Phase): number {
  return PHASES.indexOf(a) - PHASES.indexOf(b);
}

/** Why a difference tightens or loosens protection. */
export interface RiskReason {
  readonly effect: Exclude<Effect, 'neutral'>;
  /** In words, for people. */
  readonly text: string;
}

/** The effect of a difference on protection, with reasons; neutral exactly where there is no reason. */
export interface RiskAssessment {
  readonly effect: Effect;
  readonly reasons: readonly RiskReason[];
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
  /** Left out where it is neutral. */
  readonly reasons?: readonly RiskReason[];
}

/** Why a change is blocked, and how to override that. */
export interface BlockReason {
  readonly check: SafetyCheck;
  readonly reason: string;
  /** What the user can do (`--allow deletes`, or an edit of upkeep.yaml). */
  readonly override: string;
}

/** One change of a plan, as in the plan document (design section 5, JSON). */
export interface Change {
  readonly address: string;
  readonly kind: string;
  readonly name: string;
  readonly action: Action;
  readonly movedFrom?: string;
  readonly adopts?: string;
  readonly origin: Origin;
  readonly effect: Effect;
  readonly fields: readonly FieldChange[];
  readonly phase: Phase;
  /** From 0. Changes of one wave may run concurrently; waves run in order. */
  readonly wave: number;
  /** `sha256:` and the hash of all that the change would do. */
  readonly digest: string;
  readonly blocked: BlockReason | null;
  /** Where its resource is declared; absent where it is not. Not part of the digest. */
  readonly declared?: SourcePosition;
}

/** Combines several effects. `loosens` takes precedence over `tightens`, and both over `neutral`. */
export function combineEffects(parts: readonly { readonly effect: Effect }[]): Effect {
  const effects = new Set(parts.map((part) => part.effect));
  return effects.has('loosens') ? 'loosens' : effects.has('tightens') ? 'tightens' : 'neutral';
}
