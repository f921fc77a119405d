/** Renders one item of a section: its mark, subject, remarks, notes, diagram and details. */
import type { RiskReason } from '../../core/model/change.ts';
import { html } from '../escape.ts';
import type { PaintText } from '../text/colors.ts';
import type { Member, ViewItem } from '../view/model.ts';
import { diagramLines } from './diagrams.ts';
import { copyTitle, effectMark, heatMap, linked, listLines, renderSentence } from './elements.ts';
import type { Filters } from './filters.ts';

/** Width of a fixed-width block, columns. */
const BLOCK_WIDTH = 100;

/** Maximum number of lines of a fixed-width block that is never collapsed. */
const MAX_SHORT_LINES = 3;
/** Maximum number of lines of the fields of a change that are not collapsed. */
const MAX_OPEN_LINES = 12;
/** Maximum number of members that are listed without a click. */
const MAX_OPEN_MEMBERS = 12;
/** Maximum number of members of which each has its details. */
const MAX_DETAILED_MEMBERS = 500;

/**
 * Renders an item. `id` becomes the ID of its title, unless it has an anchor of its own. In a long section details of more than a few lines
 * are collapsed.
 */
export function itemLines(item: ViewItem, isLong: boolean, id: string, attributesOf: Filters['attributesOf']): readonly string[] {
  const remarks = item.remarks.map((remark) => `<li>${renderSentence(remark)}</li>`);
  const { diagram, facets, members = [] } = item;
  const [first, ...notes] = item.notes;
  // What a finding says comes before its place.
  const headline = first?.style === 'title' ? first : undefined;
  const headingId = item.anchor ?? id;
  const block = item.folded === undefined ? detailBlock(diagram?.detail ?? item.detail) : oneLineBlock(item.detail);
  const lines = Math.max(0, block.length - 2);
  const isFolded = isLong && (diagram !== undefined || lines > MAX_SHORT_LINES);
  const isBlockFolded =
    item.folded === undefined ? facets !== undefined && lines > MAX_OPEN_LINES : block.join('').length > MAX_SHORT_LINES * BLOCK_WIDTH;
  const summary = item.folded ?? 'Details';
  const details = [
    ...(diagram ? diagramLines(diagram.layout, `${id}-1`) : []),
    ...(diagram && diagram.reasons.length > 0 ? ['<ul class="reasons">', ...diagram.reasons.map(reasonLine), '</ul>'] : []),
    ...(isBlockFolded && !isFolded ? collapsed(summary, block) : block),
  ];
  return [
    `<li class="item"${attributesOf(facets, Math.max(1, members.length))}>`,
    `<div class="head">${itemMark(item)} <h3 id="${headingId}">${headline ? renderSentence(headline.text) : title(item)}</h3>${headline ? ` <span class="source">${title(item)}</span>` : kindAndSource(item)}</div>`,
    ...(remarks.length === 0 ? [] : [`<ul class="remarks">${remarks.join('')}</ul>`]),
    ...listLines(headline ? notes : item.notes),
    ...(isFolded ? collapsed(summary, details) : details),
    ...memberLines(members),
    ...(item.grid ? heatMap(item.grid, headingId) : []),
    '</li>',
  ];
}

function title({ subject, name, anchor, href }: Pick<ViewItem, 'subject' | 'name' | 'anchor' | 'href'>): string {
  if (href !== undefined) return linked({ text: subject, href });
  const text = name ?? subject;
  const address = copyTitle(subject, text);
  if (anchor !== undefined) return `<a href="#${anchor}"${address}>${renderSentence(text)}</a>`;
  return address === '' ? renderSentence(text) : `<span class="named"${address}>${renderSentence(text)}</span>`;
}

/** Renders the kind of a change, which its name does not say, and where it is declared. */
function kindAndSource({ subject, name, facets, source }: ViewItem): string {
  const kind = facets && name !== undefined && name !== subject ? ` <span class="kind">${html(facets.kind)}</span>` : '';
  return `${kind}${source ? ` <span class="source">${linked(source)}</span>` : ''}`;
}

function memberLines(members: readonly Member[]): readonly string[] {
  if (members.length === 0) return [];
  const hasDetails = members.length <= MAX_DETAILED_MEMBERS;
  const lines = members.flatMap(({ address, name, anchor, source, remark, detail }) => [
    `<li${anchor === undefined ? '' : ` id="${anchor}"`}>${title({ subject: address, ...(name === undefined ? {} : { name }), ...(anchor === undefined ? {} : { anchor }) })}${remark === undefined ? '' : `, ${renderSentence(remark)}`}${source ? ` <span class="source">${linked(source)}</span>` : ''}`,
    ...(hasDetails ? memberDetail(detailBlock(detail)) : []),
    '</li>',
  ]);
  const list = ['<ul class="members">', ...lines, '</ul>'];
  return members.length > MAX_OPEN_MEMBERS ? collapsed(`Show all ${members.length}`, list) : list;
}

function memberDetail(block: readonly string[]): readonly string[] {
  return block.length - 2 > MAX_SHORT_LINES ? collapsed('Details', block) : block;
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

/** Renders a detail of one long line, which the browser breaks where its window ends. */
function oneLineBlock(detail: ViewItem['detail']): readonly string[] {
  const text = detail(paintWithMarkers, BLOCK_WIDTH).join('');
  return text === '' ? [] : ['<pre>', renderPainted(text), '</pre>'];
}

/** Collapses lines below a headline, which is HTML. */
export function collapsed(headline: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['<details>', `<summary>${headline}</summary>`, ...lines, '</details>'];
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
