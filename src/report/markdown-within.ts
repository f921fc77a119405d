/** Markdown for a place that takes only so much: what is risky stays, and what is left out is named. */
import type { Document, Options } from './document.ts';
import { finish } from './escape.ts';
import { heading, paragraph, sectionLines, type Written, writtenOf } from './markdown.ts';
import { type Page, type Statement, sectionsOf } from './page.ts';
import { pageOf } from './pages.ts';
import { count } from './words.ts';

/** What a place takes: `size` counts a text as the place does. */
export interface Room {
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

/** A document as Markdown that fits; where it does not as a whole, details are left out first, then rows, in each case from the end of the page. */
export function markdownWithin(document: Document, options: Options, room: Room): string {
  const page = pageOf(document, options);
  const sections = sectionsOf(page, 'words').map(writtenOf);
  const whole = textOf(page, page, sections, []);
  if (room.size(whole) <= room.most) return whole;
  const pays = purse(room);
  const parts = sections.map((section) => ({ section, kept: { framed: false, rows: 0, details: 0 } }));
  // What is left out is at most everything, and there must be room to say so.
  pays([heading(page), ...paragraph(leftOut([...parts.flatMap(missing), sentences(page)], room))]);
  const said = { opening: affordable(page.opening, pays), closing: affordable(page.closing, pays) };
  for (const { section, kept } of parts) keepBeginning(section, kept, pays);
  for (const { section, kept } of parts) keepRows(section, kept, section.rows.length, pays);
  for (const { section, kept } of parts) keepDetails(section, kept, pays);
  const unsaid = { opening: without(page.opening, said.opening), closing: without(page.closing, said.closing) };
  const lost = [...parts.flatMap(missing), ...(unsaid.opening.length + unsaid.closing.length > 0 ? [sentences(unsaid)] : [])];
  return textOf(page, said, parts.flatMap(shown), [leftOut(lost, room)]);
}

function textOf(page: Page, said: Said, sections: readonly Written[], notes: readonly Statement[]): string {
  const statements = (each: readonly Statement[]) => each.flatMap(paragraph);
  const body = [...statements(said.opening), ...sections.flatMap(sectionLines), ...statements(said.closing)];
  return finish([heading(page), ...body, ...statements(notes)]);
}

/** What is said of the whole document, before and after its sections. */
type Said = Pick<Page, 'opening' | 'closing'>;

/** A section and what of it is written. */
interface Part {
  readonly section: Written;
  readonly kept: Kept;
}

/** Pays for lines out of what is left; false, and nothing is paid, where that is not enough. */
type Pays = (lines: readonly string[], more?: number) => boolean;

function purse({ most, size }: Room): Pays {
  let left = most;
  return (lines, more = 0) => {
    const price = lines.reduce((sum, line) => sum + size(line) + 1, more);
    if (price > left) return false;
    left -= price;
    return true;
  };
}

function affordable(statements: readonly Statement[], pays: Pays): readonly Statement[] {
  return statements.filter((statement) => pays(paragraph(statement)));
}

function keepBeginning(section: Written, kept: Kept, pays: Pays): void {
  kept.framed = pays(sectionLines({ ...section, rows: [], details: [] }), FOLDS);
  keepRows(section, kept, BEGINNING, pays);
}

function keepRows({ rows }: Written, kept: Kept, most: number, pays: Pays): void {
  if (!kept.framed) return;
  while (kept.rows < Math.min(most, rows.length) && pays(rows.slice(kept.rows, kept.rows + 1))) kept.rows += 1;
}

/** Details only of what stands in the table. */
function keepDetails({ details }: Written, kept: Kept, pays: Pays): void {
  while (kept.details < kept.rows && pays(details[kept.details] ?? [])) kept.details += 1;
}

function shown({ section: { section, rows, details }, kept }: Part): readonly Written[] {
  return kept.rows === 0 ? [] : [{ section, rows: rows.slice(0, kept.rows), details: details.slice(0, kept.details) }];
}

/** What of a section is not written, in words. */
function missing({ section: { section, rows, details }, kept }: Part): readonly string[] {
  const of = (all: readonly (readonly string[])[]) => all.filter((lines) => lines.length > 0).length;
  const [left, folded] = [rows.length - kept.rows, of(details.slice(kept.details))];
  return [
    ...(left > 0 ? [`${left} of ${rows.length} under "${section.title}"`] : []),
    ...(folded > 0 ? [`the details of ${folded} of ${of(details)} under "${section.title}"`] : []),
  ];
}

function without(all: readonly Statement[], said: readonly Statement[]): readonly Statement[] {
  return all.filter((statement) => !said.includes(statement));
}

function sentences({ opening, closing }: Said): string {
  return count(opening.length + closing.length, 'sentence');
}

function leftOut(parts: readonly string[], { most, unit }: Room): Statement {
  return { tone: 'alarm', text: `Left out, because no more than ${most} ${unit} fit here: ${parts.join('; ')}.`, whole: true };
}
