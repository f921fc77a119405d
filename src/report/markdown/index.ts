import type { Renderer } from '../document.ts';
import { codeSpan, fence, finish, markdownSentence, visible } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { tableLines } from '../text/table.ts';
import { viewOf } from '../view/index.ts';
import { type Line, sectionsOf, type View, type ViewItem, type ViewSection } from '../view/model.ts';

/** Columns of a fixed-width block. */
const WIDTH = 100;
/** Lines and rows beyond which a part is folded away. */
const MOST_OPEN = 25;
/** Characters of a sentence that are shown; our own are shorter. */
const LONGEST_SENTENCE = 1_000;

/** Markdown for the comments of a pull request: data stands in code spans and fixed-width blocks, where nothing is markup, a mention or a link. */
export const renderMarkdown: Renderer = (documents, options) =>
  finish(documents.flatMap((document, index) => [...(index > 0 ? [''] : []), ...pageLines(viewOf(document, options))]));

function pageLines(view: View): readonly string[] {
  return [
    titleLine(view),
    ...view.opening.flatMap(paragraphLines),
    ...sectionsOf(view, 'text').flatMap((section) => sectionLines(renderSection(section))),
    ...view.closing.flatMap(paragraphLines),
  ];
}

/** The title of a page. */
export function titleLine({ title }: View): string {
  return `## ${said(title)}`;
}

function said(text: string): string {
  return markdownSentence(cut(text, LONGEST_SENTENCE));
}

/** A sentence about the whole document. */
export function paragraphLines({ style, text, verbatim }: Line): readonly string[] {
  const shown = verbatim ? markdownSentence(text) : said(text);
  return ['', style === 'alarm' || style === 'title' ? `**${shown}**` : shown];
}

/** A section with its items written out: the row of each in the table, and the lines of its details, none where it has none. */
export interface RenderedSection {
  readonly section: ViewSection;
  readonly rows: readonly string[];
  readonly details: readonly (readonly string[])[];
}

/** Writes out the items of a section. */
export function renderSection(section: ViewSection): RenderedSection {
  return { section, rows: section.items.map(itemRow), details: section.items.map(itemDetail) };
}

/** A table of the items, and one block with the details of all; the number of items is that of the whole section, whatever is left of it. */
export function sectionLines({ section, rows, details }: RenderedSection): readonly string[] {
  const table = [row(section.columns), row(['---', '---', '---']), ...rows];
  const detail = details.flat();
  const ticks = fence(detail.join('\n'), 3);
  return [
    '',
    `### ${section.title} (${section.items.length})`,
    ...(section.description === undefined ? [] : ['', said(section.description)]),
    ...folded('List', table),
    ...(detail.length === 0 ? [] : folded('Details', [`${ticks}diff`, ...detail, ticks])),
  ];
}

/** The lines, or where they are many, a headline to open them by. */
function folded(headline: string, lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_OPEN) return ['', ...lines];
  return ['', '<details>', `<summary>${headline}</summary>`, '', ...lines, '', '</details>'];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function itemRow(item: ViewItem): string {
  const notes = item.notes.map((note) => said(note.text));
  return row([item.word ?? item.sign, codeSpan(cut(item.subject, WIDTH)), [...item.remarks.map(said), ...notes].join('<br>')]);
}

function itemDetail(item: ViewItem): readonly string[] {
  const paint = (_tone: unknown, text: string) => text;
  const lines = [...item.detail(paint, WIDTH), ...(item.grid ? tableLines(item.grid, paint, WIDTH) : [])];
  return lines.length === 0 ? [] : [`${item.sign} ${cut(visible(item.subject), WIDTH)}`, ...lines.map((line) => `    ${line}`)];
}
