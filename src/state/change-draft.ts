import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import type { Action, BlockReason, Effect, FieldChange, Origin, Phase, RiskReason } from '../model/change.ts';

/** One change on its way through the stages: what differs, then its place in the order, then what holds it. */
export interface ChangeDraft {
  readonly kind: Kind;
  readonly address: string;
  readonly name: string;
  readonly action: Action;
  /** The address that stood for the object before. */
  readonly movedFrom?: string;
  /** The remote ID that the address stands for from now on. */
  readonly adopts?: string;
  readonly desired: DesiredResource | null;
  readonly live: LiveResource | null;
  readonly fields: readonly FieldChange[];
  readonly effect: Effect;
  readonly origin: Origin;
  /** Whether a delete is of what we applied, not of what nobody declared; or a create replaces what we applied, which is deleted. */
  readonly inState: boolean;
  /** The address that a deleted object stood for, where that is still declared and gets another object. */
  readonly previousAddress?: string;
  /** Why its fields tighten or loosen, in words. */
  readonly reasons: readonly RiskReason[];
  /** Why its object cannot be told for certain; held by the brake `identity`. */
  readonly ambiguousReason: string | null;
}

/** A step with its place in the order. */
export interface ScheduledChange extends ChangeDraft {
  readonly phase: Phase;
  readonly wave: number;
  /** The address of the rename that must have been made before. */
  readonly dependsOn: string | null;
}

/** A step as it will be done, or not. */
export interface CheckedChange extends ScheduledChange {
  readonly blocked: BlockReason | null;
}

/** Whether an action writes on the service; the others only change what the ledger remembers. */
export function writesOnService(action: Action): action is 'create' | 'update' | 'delete' {
  return action === 'create' || action === 'update' || action === 'delete';
}
