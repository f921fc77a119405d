import type { Brake, Change, Effect } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { overall } from './compare.ts';
import { writesOnService } from './step.ts';

/** What moved on the live side, out of the plan that would move it back: the same differences seen from the other end (design section 5, drift). */
export function driftOf(plan: Plan): Plan {
  const changes = plan.changes.filter((change) => writesOnService(change.action)).map(mirrored);
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    ...plan,
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

const EFFECTS: { readonly [effect in Effect]: Effect } = { tightens: 'loosens', loosens: 'tightens', neutral: 'neutral' };

/** Brakes that say that the difference itself is in doubt. */
const SHOWN: readonly Brake[] = ['identity', 'doubtful-read'];

function mirrored(change: Change): Change {
  const fields = change.fields.map((field) => ({ ...field, before: field.after, after: field.before, effect: EFFECTS[field.effect] }));
  return {
    ...change,
    action: ACTIONS[change.action],
    effect: overall(fields),
    fields,
    held: change.held && SHOWN.includes(change.held.brake) ? change.held : null,
  };
}
