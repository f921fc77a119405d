/** Renders drift as Markdown for an issue: since when each address has drifted, and the differences. */

import type { DriftSince } from '../../model/drift-since.ts';
import type { Plan } from '../../model/plan.ts';
import type { Options } from '../document.ts';
import { codeSpan, finish, markdownSentence } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { count } from '../view/labels.ts';
import { fitMarkdown, type MarkdownBudget } from './fit-to-size.ts';

/** What is known of each drifted address. */
export interface DriftAges {
  /** Those that drift now, risk first, and what could not be read this time. */
  readonly drifted: readonly DriftSince[];
  readonly unread: readonly DriftSince[];
  /** Unix milliseconds. */
  readonly now: number;
  /** When the target was applied last, ISO 8601; null where nobody knows. */
  readonly lastApply: string | null;
}

/** Rows of the table. */
const MOST_ROWS = 100;
/** Columns of an address. */
const WIDTH = 100;

/** The whole text; the report of what differs takes the room that the table leaves. */
export function driftMarkdown(plan: Plan, ages: DriftAges, options: Options, budget: MarkdownBudget): string {
  const against = ages.lastApply === null ? 'from what the repository says' : 'from what was applied last: somebody has changed it by hand';
  const opening = `The live account differs ${against}. Taking that back is an apply; keeping it is \`upkeep drift accept ADDRESS\` and a commit.`;
  const table = finish([opening, '', ...ageTable(ages, budget), '']);
  return table + fitMarkdown({ type: 'drift', plan }, options, { ...budget, most: budget.most - budget.size(table) });
}

function ageTable(ages: DriftAges, { most, size }: MarkdownBudget): readonly string[] {
  const rows = [
    ...ages.drifted.map((sighting) => row(sighting, ages, '')),
    ...ages.unread.map((sighting) => row(sighting, ages, ' (could not be read this time)')),
  ];
  const shown: string[] = [];
  // The half that is left is for what differs.
  for (let used = 0; shown.length < MOST_ROWS; ) {
    const next = rows[shown.length];
    if (next === undefined || used + size(next) + 1 > most / 2) break;
    used += size(next) + 1;
    shown.push(next);
  }
  const more = rows.length - shown.length;
  return ['| Address | First seen | Age |', '| --- | --- | --- |', ...shown, ...(more > 0 ? ['', `And ${more} more.`] : [])];
}

function row({ address, since }: DriftSince, { now, lastApply }: DriftAges, remark: string): string {
  const unknown = lastApply === null ? 'by this run' : `by this run; since the last apply, \`${lastApply}\``;
  const cells = [
    `${codeSpan(cut(address, WIDTH))}${remark}`,
    since === null ? unknown : codeSpan(since),
    since === null ? 'new' : age(now - Date.parse(since)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A time in the largest unit that it fills: `3 days`. */
function age(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return count(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day');
}

/** Renders the comment for drift that is gone. */
export function driftResolvedMarkdown(plan: Plan, at: string): string {
  return finish([markdownSentence(`No drift: at ${at} the account of ${plan.target} was as expected.`)]);
}
