/** One item of a section: its mark, what is said of it, its pictures, and what else there is to read. */
import type { Reason } from '../model/change.ts';
import { html } from './escape.ts';
import { boardLines } from './html-board.ts';
import type { Filters } from './html-filters.ts';
import { stepsLines } from './html-steps.ts';
import { heatMap } from './html-table.ts';
import { effectMark, paragraph, said } from './html-text.ts';
import { timelineLines } from './html-timeline.ts';
import type { Item, Paint } from './page.ts';
import type { Picture } from './picture.ts';

/** Columns of a fixed-width block. */
const WIDTH = 100;

/** The lines of an item, which is the element `id`; in a long section its details are folded away. */
export function itemLines(item: Item, isLong: boolean, id: string, marks: Filters['marks']): readonly string[] {
  const remarks = item.remarks.map((remark) => `<li>${said(remark)}</li>`);
  const { drawn } = item;
  const details = [
    ...(drawn?.pictures ?? []).flatMap((picture, index) => pictureLines(picture, `${id}-${index + 1}`)),
    ...(drawn && drawn.reasons.length > 0 ? ['<ul class="reasons">', ...drawn.reasons.map(reasonLine), '</ul>'] : []),
    ...blockOf(drawn?.detail ?? item.detail),
  ];
  return [
    `<li class="item"${marks(item.facets)}>`,
    `<div class="head">${markOf(item)} <h3 id="${id}">${said(item.subject)}</h3></div>`,
    ...(remarks.length === 0 ? [] : [`<ul class="remarks">${remarks.join('')}</ul>`]),
    ...item.notes.map(paragraph),
    ...folded(details, isLong),
    ...(item.grid ? heatMap(item.grid, id) : []),
    '</li>',
  ];
}

function pictureLines(picture: Picture, label: string): readonly string[] {
  switch (picture.type) {
    case 'timeline':
      return timelineLines(picture, label);
    case 'board':
      return boardLines(picture, label);
    case 'steps':
      return stepsLines(picture);
  }
}

function reasonLine({ effect, text }: Reason): string {
  return `<li>${effectMark(effect)} ${said(text)}</li>`;
}

/** The mark in words; a sign beside it is for the eye alone. */
function markOf({ tone, sign, word }: Item): string {
  const eye = word === undefined || sign === '*' ? '' : `<span aria-hidden="true">${html(sign)} </span>`;
  return `<span class="mark ${tone}">${eye}${html(word ?? sign)}</span>`;
}

/** A fixed-width block, line by line. */
function blockOf(detail: Item['detail']): readonly string[] {
  const lines = detail(marked, WIDTH).map(coloured);
  return lines.length === 0 ? [] : ['<pre>', ...lines, '</pre>'];
}

function folded(lines: readonly string[], isLong: boolean): readonly string[] {
  return lines.length === 0 || !isLong ? lines : ['<details>', '<summary>Details</summary>', ...lines, '</details>'];
}

/** Control characters stand around what is painted until it is escaped: made visible, data has none. */
const marked: Paint = (tone, text) => `\u0001${tone}\u0002${text}\u0003`;
const MARKED = /\u0001([a-z]+)\u0002([^\u0001-\u0003]*)\u0003/;

function coloured(line: string): string {
  const parts = line.split(MARKED);
  return parts
    .map((part, index) => (index % 3 === 0 ? html(part) : index % 3 === 1 ? `<span class="${part}">` : `${html(part)}</span>`))
    .join('');
}
