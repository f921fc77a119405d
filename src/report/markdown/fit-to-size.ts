/** Renders Markdown within a size limit: risky changes stay, and the text says what is omitted. */
import type { Document, Options } from '../document.ts';
import { finish } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import { count } from '../view/labels.ts';
import { type Line, sectionsOf, type View } from '../view/model.ts';
import { paragraphLines, type RenderedSection, renderSection, sectionLines, titleLine } from './index.ts';

/** A size limit; `size` measures a text as the receiving service does. */
export interface MarkdownBudget {
  readonly most: number;
  /** What is counted, in the plural: `characters`. */
  readonly unit: string;
  size(text: string): number;
}

/** How much of a section is written: whether there is room for its headline, the rows of its table, and the items with their details. */
interface Kept {
  framed: boolean;
  rows: number;
  details: number;
}

/** Rows of each section that come before the rest of the others: nobody should miss that there is such a section. */
const BEGINNING = 5;
/** What folding a table and a block of details away costs, at most. */
const FOLDS = 300;

/**
 * A document as Markdown that fits; where it does not as a whole, details are left out first, then rows, in each case from the end of the
 * page.
 */
export function fitMarkdown(document: Document, options: Options, budget: MarkdownBudget): string {
  const view = viewOf(document, options);
  const sections = sectionsOf(view, 'text').map(renderSection);
  const whole = textOf(view, view, sections, []);
  if (budget.size(whole) <= budget.most) return whole;
  const pays = purse(budget);
  const parts = sections.map((section) => ({ section, kept: { framed: false, rows: 0, details: 0 } }));
  // What is left out is at most everything, and there must be room to say so.
  pays([titleLine(view), ...paragraphLines(leftOut([...parts.flatMap(missing), sentences(view)], budget))]);
  const said = { opening: affordable(view.opening, pays), closing: affordable(view.closing, pays) };
  for (const { section, kept } of parts) keepBeginning(section, kept, pays);
  for (const { section, kept } of parts) keepRows(section, kept, section.rows.length, pays);
  for (const { section, kept } of parts) keepDetails(section, kept, pays);
  const unsaid = { opening: without(view.opening, said.opening), closing: without(view.closing, said.closing) };
  const lost = [...parts.flatMap(missing), ...(unsaid.opening.length + unsaid.closing.length > 0 ? [sentences(unsaid)] : [])];
  return textOf(view, said, parts.flatMap(shown), [leftOut(lost, budget)]);
}

function textOf(view: View, said: Said, sections: readonly RenderedSection[], notes: readonly Line[]): string {
  const statements = (each: readonly Line[]) => each.flatMap(paragraphLines);
  const body = [...statements(said.opening), ...sections.flatMap(sectionLines), ...statements(said.closing)];
  return finish([titleLine(view), ...body, ...statements(notes)]);
}

/** What is said of the whole document, before and after its sections. */
type Said = Pick<View, 'opening' | 'closing'>;

/** A section and what of it is written. */
interface Part {
  readonly section: RenderedSection;
  readonly kept: Kept;
}

/** Deducts lines from the remaining budget; returns false and deducts nothing if it is too small. */
type Pays = (lines: readonly string[], more?: number) => boolean;

function purse({ most, size }: MarkdownBudget): Pays {
  let left = most;
  return (lines, more = 0) => {
    const price = lines.reduce((sum, line) => sum + size(line) + 1, more);
    if (price > left) return false;
    left -= price;
    return true;
  };
}

function affordable(statements: readonly Line[], pays: Pays): readonly Line[] {
  return statements.filter((statement) => pays(paragraphLines(statement)));
}

function keepBeginning(section: RenderedSection, kept: Kept, pays: Pays): void {
  kept.framed = pays(sectionLines({ ...section, rows: [], details: [] }), FOLDS);
  keepRows(section, kept, BEGINNING, pays);
}

function keepRows({ rows }: RenderedSection, kept: Kept, most: number, pays: Pays): void {
  if (!kept.framed) return;
  while (kept.rows < Math.min(most, rows.length) && pays(rows.slice(kept.rows, kept.rows + 1))) kept.rows += 1;
}

/** Details only of what stands in the table. */
function keepDetails({ details }: RenderedSection, kept: Kept, pays: Pays): void {
  while (kept.details < kept.rows && pays(details[kept.details] ?? [])) kept.details += 1;
}

function shown({ section: { section, rows, details }, kept }: Part): readonly RenderedSection[] {
  return kept.rows === 0 ? [] : [{ section, rows: rows.slice(0, kept.rows), details: details.slice(0, kept.details) }];
}

/** Describes what is omitted from a section. */
function missing({ section: { section, rows, details }, kept }: Part): readonly string[] {
  const of = (all: readonly (readonly string[])[]) => all.filter((lines) => lines.length > 0).length;
  const [left, folded] = [rows.length - kept.rows, of(details.slice(kept.details))];
  return [
    ...(left > 0 ? [`${left} of ${rows.length} under "${section.title}"`] : []),
    ...(folded > 0 ? [`the details of ${folded} of ${of(details)} under "${section.title}"`] : []),
  ];
}

function without(all: readonly Line[], said: readonly Line[]): readonly Line[] {
  return all.filter((statement) => !said.includes(statement));
}

function sentences({ opening, closing }: Said): string {
  return count(opening.length + closing.length, 'sentence');
}

function leftOut(parts: readonly string[], { most, unit }: MarkdownBudget): Line {
  return { style: 'alarm', text: `Left out, because no more than ${most} ${unit} fit here: ${parts.join('; ')}.`, verbatim: true };
}
