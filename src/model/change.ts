import type { SourcePosition } from './finding.ts';
import type { Json } from './json.ts';

/** What a change does to its object. `adopt`, `move` and `forget` write nothing on the service. */
export type Action = 'create' | 'update' | 'delete' | 'adopt' | 'move' | 'forget';

/** What a change does to the protection of content. */
export type Effect = 'tightens' | 'loosens' | 'neutral';

/** Who made the difference: the repository, the account, both, or nobody can tell. */
export type Origin = 'change' | 'drift' | 'both' | 'unknown';

/** The brakes that can hold a change (design section 4, rule 9). */
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

/** When a change is applied, in this order (design section 4, rule 6). */
export const PHASES = ['tighten', 'update', 'delete', 'loosen', 'delete-policies'] as const;

/** One of `PHASES`. */
export type Phase = (typeof PHASES)[number];

/** Compares two phases by their place in the order: negative where `a` comes first. */
export function comparePhases(a: Phase, b: Phase): number {
  return PHASES.indexOf(a) - PHASES.indexOf(b);
}

/** Why something tightens or loosens protection. */
export interface RiskReason {
  readonly effect: Exclude<Effect, 'neutral'>;
  /** In words, for people. */
  readonly text: string;
}

/** What a difference does to protection, and why; neutral exactly where there is no reason. */
export interface RiskAssessment {
  readonly effect: Effect;
  readonly reasons: readonly RiskReason[];
}

/** One field that differs; an absent side is null. */
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

/** Why a change is held back, and what releases it. */
export interface BlockReason {
  readonly check: SafetyCheck;
  readonly reason: string;
  /** The way out, in words a user can act on (`--allow deletes`, or an edit of upkeep.yaml). */
  readonly override: string;
}

/** One change of a plan: plain data, exactly as it stands in the plan document (design section 5, JSON). */
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
  /** When it is applied (design section 4, rule 6). */
  readonly phase: Phase;
  /** From 0: changes of one wave may run side by side; waves run in order. */
  readonly wave: number;
  /** `sha256:` and the hash of what the change would do. */
  readonly digest: string;
  readonly blocked: BlockReason | null;
  /** Where its resource is declared; left out where nobody declares it. No part of the digest. */
  readonly declared?: SourcePosition;
}

/** What several effects come to: where both are among them, `loosens` wins. */
export function combineEffects(parts: readonly { readonly effect: Effect }[]): Effect {
  const effects = new Set(parts.map((part) => part.effect));
  return effects.has('loosens') ? 'loosens' : effects.has('tightens') ? 'tightens' : 'neutral';
}
