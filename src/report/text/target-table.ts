/** Renders the table of how several targets ended. */
import type { Status } from '../../core/model/decision.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Document, Options } from '../document.ts';
import { finish } from '../escape.ts';
import { count, formatDuration } from '../view/labels.ts';
import type { Cell, Grid } from '../view/model.ts';
import { painter, type Style } from './colors.ts';
import { indent } from './layout.ts';
import { tableLines } from './table.ts';

/** How one of several targets ended. */
export interface TargetResult {
  readonly target: string;
  /** What it reported. */
  readonly documents: readonly Document[];
  readonly exit: number;
  /** Milliseconds; null for a target that did not begin. */
  readonly tookMs: number | null;
}

/** What a target planned or did. */
interface State {
  readonly style: Style;
  readonly text: string;
  readonly counts: { readonly [column in Column]: number };
}

/** The columns of numbers. One that has no number but 0 is left out. */
const COLUMNS = ['created', 'updated', 'deleted', 'failed', 'blocked'] as const;

type Column = (typeof COLUMNS)[number];

/** The titles of the numbers of a plan, of which nothing is done yet. */
const PLANNED: { readonly [column in Column]?: string } = { created: 'create', updated: 'update', deleted: 'delete' };

const NOTHING: State['counts'] = { created: 0, updated: 0, deleted: 0, failed: 0, blocked: 0 };

/** Renders one row for each target; empty for a single target, and where none reported a plan, drift or an outcome. */
export function renderTargetTable(results: readonly TargetResult[], { color, width }: Pick<Options, 'color' | 'width'>): string {
  const states = results.map((result) => ({ ...result, state: stateOf(result.documents) }));
  if (results.length < 2 || states.every(({ state }) => state === null)) return '';
  const isApply = results.some(({ documents }) => documents.some(({ type }) => type === 'outcome'));
  const shown = COLUMNS.filter((column) => states.some(({ state }) => (state?.counts[column] ?? 0) > 0));
  const grid: Grid = {
    rowTitle: 'Target',
    columns: ['state', ...shown.map((column) => (isApply ? column : (PLANNED[column] ?? column))), 'time', 'exit'],
    rows: states.map(({ target, state, documents, exit, tookMs }) => ({
      name: target,
      cells: [
        { style: state?.style ?? 'alarm', text: state?.text ?? failureCode(documents) },
        ...shown.map((column): Cell => ({ style: 'plain', text: state === null ? '-' : String(state.counts[column]) })),
        { style: 'plain', text: tookMs === null ? '-' : formatDuration(tookMs) },
        { style: exit === 0 ? 'plain' : 'alarm', text: String(exit) },
      ],
    })),
  };
  const paint = painter(color);
  return finish([paint('title', count(results.length, 'target')), ...indent(tableLines(grid, paint, width - 2), 2)]);
}

/** Returns the state of a target from what it reported last; null where it has neither a plan nor an outcome. */
function stateOf(documents: readonly Document[]): State | null {
  const document = documents.at(-1);
  if (document?.type === 'outcome') {
    const { summary, verified } = document.outcome;
    const counts = { ...NOTHING, ...pick(summary), blocked: document.plan?.summary.blocked ?? 0 };
    if (summary.failed > 0) return { style: 'alarm', text: 'failed', counts };
    if (!verified) return { style: 'alarm', text: 'not verified', counts };
    return { style: 'good', text: document.outcome.outcomes.length === 0 ? 'nothing to do' : 'applied', counts };
  }
  if (document?.type === 'plan' || document?.type === 'drift') return planState(document.type, document.plan);
  if (document?.type !== 'failure' || !document.plan) return null;
  const { failure, plan } = document;
  return { style: 'alarm', text: failure.error.code, counts: { ...NOTHING, blocked: plan.summary.blocked } };
}

function pick({ created, updated, deleted, failed }: Omit<State['counts'], 'blocked'>): Omit<State['counts'], 'blocked'> {
  return { created, updated, deleted, failed };
}

/** The states of plans, by their status. */
const PLAN_STATES: { readonly [status in Status]: Pick<State, 'style' | 'text'> } = {
  unknown: { style: 'alarm', text: 'unknown' },
  refused: { style: 'alarm', text: 'refused' },
  blocked: { style: 'alarm', text: 'blocked' },
  behind: { style: 'warning', text: 'behind' },
  waits: { style: 'warning', text: 'waits' },
  ready: { style: 'plain', text: 'changes' },
  nothing: { style: 'good', text: 'no changes' },
};

function planState(type: 'plan' | 'drift', { summary, readStatus, decision }: Plan): State {
  const { create: created, update: updated, delete: deleted, blocked } = summary;
  const counts = { ...NOTHING, created, updated, deleted, blocked };
  const isChanged = created + updated + deleted > 0;
  if (Object.values(readStatus).includes('incomplete')) return { style: 'alarm', text: 'incomplete', counts };
  if (type === 'drift') return isChanged ? { style: 'warning', text: 'drift', counts } : { style: 'good', text: 'no drift', counts };
  return { ...PLAN_STATES[decision?.status ?? 'unknown'], counts };
}

function failureCode(documents: readonly Document[]): string {
  const document = documents.at(-1);
  return document?.type === 'failure' ? document.failure.error.code : '-';
}
