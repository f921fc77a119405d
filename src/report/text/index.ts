import type { Renderer } from '../document.ts';
import { finish, visible } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import { countItems, type Line, remarksWithName, sectionsToShow, type View, type ViewItem, type ViewSection } from '../view/model.ts';
import { type PaintText, painter } from './colors.ts';
import { columns, cut, indent, pad, wrap } from './layout.ts';
import { tableLines } from './table.ts';

/** Minimum width that is assumed, columns. */
const MIN_WIDTH = 60;
/** Maximum width to which subjects are padded so that their remarks are aligned, columns. */
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
  const sentences = (lines: readonly Line[]) => lines.flatMap((line) => sentenceLines(line, paint, width));
  const blocks = [
    sentences([...verdictLines(view), { style: 'title', text: fullTitle(view) }, ...view.opening]),
    ...sectionsToShow(view, 'text').map((section) => sectionLines(section, paint, width)),
    sentences(view.closing),
  ];
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index > 0 ? ['', ...block] : block));
}

/** Returns the headline of the verdict and its sentences. */
export function verdictLines({ verdict }: View): readonly Line[] {
  return verdict ? [{ style: verdict.style, text: `${verdict.headline}.` }, ...verdict.lines] : [];
}

/** Returns the title of a view with the commit from which it was made. */
export function fullTitle({ title, revision = '' }: View): string {
  return title + revision;
}

function sentenceLines({ style, text, verbatim }: Line, paint: PaintText, width: number): readonly string[] {
  if (verbatim) return [paint(style, visible(text))];
  return wrap(cut(visible(text), MAX_SENTENCE_LENGTH), width).map((line) => (line === '' ? '' : paint(style, line)));
}

function sectionLines({ title, description, items }: ViewSection, paint: PaintText, width: number): readonly string[] {
  const widest = (texts: readonly string[], max: number) => texts.reduce((most, text) => Math.max(most, Math.min(max, columns(text))), 0);
  const widths = {
    line: width,
    sign: widest(
      items.map((item) => item.sign),
      width,
    ),
    subject: widest(
      items.map((item) => visible(item.subject)),
      MAX_SUBJECT_WIDTH,
    ),
  };
  return [
    paint('title', `${title} (${countItems(items)})`),
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

/** Renders an item: sign, subject and remarks on one line if they fit, and the rest below, indented. */
function itemLines(item: ViewItem, paint: PaintText, widths: Widths): readonly string[] {
  const [width, innerWidth] = [widths.line - 2, widths.line - 6];
  const subject = cut(visible(item.subject), width - widths.sign - 1);
  const remarks = cut(visible(remarksWithName(item).join(', ')), MAX_SENTENCE_LENGTH);
  const oneLine = `${pad(subject, widths.subject)}  ${remarks}`;
  const fits = widths.sign + 1 + columns(oneLine) <= width;
  const below = [
    ...(fits || remarks === '' ? [] : wrap(remarks, innerWidth)),
    ...item.notes.flatMap((note) => sentenceLines(note, paint, innerWidth)),
    ...item.detail(paint, innerWidth),
    ...memberLines(item, innerWidth).map((line) => paint('quiet', line)),
    ...(item.grid ? tableLines(item.grid, paint, innerWidth) : []),
  ];
  return [`  ${paint(item.style, pad(item.sign, widths.sign))} ${fits && remarks !== '' ? oneLine : subject}`, ...indent(below, 6)];
}

/** Maximum number of members of an item that are named. */
const MAX_MEMBERS = 200;

/** Lists the addresses of the members of an item, without the kind that its subject names. */
function memberLines({ members = [], facets }: ViewItem, width: number): readonly string[] {
  if (members.length === 0) return [];
  const prefix = facets === undefined ? '' : `${facets.kind}/`;
  const keys = members.map(({ address }) => (address.startsWith(prefix) ? address.slice(prefix.length) : address));
  const more = keys.length > MAX_MEMBERS ? ` and ${keys.length - MAX_MEMBERS} more, in the JSON document` : '';
  return wrap(visible(`${keys.slice(0, MAX_MEMBERS).join(', ')}${more}`), width);
}
