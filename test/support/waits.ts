import { CONDITIONS, type Hold, holdsOf } from '../../src/core/model/decision.ts';
import type { Plan } from '../../src/core/model/plan.ts';

/** Returns what the stages and the windows of a target hold back of a plan. */
export function waitsIn({ decision }: Plan): readonly Hold[] {
  return decision === undefined ? [] : holdsOf(decision, CONDITIONS);
}
