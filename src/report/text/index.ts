import { listOf } from '../../core/model/collections.ts';
import type { Renderer } from '../document.ts';
import { finish, pairedBackticks, visible } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import {
  countItems,
  type Line,
  numberOfNamed,
  remarksWithName,
  sectionsToShow,
  type View,
  type ViewItem,
  type ViewSection,
} from '../view/model.ts';
import { type PaintText, painter } from './colors.ts';
import { columns, cut, indent, pad, wrap } from './layout.ts';
import { tableLines } from './table.ts';

/** Minimum width that is assumed, columns. */
const MIN_WIDTH = 60;
/** Maximum width to which the subjects that share a line with their remarks are padded, columns. */
const MAX_SUBJECT_WIDTH = 44;
/** Maximum length of a sentence, characters; the program's own sentences are shorter. */
const MAX_SENTENCE_LENGTH = 1_000;

/** Renders text for a terminal or the log of a CI job. */
export const renderText: Renderer = (documents, options) => {
  const paint = painter(options.color);
  const width = Math.max(MIN_WIDTH, options.width);
  return finish(
    documents.flatMap((document, index) => [...(index > 0 ? [''] : []), ...viewLines(viewOf(document, options), paint, width)]),
  );
};

function viewLines(view: View, paint: PaintText, width: number): readonly string[] {
  const sentences = (lines: readonly Line[]) => listLines(lines, paint, width);
  const blocks = [
    sentences(verdictLines(view)),
    sentences([{ style: 'title', text: fullTitle(view) }, ...view.opening]),
    ...sectionsToShow(view, 'text').map((section) => sectionLines(section, paint, width)),
    sentences(view.closing),
  ];
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index > 0 ? ['', ...block] : block));
}

/** Returns the headline of the verdict and its sentences, with how it goes on. */
export function verdictLines({ verdict }: View): readonly Line[] {
  return verdict ? [{ style: verdict.style, text: `${verdict.headline}.` }, ...verdict.lines, ...(verdict.next ?? [])] : [];
}

/** Returns the title of a view with the commit from which it was made. */
export function fullTitle({ title, revision = '' }: View): string {
  return title + revision;
}

/** A command that follows a colon, and the sentences behind it. */
const COMMAND = /^(.*:) `(upkeep [^`]+)`\.?(?: (.*))?$/s;

/** Renders sentences. A command to copy has a line of its own. */
function sentenceLines({ style, text, verbatim }: Line, paint: PaintText, width: number): readonly string[] {
  if (verbatim) return [paint(style, pairedBackticks(visible(text)))];
  const shown = pairedBackticks(cut(visible(text), MAX_SENTENCE_LENGTH));
  const [, before, command, after] = COMMAND.exec(shown) ?? [];
  const lines =
    before === undefined || command === undefined
      ? wrap(shown, width)
      : [...wrap(before, width), `    ${command}`, ...(after === undefined ? [] : wrap(after, width))];
  return lines.map((line) => (line === '' ? '' : paint(style, line)));
}

/** Renders sentences, of which the entries of a list have their mark before them. */
function listLines(lines: readonly Line[], paint: PaintText, width: number): readonly string[] {
  return itemMarks(lines).flatMap(({ line, mark }) => {
    const indentation = mark === '' ? 0 : mark.length + 3;
    return sentenceLines(line, paint, width - indentation).map((text, index) =>
      mark === '' ? text : `${index === 0 ? `  ${mark} ` : ' '.repeat(indentation)}${text}`,
    );
  });
}

/** Returns the mark before each sentence that is an entry of a list: `-` or its number; empty for the others. */
export function itemMarks(lines: readonly Line[]): readonly { readonly line: Line; readonly mark: string }[] {
  let number = 0;
  return lines.map((line) => {
    number = line.item === 'step' ? number + 1 : 0;
    return { line, mark: line.item === 'bullet' ? '-' : number > 0 ? `${number}.` : '' };
  });
}

function sectionLines(
  { title, description, items, total = countItems(items) }: ViewSection,
  paint: PaintText,
  width: number,
): readonly string[] {
  const widest = (texts: readonly string[], most: number) =>
    texts.reduce((width, text) => Math.max(width, Math.min(most, columns(text))), 0);
  const sign = widest(items.map(signOf), width);
  const onOneLine = items.filter((item) => 2 + sign + 1 + columns([visible(item.subject), ...remarksWithName(item)].join(', ')) <= width);
  const widths = {
    line: width,
    sign,
    subject: widest(
      onOneLine.map(({ subject }) => visible(subject)),
      MAX_SUBJECT_WIDTH,
    ),
  };
  return [
    paint('title', `${title} (${total})`),
    ...(description === undefined ? [] : indent(sentenceLines({ style: 'quiet', text: description }, paint, width - 2), 2)),
    ...items.flatMap((item) => itemLines(item, paint, widths)),
  ];
}

/** Widths of the columns of a section. */
interface Widths {
  readonly line: number;
  readonly sign: number;
  readonly subject: number;
}

/** Returns the mark of an item: a sign before a change or a name, a word before what viewers notice, which is in words. */
function signOf({ sign, word, isPhrase, facets }: ViewItem): string {
  return isPhrase && facets === undefined ? (word ?? sign) : sign;
}

/** Renders an item: sign, subject and remarks on one line if they fit, and the rest below, indented. */
function itemLines(item: ViewItem, paint: PaintText, widths: Widths): readonly string[] {
  const [width, innerWidth] = [widths.line - 2, widths.line - 6];
  const subject = pairedBackticks(cut(visible(item.subject), width - widths.sign - 1));
  const remarks = pairedBackticks(cut(visible(remarksWithName(item).join(', ')), MAX_SENTENCE_LENGTH));
  const oneLine = `${pad(subject, widths.subject)}  ${remarks}`;
  const fits = widths.sign + 1 + columns(oneLine) <= width;
  const below = [
    ...(fits || remarks === '' ? [] : wrap(remarks, innerWidth)),
    ...item.notes.flatMap((note) => sentenceLines(note, paint, innerWidth)),
    ...item.detail(paint, innerWidth),
    ...memberLines(item, innerWidth).map((line) => paint('quiet', line)),
    ...(item.grid ? tableLines(item.grid, paint, innerWidth) : []),
  ];
  return [`  ${paint(item.style, pad(signOf(item), widths.sign))} ${fits && remarks !== '' ? oneLine : subject}`, ...indent(below, 6)];
}

/** Lists the addresses of the members of an item, without the kind that its subject names. */
export function memberLines(item: ViewItem, width: number): readonly string[] {
  const { members = [], facets } = item;
  if (members.length === 0) return [];
  const prefix = facets === undefined ? '' : `${facets.kind}/`;
  const texts = members.map(({ address, remark }) => {
    const key = address.startsWith(prefix) ? address.slice(prefix.length) : address;
    return remark === undefined ? key : `${key} (${remark})`;
  });
  return wrap(pairedBackticks(visible(listOf(texts, numberOfNamed(item)))), width);
}
