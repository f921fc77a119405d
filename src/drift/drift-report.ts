import type { Comparison } from '../kinds/kind.ts';
import type { Change, SafetyCheck } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanResult } from '../plan/build-plan.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import { writesOnService } from '../state/change-draft.ts';
import { assessChange } from '../state/new-change.ts';

/** What moved on the live side, out of the plan that would move it back: the same differences seen from the other end (design section 5, drift). */
export function driftReport({ plan, steps }: Pick<PlanResult, 'plan' | 'steps'>): Plan {
  const { impact: _takingItBack, ...about } = plan;
  const changes = steps.filter(({ change }) => writesOnService(change.action)).map(invertChange);
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    ...about,
    summary: {
      ...plan.summary,
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      blocked: changes.filter((change) => change.blocked !== null).length,
    },
    changes,
    requests: [],
    cost: { ...plan.cost, writes: 0 },
  };
}

const ACTIONS: { readonly [action in Change['action']]: Change['action'] } = {
  create: 'delete',
  update: 'update',
  delete: 'create',
  adopt: 'adopt',
  move: 'move',
  forget: 'forget',
};

/** Brakes that say that the difference itself is in doubt. */
const KEPT_CHECKS: readonly SafetyCheck[] = ['identity', 'suspicious-read'];

/** The way back is judged for itself: taking away what a create would give is not its opposite in every kind. */
function invertChange(step: ExecutableChange): Change {
  const { change, kind } = step;
  const action = ACTIONS[change.action];
  const turned = change.fields.map((field) => ({ ...field, before: field.after, after: field.before }));
  const { fields, effect } = assessChange({ kind, action, ...swapSides(step) }, turned);
  return {
    ...change,
    action,
    effect,
    fields,
    blocked: change.blocked && KEPT_CHECKS.includes(change.blocked.check) ? change.blocked : null,
  };
}

/** The sides in each other's place. What is gone had the remote ID by which it is recognised. */
function swapSides({ desired, live }: ExecutableChange): Pick<Comparison, 'desired' | 'live'> {
  const id = live?.id ?? desired?.matchKeys.flatMap((matchKey) => ('id' in matchKey ? [matchKey.id] : []))[0] ?? '';
  return {
    desired: live && { fields: live.fields, ...(desired?.context ? { context: desired.context } : {}) },
    live: desired && { id, fields: desired.fields },
  };
}
