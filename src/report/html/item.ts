/** One item of a section: its mark, what is said of it, its pictures, and what else there is to read. */
import type { RiskReason } from '../../model/change.ts';
import type { Diagram } from '../diagrams/model.ts';
import { html } from '../escape.ts';
import type { PaintText, ViewItem } from '../view/model.ts';
import type { Filters } from './filters.ts';
import { playlistDiffLines } from './playlist-diff.ts';
import { requestSequenceLines } from './request-sequence.ts';
import { settingsMatrixLines } from './settings-matrix.ts';
import { heatMap } from './table.ts';
import { effectMark, paragraph, renderSentence } from './text.ts';

/** Columns of a fixed-width block. */
const WIDTH = 100;

/** The lines of an item, which is the element `id`; in a long section its details are folded away. */
export function itemLines(item: ViewItem, isLong: boolean, id: string, marks: Filters['marks']): readonly string[] {
  const remarks = item.remarks.map((remark) => `<li>${renderSentence(remark)}</li>`);
  const { drawn } = item;
  const details = [
    ...(drawn?.pictures ?? []).flatMap((diagram, index) => pictureLines(diagram, `${id}-${index + 1}`)),
    ...(drawn && drawn.reasons.length > 0 ? ['<ul class="reasons">', ...drawn.reasons.map(reasonLine), '</ul>'] : []),
    ...blockOf(drawn?.detail ?? item.detail),
  ];
  return [
    `<li class="item"${marks(item.facets)}>`,
    `<div class="head">${markOf(item)} <h3 id="${id}">${renderSentence(item.subject)}</h3></div>`,
    ...(remarks.length === 0 ? [] : [`<ul class="remarks">${remarks.join('')}</ul>`]),
    ...item.notes.map(paragraph),
    ...folded(details, isLong),
    ...(item.grid ? heatMap(item.grid, id) : []),
    '</li>',
  ];
}

function pictureLines(diagram: Diagram, label: string): readonly string[] {
  switch (diagram.type) {
    case 'timeline':
      return playlistDiffLines(diagram, label);
    case 'board':
      return settingsMatrixLines(diagram, label);
    case 'steps':
      return requestSequenceLines(diagram);
  }
}

function reasonLine({ effect, text }: RiskReason): string {
  return `<li>${effectMark(effect)} ${renderSentence(text)}</li>`;
}

/** The mark in words; a sign beside it is for the eye alone. */
function markOf({ tone, sign, word }: ViewItem): string {
  const eye = word === undefined || sign === '*' ? '' : `<span aria-hidden="true">${html(sign)} </span>`;
  return `<span class="mark ${tone}">${eye}${html(word ?? sign)}</span>`;
}

/** A fixed-width block, line by line. */
function blockOf(detail: ViewItem['detail']): readonly string[] {
  const lines = detail(marked, WIDTH).map(coloured);
  return lines.length === 0 ? [] : ['<pre>', ...lines, '</pre>'];
}

function folded(lines: readonly string[], isLong: boolean): readonly string[] {
  return lines.length === 0 || !isLong ? lines : ['<details>', '<summary>Details</summary>', ...lines, '</details>'];
}

/** Control characters stand around what is painted until it is escaped: made visible, data has none. */
const marked: PaintText = (tone, text) => `\u0001${tone}\u0002${text}\u0003`;
const MARKED = /\u0001([a-z]+)\u0002([^\u0001-\u0003]*)\u0003/;

function coloured(line: string): string {
  const parts = line.split(MARKED);
  return parts
    .map((part, index) => (index % 3 === 0 ? html(part) : index % 3 === 1 ? `<span class="${part}">` : `${html(part)}</span>`))
    .join('');
}
