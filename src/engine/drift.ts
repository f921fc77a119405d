import type { Comparison } from '../kinds/kind.ts';
import type { Brake, Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { judged } from './compare.ts';
import type { PlannedStep } from './plan.ts';
import type { Reconciled } from './reconcile.ts';
import { writesOnService } from './step.ts';

/** What moved on the live side, out of the plan that would move it back: the same differences seen from the other end (design section 5, drift). */
export function driftOf({ plan, steps }: Pick<Reconciled, 'plan' | 'steps'>): Plan {
  const { impact: _takingItBack, ...about } = plan;
  const changes = steps.filter(({ change }) => writesOnService(change.action)).map(mirrored);
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    ...about,
    summary: {
      ...plan.summary,
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      held: changes.filter((change) => change.held !== null).length,
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
const SHOWN: readonly Brake[] = ['identity', 'doubtful-read'];

/** The way back is judged for itself: taking away what a create would give is not its opposite in every kind. */
function mirrored(step: PlannedStep): Change {
  const { change, kind } = step;
  const action = ACTIONS[change.action];
  const turned = change.fields.map((field) => ({ ...field, before: field.after, after: field.before }));
  const { fields, effect } = judged({ kind, action, ...swapped(step) }, turned);
  return { ...change, action, effect, fields, held: change.held && SHOWN.includes(change.held.brake) ? change.held : null };
}

/** The sides in each other's place. What is gone had the remote ID by which it is recognised. */
function swapped({ desired, live }: PlannedStep): Pick<Comparison, 'desired' | 'live'> {
  const id = live?.id ?? desired?.clues.flatMap((clue) => ('id' in clue ? [clue.id] : []))[0] ?? '';
  return {
    desired: live && { fields: live.fields, ...(desired?.context ? { context: desired.context } : {}) },
    live: desired && { id, fields: desired.fields },
  };
}
