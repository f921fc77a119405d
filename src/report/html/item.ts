/** Renders one item of a section: its mark, subject, remarks, notes, diagram and details. */
import type { RiskReason } from '../../model/change.ts';
import { html } from '../escape.ts';
import type { PaintText } from '../text/colors.ts';
import type { ViewItem } from '../view/model.ts';
import { diagramLines } from './diagrams.ts';
import { effectMark, heatMap, paragraph, renderSentence } from './elements.ts';
import type { Filters } from './filters.ts';

/** Width of a fixed-width block, columns. */
const BLOCK_WIDTH = 100;

/** Renders an item. `id` becomes the ID of its title. In a long section its details are collapsed. */
export function itemLines(item: ViewItem, isLong: boolean, id: string, attributesOf: Filters['attributesOf']): readonly string[] {
  const remarks = item.remarks.map((remark) => `<li>${renderSentence(remark)}</li>`);
  const { diagram } = item;
  const details = [
    ...(diagram ? diagramLines(diagram.layout, `${id}-1`) : []),
    ...(diagram && diagram.reasons.length > 0 ? ['<ul class="reasons">', ...diagram.reasons.map(reasonLine), '</ul>'] : []),
    ...detailBlock(diagram?.detail ?? item.detail),
  ];
  return [
    `<li class="item"${attributesOf(item.facets)}>`,
    `<div class="head">${itemMark(item)} <h3 id="${id}">${renderSentence(item.subject)}</h3></div>`,
    ...(remarks.length === 0 ? [] : [`<ul class="remarks">${remarks.join('')}</ul>`]),
    ...item.notes.map(paragraph),
    ...(isLong ? collapsed(details) : details),
    ...(item.grid ? heatMap(item.grid, id) : []),
    '</li>',
  ];
}

function reasonLine({ effect, text }: RiskReason): string {
  return `<li>${effectMark(effect)} ${renderSentence(text)}</li>`;
}

/** Renders the mark of an item as a word; screen readers do not read the sign beside it. */
function itemMark({ style, sign, word }: ViewItem): string {
  const visibleSign = word === undefined || sign === '*' ? '' : `<span aria-hidden="true">${html(sign)} </span>`;
  return `<span class="mark ${style}">${visibleSign}${html(word ?? sign)}</span>`;
}

function detailBlock(detail: ViewItem['detail']): readonly string[] {
  const lines = detail(paintWithMarkers, BLOCK_WIDTH).map(renderPainted);
  return lines.length === 0 ? [] : ['<pre>', ...lines, '</pre>'];
}

function collapsed(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['<details>', '<summary>Details</summary>', ...lines, '</details>'];
}

/** Encloses painted text in control characters until it is escaped; the data itself has none, since `visible` replaces them. */
const paintWithMarkers: PaintText = (style, text) => `\u0001${style}\u0002${text}\u0003`;
const PAINTED = /\u0001([a-z]+)\u0002([^\u0001-\u0003]*)\u0003/;

function renderPainted(line: string): string {
  const parts = line.split(PAINTED);
  return parts
    .map((part, index) => (index % 3 === 0 ? html(part) : index % 3 === 1 ? `<span class="${part}">` : `${html(part)}</span>`))
    .join('');
}
