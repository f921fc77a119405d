import type { Renderer } from '../document.ts';
import { codeSpan, fence, finish, markdownSentence, visible } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { tableLines } from '../text/table.ts';
import { viewOf } from '../view/index.ts';
import { type Line, sectionsToShow, type View, type ViewItem, type ViewSection } from '../view/model.ts';

/** Width of a fixed-width block, columns. */
const BLOCK_WIDTH = 100;
/** Maximum number of lines or rows that are not collapsed. */
const MAX_EXPANDED_LINES = 25;
/** Maximum length of a sentence, characters; the program's own sentences are shorter. */
const MAX_SENTENCE_LENGTH = 1_000;

/**
 * Renders Markdown for the comments of a pull request. Data is in code spans and fixed-width blocks, where nothing is markup, a mention
 * or a link.
 */
export const renderMarkdown: Renderer = (documents, options) =>
  finish(documents.flatMap((document, index) => [...(index > 0 ? [''] : []), ...viewLines(viewOf(document, options))]));

function viewLines(view: View): readonly string[] {
  return [
    ...headLines(view),
    ...view.opening.flatMap(paragraphLines),
    ...sectionsToShow(view, 'text').flatMap((section) => sectionLines(renderSection(section))),
    ...view.closing.flatMap(paragraphLines),
  ];
}

/** Renders the verdict of a view, if it has one, and its title. */
export function headLines({ verdict, title }: View): readonly string[] {
  return [...(verdict ? [`**${markdownSentence(verdict.text)}**`, ''] : []), `## ${shortSentence(title)}`];
}

function shortSentence(text: string): string {
  return markdownSentence(cut(text, MAX_SENTENCE_LENGTH));
}

/** Renders a sentence about the whole document, after an empty line. */
export function paragraphLines({ style, text, verbatim }: Line): readonly string[] {
  const sentence = verbatim ? markdownSentence(text) : shortSentence(text);
  return ['', style === 'alarm' || style === 'title' ? `**${sentence}**` : sentence];
}

/** A section with its items as Markdown: for each item its row of the table, and the lines of its details, empty if it has none. */
export interface RenderedSection {
  readonly section: ViewSection;
  readonly rows: readonly string[];
  readonly details: readonly (readonly string[])[];
}

/** Renders the items of a section. */
export function renderSection(section: ViewSection): RenderedSection {
  return { section, rows: section.items.map(itemRow), details: section.items.map(itemDetails) };
}

/** Renders a table of the rows and one block with all details. The title counts all items, also those without a row. */
export function sectionLines({ section, rows, details }: RenderedSection): readonly string[] {
  const table = [tableRow(section.columns), tableRow(['---', '---', '---']), ...rows];
  const block = details.flat();
  const ticks = fence(block.join('\n'), 3);
  return [
    '',
    `### ${section.title} (${section.total ?? section.items.length})`,
    ...(section.description === undefined ? [] : ['', shortSentence(section.description)]),
    ...collapsible('List', table),
    ...(block.length === 0 ? [] : collapsible('Details', [`${ticks}diff`, ...block, ticks])),
  ];
}

/** Collapses many lines below a headline. */
function collapsible(headline: string, lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_EXPANDED_LINES) return ['', ...lines];
  return ['', '<details>', `<summary>${headline}</summary>`, '', ...lines, '', '</details>'];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function itemRow(item: ViewItem): string {
  const notes = item.notes.map((note) => shortSentence(note.text));
  return tableRow([
    item.word ?? item.sign,
    codeSpan(cut(item.subject, BLOCK_WIDTH)),
    [...item.remarks.map(shortSentence), ...notes].join('<br>'),
  ]);
}

function itemDetails(item: ViewItem): readonly string[] {
  const unpainted = (_style: unknown, text: string) => text;
  const lines = [...item.detail(unpainted, BLOCK_WIDTH), ...(item.grid ? tableLines(item.grid, unpainted, BLOCK_WIDTH) : [])];
  return lines.length === 0 ? [] : [`${item.sign} ${cut(visible(item.subject), BLOCK_WIDTH)}`, ...lines.map((line) => `    ${line}`)];
}
