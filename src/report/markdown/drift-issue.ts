/** Renders drift as Markdown for an issue: since when each address has drifted, and the differences. */

import { joinAnd } from '../../core/model/collections.ts';
import type { DriftSince, Plan } from '../../core/model/plan.ts';
import type { Options } from '../document.ts';
import { codeSpan, finish, markdownSentence } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { count } from '../view/labels.ts';
import { fitMarkdown, type MarkdownBudget } from './fit-to-size.ts';

/** Since when addresses have drifted. */
export interface DriftAges {
  /** The addresses that drift now, risk first. */
  readonly drifted: readonly DriftSince[];
  /** Addresses that drifted before and could not be read this time. */
  readonly unread: readonly DriftSince[];
  /** Unix milliseconds. */
  readonly now: number;
  /** Time of the last apply of the target, ISO 8601; null if it is not known. */
  readonly lastApply: string | null;
}

/** Maximum number of rows of the table. */
const MAX_ROWS = 100;
/** Maximum width of an address, columns. */
const ADDRESS_WIDTH = 100;

/** Renders the text of an issue: a table of the ages in at most half of the budget, and the differences in the rest. */
export function driftMarkdown(plan: Plan, ages: DriftAges, options: Options, budget: MarkdownBudget): string {
  const against = ages.lastApply === null ? 'from what the repository says' : `from what was applied last: ${changedText(plan)}`;
  const opening = `The live account differs ${against}. To revert the drift, apply; to keep it, run \`upkeep drift accept ADDRESS\` and commit.`;
  const table = finish([opening, '', ...ageTable(ages, budget), '']);
  return table + fitMarkdown({ type: 'drift', plan }, options, { ...budget, most: budget.most - budget.size(table) });
}

/** Says who has changed the account. */
function changedText({ changes }: Plan): string {
  const projects = [...new Set(changes.flatMap(({ changedBy }) => changedBy ?? []))].map((project) => codeSpan(project));
  const isByHand = changes.some(({ changedBy }) => changedBy === undefined);
  if (projects.length === 0) return 'somebody has changed it by hand';
  return `it was changed by ${joinAnd([...(isByHand ? ['hand'] : []), `${projects.length === 1 ? 'project' : 'projects'} ${joinAnd(projects)}`])}`;
}

function ageTable(ages: DriftAges, { most, size }: MarkdownBudget): readonly string[] {
  const rows = [
    ...ages.drifted.map((drift) => tableRow(drift, ages, '')),
    ...ages.unread.map((drift) => tableRow(drift, ages, ' (could not be read this time)')),
  ];
  const shown: string[] = [];
  for (let used = 0; shown.length < MAX_ROWS; ) {
    const next = rows[shown.length];
    if (next === undefined || used + size(next) + 1 > most / 2) break;
    used += size(next) + 1;
    shown.push(next);
  }
  const omitted = rows.length - shown.length;
  return ['| Address | First seen | Age |', '| --- | --- | --- |', ...shown, ...(omitted > 0 ? ['', `And ${omitted} more.`] : [])];
}

function tableRow({ address, since }: DriftSince, { now, lastApply }: DriftAges, remark: string): string {
  const thisRun = lastApply === null ? 'by this run' : `by this run; since the last apply, \`${lastApply}\``;
  const cells = [
    `${codeSpan(cut(address, ADDRESS_WIDTH))}${remark}`,
    since === null ? thisRun : codeSpan(since),
    since === null ? 'new' : formatAge(now - Date.parse(since)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Formats a duration in its largest unit: `3 days`. */
function formatAge(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return count(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day');
}

/** Renders the comment for drift that is gone. `at` is the time of the report, ISO 8601. */
export function driftResolvedMarkdown(plan: Plan, at: string): string {
  return finish([markdownSentence(`No drift: at ${at} the account of ${plan.target} was as expected.`)]);
}
