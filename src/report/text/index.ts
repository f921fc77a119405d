import type { Renderer } from '../document.ts';
import { finish, visible } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import { type Line, sectionsOf, type View, type ViewItem, type ViewSection } from '../view/model.ts';
import { type PaintText, painter } from './colors.ts';
import { columns, cut, indent, pad, wrap } from './layout.ts';
import { tableLines } from './table.ts';

/** Columns that are assumed at least. */
const NARROWEST = 60;
/** Columns up to which subjects are aligned with one another. */
const WIDEST_SUBJECT = 44;
/** Characters of a sentence that are shown; our own are shorter. */
const LONGEST_SENTENCE = 1_000;

/** Text for a terminal or the log of a CI job. */
export const renderText: Renderer = (documents, options) => {
  const paint = painter(options.color);
  const width = Math.max(NARROWEST, options.width);
  return finish(
    documents.flatMap((document, index) => [...(index > 0 ? [''] : []), ...pageLines(viewOf(document, options), paint, width)]),
  );
};

function pageLines(view: View, paint: PaintText, width: number): readonly string[] {
  const blocks = [
    [...said({ style: 'title', text: view.title }, paint, width), ...view.opening.flatMap((statement) => said(statement, paint, width))],
    ...sectionsOf(view, 'text').map((section) => sectionLines(section, paint, width)),
    view.closing.flatMap((statement) => said(statement, paint, width)),
  ];
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index > 0 ? ['', ...block] : block));
}

/** A sentence over as many lines as it takes. */
function said({ style, text, verbatim }: Line, paint: PaintText, room: number): readonly string[] {
  if (verbatim) return [paint(style, visible(text))];
  return wrap(cut(visible(text), LONGEST_SENTENCE), room).map((line) => (line === '' ? '' : paint(style, line)));
}

function sectionLines(section: ViewSection, paint: PaintText, width: number): readonly string[] {
  const about = section.description === undefined ? [] : indent(said({ style: 'quiet', text: section.description }, paint, width - 2), 2);
  const widest = (texts: readonly string[], most: number) => texts.reduce((sum, text) => Math.max(sum, Math.min(most, columns(text))), 0);
  const signs = widest(
    section.items.map((item) => item.sign),
    width,
  );
  const subjects = widest(
    section.items.map((item) => visible(item.subject)),
    WIDEST_SUBJECT,
  );
  return [
    paint('title', `${section.title} (${section.items.length})`),
    ...about,
    ...section.items.flatMap((item) => itemLines(item, signs, subjects, paint, width)),
  ];
}

/** An item below the title of its section, and what is said of it below that. */
function itemLines(item: ViewItem, signs: number, subjects: number, paint: PaintText, width: number): readonly string[] {
  const [room, inner] = [width - 2, width - 6];
  const subject = cut(visible(item.subject), room - signs - 1);
  const remarks = cut(visible(item.remarks.join(', ')), LONGEST_SENTENCE);
  const oneLine = `${pad(subject, subjects)}  ${remarks}`;
  const fits = signs + 1 + columns(oneLine) <= room;
  const below = [
    ...(fits || remarks === '' ? [] : wrap(remarks, inner)),
    ...item.notes.flatMap((note) => said(note, paint, inner)),
    ...item.detail(paint, inner),
    ...(item.grid ? tableLines(item.grid, paint, inner) : []),
  ];
  return [`  ${paint(item.style, pad(item.sign, signs))} ${fits && remarks !== '' ? oneLine : subject}`, ...indent(below, 6)];
}
