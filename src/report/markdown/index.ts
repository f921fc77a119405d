import { listOf } from '../../core/model/collections.ts';
import type { Renderer } from '../document.ts';
import { codeSpan, fence, finish, markdownSentence, visible } from '../escape.ts';
import type { Style } from '../text/colors.ts';
import { fullTitle, itemMarks, memberLines, verdictLines } from '../text/index.ts';
import { cut } from '../text/layout.ts';
import { tableLines } from '../text/table.ts';
import { viewOf } from '../view/index.ts';
import { countItems, type Line, remarksWithName, sectionsToShow, type View, type ViewItem, type ViewSection } from '../view/model.ts';

/** Width of a fixed-width block, columns: a comment shows as many without scrolling. */
const BLOCK_WIDTH = 80;
/** Maximum width of a subject in a table, columns. */
const MAX_SUBJECT_WIDTH = 100;
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

/** The alert of each style of a verdict, which GitHub and GitLab color. */
const ALERTS: { readonly [style in Style]?: string } = { alarm: 'CAUTION', warning: 'WARNING', good: 'TIP' };

/** Renders the verdict of a view as an alert, and its title. */
export function headLines(view: View): readonly string[] {
  const [headline, ...lines] = verdictLines(view);
  const alert = headline ? [`[!${ALERTS[headline.style] ?? 'NOTE'}]`, `**${shortSentence(headline.text)}**`, ...listLines(lines)] : [];
  return [...alert.map((line) => (line === '' ? '>' : `> ${line}`)), ...(headline ? [''] : []), `## ${shortSentence(fullTitle(view))}`];
}

/** Renders sentences; neighboring entries of a list have no empty line between them. */
function listLines(lines: readonly Line[]): readonly string[] {
  return itemMarks(lines).flatMap(({ line, mark }, index) => {
    if (mark === '') return paragraphLines(line);
    const isFirst = lines[index - 1]?.item !== line.item;
    return [...(isFirst ? [''] : []), `${mark} ${shortSentence(line.text)}`];
  });
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
  const isDiff = section.items.some(({ sign }) => sign in DIFF_SIGNS);
  return [
    '',
    `### ${section.title} (${section.total ?? countItems(section.items)})`,
    ...(section.description === undefined ? [] : ['', shortSentence(section.description)]),
    ...collapsible('List', table),
    ...(block.length === 0 ? [] : collapsible('Details', [`${ticks}${isDiff ? 'diff' : ''}`, ...block, ticks])),
  ];
}

function collapsible(headline: string, lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_EXPANDED_LINES) return ['', ...lines];
  return ['', '<details>', `<summary>${headline}</summary>`, '', ...lines, '', '</details>'];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Maximum number of members that are named in the row of an item; all are in its details. */
const MAX_MEMBERS = 10;

function itemRow(item: ViewItem): string {
  const notes = item.notes.map((note) => shortSentence(note.text));
  const members = (item.members ?? []).map(({ name, address }) => name ?? address);
  return tableRow([
    item.word ?? item.sign,
    item.isPhrase ? shortSentence(item.subject) : codeSpan(cut(item.subject, MAX_SUBJECT_WIDTH)),
    [
      ...remarksWithName(item).map(shortSentence),
      ...notes,
      ...(members.length > 0 ? [listOf(members.map(codeSpan), MAX_MEMBERS)] : []),
    ].join('<br>'),
  ]);
}

/** The signs that GitHub colors at the beginning of a line of a diff, by the sign of the item. */
const DIFF_SIGNS: { readonly [sign: string]: string } = { '+': '+', '-': '-', '~': '!' };

function itemDetails(item: ViewItem): readonly string[] {
  const unpainted = (_style: unknown, text: string) => text;
  const sign = DIFF_SIGNS[item.sign] ?? ' ';
  const width = BLOCK_WIDTH - 4;
  const lines = [...item.detail(unpainted, width), ...(item.grid ? tableLines(item.grid, unpainted, width) : [])];
  const members = memberLines(item, width).map((line) => `    ${line}`);
  if (lines.length + members.length === 0) return [];
  return [`${sign} ${cut(visible(item.subject), width)}`, ...members, ...lines.map((line) => diffLine(sign, line))];
}

/** Puts the sign of a line into its first column: that of the item, or its own if it is an entry of a list. */
function diffLine(sign: string, line: string): string {
  const [, indentation, own] = /^( *)([+-]) /.exec(line) ?? [];
  if (own !== undefined && indentation !== undefined) return `${own}   ${indentation}${line.slice(indentation.length + 2)}`;
  return `${/^\S/.test(line) ? sign : ' '}   ${line}`;
}
