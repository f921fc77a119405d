/** Renders Markdown within a size limit: risky changes stay, and the text says what is omitted. */
import type { Document, Options } from '../document.ts';
import { finish } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import { count } from '../view/labels.ts';
import { type Line, sectionsToShow, type View } from '../view/model.ts';
import { headLines, paragraphLines, type RenderedSection, renderSection, sectionLines } from './index.ts';

/** A size limit; `size` measures a text as the receiving service does. */
export interface MarkdownBudget {
  readonly most: number;
  /** Unit of the limit, in the plural: `characters`. */
  readonly unit: string;
  size(text: string): number;
}

/** Number of rows of each section that have precedence over further rows of any section, so that no section is overlooked. */
const FIRST_ROWS = 5;
/** Maximum size of the lines that collapse the table and the details of a section. */
const COLLAPSE_SIZE = 300;

/** A section with the number of its first rows and details that fit; without title and table head if `hasTable` is false. */
interface FittedSection {
  readonly section: RenderedSection;
  hasTable: boolean;
  rows: number;
  details: number;
}

/** The sentences of a view. */
type Sentences = Pick<View, 'opening' | 'closing'>;

/**
 * Renders a document as Markdown that fits into a budget. If the whole document does not fit, details are omitted first, then rows, in
 * each case from the end of the document.
 */
export function fitMarkdown(document: Document, options: Options, budget: MarkdownBudget): string {
  const view = viewOf(document, options);
  const sections = sectionsToShow(view, 'text').map(renderSection);
  const whole = renderParts(view, view, sections, []);
  if (budget.size(whole) <= budget.most) return whole;
  const spend = createSpender(budget);
  const fitted = sections.map((section): FittedSection => ({ section, hasTable: false, rows: 0, details: 0 }));
  // Reserves room for the longest possible note of what is omitted: everything.
  spend([...headLines(view), ...paragraphLines(omissionNote([...fitted.flatMap(describeOmitted), countSentences(view)], budget))]);
  const shown = { opening: fitSentences(view.opening, spend), closing: fitSentences(view.closing, spend) };
  for (const part of fitted) fitFirstRows(part, spend);
  for (const part of fitted) fitRows(part, part.section.rows.length, spend);
  for (const part of fitted) fitDetails(part, spend);
  const omitted = { opening: withoutLines(view.opening, shown.opening), closing: withoutLines(view.closing, shown.closing) };
  const omissions = [
    ...fitted.flatMap(describeOmitted),
    ...(omitted.opening.length + omitted.closing.length > 0 ? [countSentences(omitted)] : []),
  ];
  return renderParts(view, shown, fitted.flatMap(fittedPart), [omissionNote(omissions, budget)]);
}

function renderParts(view: View, shown: Sentences, sections: readonly RenderedSection[], notes: readonly Line[]): string {
  const paragraphs = (lines: readonly Line[]) => lines.flatMap(paragraphLines);
  const body = [...paragraphs(shown.opening), ...sections.flatMap(sectionLines), ...paragraphs(shown.closing)];
  return finish([...headLines(view), ...body, ...paragraphs(notes)]);
}

/** Deducts the size of lines, and `extra`, from the rest of a budget; returns false and deducts nothing if the rest is too small. */
type Spend = (lines: readonly string[], extra?: number) => boolean;

function createSpender({ most, size }: MarkdownBudget): Spend {
  let left = most;
  return (lines, extra = 0) => {
    const cost = lines.reduce((sum, line) => sum + size(line) + 1, extra);
    if (cost > left) return false;
    left -= cost;
    return true;
  };
}

function fitSentences(lines: readonly Line[], spend: Spend): readonly Line[] {
  return lines.filter((line) => spend(paragraphLines(line)));
}

function fitFirstRows(part: FittedSection, spend: Spend): void {
  part.hasTable = spend(sectionLines({ ...part.section, rows: [], details: [] }), COLLAPSE_SIZE);
  fitRows(part, FIRST_ROWS, spend);
}

function fitRows(part: FittedSection, most: number, spend: Spend): void {
  const { rows } = part.section;
  if (!part.hasTable) return;
  while (part.rows < Math.min(most, rows.length) && spend(rows.slice(part.rows, part.rows + 1))) part.rows += 1;
}

function fitDetails(part: FittedSection, spend: Spend): void {
  while (part.details < part.rows && spend(part.section.details[part.details] ?? [])) part.details += 1;
}

/** Returns the part of a section that fits; empty if it has no row. */
function fittedPart({ section: { section, rows, details }, ...fits }: FittedSection): readonly RenderedSection[] {
  return fits.rows === 0 ? [] : [{ section, rows: rows.slice(0, fits.rows), details: details.slice(0, fits.details) }];
}

/** Describes what is omitted from a section; empty if nothing is. */
function describeOmitted({ section: { section, rows, details }, ...fits }: FittedSection): readonly string[] {
  const numberOfDetails = (all: RenderedSection['details']) => all.filter((lines) => lines.length > 0).length;
  const [omittedRows, omittedDetails] = [rows.length - fits.rows, numberOfDetails(details.slice(fits.details))];
  return [
    ...(omittedRows > 0 ? [`${omittedRows} of ${rows.length} under "${section.title}"`] : []),
    ...(omittedDetails > 0 ? [`the details of ${omittedDetails} of ${numberOfDetails(details)} under "${section.title}"`] : []),
  ];
}

function withoutLines(all: readonly Line[], shown: readonly Line[]): readonly Line[] {
  return all.filter((line) => !shown.includes(line));
}

function countSentences({ opening, closing }: Sentences): string {
  return count(opening.length + closing.length, 'sentence');
}

function omissionNote(parts: readonly string[], { most, unit }: MarkdownBudget): Line {
  return { style: 'alarm', text: `Left out, because no more than ${most} ${unit} fit here: ${parts.join('; ')}.`, verbatim: true };
}
