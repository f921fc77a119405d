/** What a plan says of how it goes on. */
import { type BlockReason, liftsText } from '../../src/core/model/change.ts';
import type { NextStep } from '../../src/core/model/decision.ts';
import type { Plan } from '../../src/core/model/plan.ts';

/** Says what lifts all that blocks a change; empty where nothing does. */
export function liftOf(blocked: BlockReason | null | undefined): string {
  return blocked ? liftsText(blocked) : '';
}

/** Returns the step that makes the changes of a plan; undefined where there is none. */
export function applyStepOf({ decision }: Plan): NextStep | undefined {
  return decision?.next.find(({ command, allow }) => allow !== undefined || command?.[1] === 'apply');
}

/** Returns the arguments of the apply that a plan prints, without the program; none where it prints none. */
export function printedApply(plan: Plan): readonly string[] {
  return applyStepOf(plan)?.command?.slice(1) ?? [];
}
