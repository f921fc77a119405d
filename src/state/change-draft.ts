import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import type { Action, BlockReason, Effect, FieldChange, Origin, Phase, RiskReason } from '../model/change.ts';

/** A change before it is scheduled. The stages of the planner add its origin, then its phase and wave, then why it is blocked. */
export interface ChangeDraft {
  readonly kind: Kind;
  readonly address: string;
  readonly name: string;
  readonly action: Action;
  /** The address to which the object was bound before. */
  readonly movedFrom?: string;
  /** The remote ID that is bound to the address from now on. */
  readonly adopts?: string;
  readonly desired: DesiredResource | null;
  readonly live: LiveResource | null;
  readonly fields: readonly FieldChange[];
  readonly effect: Effect;
  readonly origin: Origin;
  /** For a delete: whether the ledger binds the object. For a create: whether it replaces such an object, which is deleted. */
  readonly inState: boolean;
  /** The address to which a deleted object was bound, where that is still declared and gets another object. */
  readonly previousAddress?: string;
  /** Why its fields tighten or loosen protection. */
  readonly reasons: readonly RiskReason[];
  /** Why its object is ambiguous; blocked by the safety check `identity`. */
  readonly ambiguousReason: string | null;
}

/** A change with its phase and wave. */
export interface ScheduledChange extends ChangeDraft {
  readonly phase: Phase;
  readonly wave: number;
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
}

/** A change after the safety checks. */
export interface CheckedChange extends ScheduledChange {
  readonly blocked: BlockReason | null;
}

/** Decides whether an action writes on the service. The others only change what the ledger records. */
export function writesOnService(action: Action): action is 'create' | 'update' | 'delete' {
  return action === 'create' || action === 'update' || action === 'delete';
}
