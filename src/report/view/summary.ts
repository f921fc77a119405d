/** The totals of a plan: changes by action, effect on protection, and kind. */
import type { Action, Change, Effect } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { ACTION_SIGNS, writes } from './labels.ts';
import type { Tile, Totals } from './model.ts';

type Written = Extract<Action, 'create' | 'update' | 'delete'>;

/** What is done, and in the report of drift, what happened. */
const DONE: { readonly [type in 'plan' | 'drift']: { readonly [action in Written]: string } } = {
  plan: { create: 'create', update: 'update', delete: 'delete' },
  drift: { create: 'appeared', update: 'changed', delete: 'gone' },
};

/** Effects, risk first. */
const EFFECTS: readonly (Omit<Tile, 'count'> & { readonly effect: Effect })[] = [
  { effect: 'loosens', style: 'alarm', sign: '▲', label: 'loosen' },
  { effect: 'tightens', style: 'good', sign: '▼', label: 'tighten' },
  { effect: 'neutral', style: 'plain', sign: '·', label: 'neutral' },
];

/** Returns the totals of a document; undefined if nothing changes. */
export function totalsOf(type: 'plan' | 'drift', { changes, summary }: Plan): Totals | undefined {
  const written = changes.filter(writes);
  if (written.length === 0) return undefined;
  const done = (action: Written): Tile => ({ ...ACTION_SIGNS[action], count: summary[action], label: DONE[type][action] });
  const effects = EFFECTS.map(({ effect, ...tile }): Tile => ({ ...tile, count: having(written, ({ effect: own }) => own === effect) }));
  const blocked: Tile = { style: 'warning', sign: '!', count: summary.blocked, label: 'blocked' };
  return {
    groups: [
      { title: type === 'plan' ? 'Changes' : 'Drift', tiles: [done('create'), done('update'), done('delete')] },
      { title: 'Protection', tiles: effects },
      {
        title: type === 'plan' ? 'Not written' : 'As expected',
        tiles: [
          ...(type === 'plan' ? [blocked] : []),
          { style: 'plain', sign: '=', count: summary.unchanged, label: 'unchanged' },
          { style: 'plain', sign: '?', count: summary.unmanaged, label: 'unmanaged' },
        ],
      },
    ],
    columns: [...Object.values(DONE[type]), 'loosen', 'tighten', ...(type === 'plan' ? ['blocked'] : [])],
    rows: rowsOf(written, type),
  };
}

/** A row for each kind, in the order in which they come up. */
function rowsOf(changes: readonly Change[], type: 'plan' | 'drift'): Totals['rows'] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  if (kinds.length === 1) return [];
  const tests: readonly ((change: Change) => boolean)[] = [
    ({ action }) => action === 'create',
    ({ action }) => action === 'update',
    ({ action }) => action === 'delete',
    ({ effect }) => effect === 'loosens',
    ({ effect }) => effect === 'tightens',
    ...(type === 'plan' ? [({ blocked }: Change) => blocked !== null] : []),
  ];
  return kinds.map((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    return { name: kind, counts: tests.map((test) => having(own, test)) };
  });
}

function having(changes: readonly Change[], test: (change: Change) => boolean): number {
  return changes.filter(test).length;
}
