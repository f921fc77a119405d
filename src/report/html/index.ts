/**
 * Renders documents as one HTML file that loads nothing else. Text of the data is between tags, and escaped in `title` attributes; a link
 * leads to a part of the page or to an https address of plain characters.
 */
import type { Renderer } from '../document.ts';
import { html } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import { count } from '../view/labels.ts';
import {
  countItems,
  type Line,
  noDetail,
  sectionsToShow,
  type Tile,
  type Totals,
  type Verdict,
  type View,
  type ViewSection,
} from '../view/model.ts';
import { renderAccount } from './account.ts';
import { linked, listLines, paragraph, renderSentence, scrollingTable } from './elements.ts';
import { type Filters, filtersOf, SCRIPT } from './filters.ts';
import { collapsed, itemLines } from './item.ts';
import { htmlPage } from './page.ts';
import { STYLE } from './style.ts';

/** Maximum number of items of a section whose details are not collapsed. */
const MAX_EXPANDED_ITEMS = 25;
/** Maximum number of items in one list: a browser lays out a long section list by list, as the reader scrolls. */
const MAX_LIST_LENGTH = 50;

/** Renders documents as HTML for people: a pull request's artifact, an attachment, a printout. An exported account is a page of its own. */
export const renderHtml: Renderer = (documents, options) => {
  const [account] = documents.flatMap((document) => (document.type === 'export' && document.account ? document.account : []));
  if (account) return renderAccount(account);
  const views = documents.map((document) => viewOf(document, options));
  return htmlPage(
    views.map(({ title }) => title).join('; '),
    STYLE,
    SCRIPT,
    views.flatMap((view, index) => pageLines(view, `r${index + 1}`)),
  );
};

/** Renders the page of a document: quiet sentences are moved to the footer. */
function pageLines(view: View, id: string): readonly string[] {
  const sections = sectionsToShow(view, 'html');
  const filters = filtersOf(view);
  const isFootnote = ({ style }: Line) => style === 'quiet';
  const footnotes = view.closing.filter(isFootnote);
  return [
    `<article aria-labelledby="${id}">`,
    '<header>',
    `<h1 id="${id}">${renderSentence(view.title)}</h1>`,
    ...(view.facts && view.facts.length > 0
      ? [`<ul class="facts">${view.facts.map((fact) => `<li>${linked(fact)}</li>`).join('')}</ul>`]
      : []),
    ...(view.verdict ? verdictLines(view.verdict) : []),
    ...[...view.opening, ...view.closing.filter((line) => !isFootnote(line))].map(paragraph),
    '</header>',
    ...(sections.length > 1 ? contentsLines(sections, id) : []),
    ...filters.form(`${id}-0-0`),
    ...sections.flatMap((section, index) => sectionLines(section, `${id}-${index + 1}`, filters.attributesOf)),
    ...(view.totals ? totalsLines(view.totals, `${id}-0`) : []),
    ...(footnotes.length > 0 ? ['<footer>', ...footnotes.map(paragraph), '</footer>'] : []),
    '</article>',
  ];
}

/** Renders the verdict. On a phone the style sheet moves how it goes on to the first screen, before the effects. */
function verdictLines({ style, headline, lines, next = [] }: Verdict): readonly string[] {
  return [
    `<div class="verdict ${style}">`,
    `<p class="headline">${renderSentence(headline)}</p>`,
    ...divided('effects', listLines(lines)),
    ...divided('next', listLines(next)),
    '</div>',
  ];
}

function divided(className: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`<div class="${className}">`, ...lines, '</div>'];
}

/** Renders the totals of a document as tiles, and by kind as a table. `id` becomes the ID of the heading. */
function totalsLines({ note, groups, columns, rows }: Totals, id: string): readonly string[] {
  return [
    `<section class="totals" aria-labelledby="${id}">`,
    `<h2 id="${id}">In numbers</h2>`,
    `<p class="quiet">${renderSentence(note)}</p>`,
    '<div class="groups">',
    ...groups.map(
      ({ title, tiles }, index) =>
        `<div class="group"><h3 id="${id}-${index + 1}">${html(title)}</h3><ul aria-labelledby="${id}-${index + 1}">${tiles.map(tileItem).join('')}</ul></div>`,
    ),
    ...(rows.length === 0 ? [] : kindTableLines(columns, rows, `${id}-0`)),
    '</div>',
    '</section>',
  ];
}

function tileItem({ style, sign, count, label }: Tile): string {
  return `<li class="tile ${count === 0 ? 'quiet' : style}"><span class="sign" aria-hidden="true">${html(sign)}</span><b>${count}</b> ${html(label)}</li>`;
}

function kindTableLines(columns: Totals['columns'], rows: Totals['rows'], id: string): readonly string[] {
  const cell = (count: number, index: number) =>
    `<td${count === 0 ? ' class="quiet"' : ''}><span class="column" aria-hidden="true">${html(columns[index] ?? '')}</span> ${count}</td>`;
  const lines = rows.map(({ name, counts }) => `<tr><th scope="row">${html(name)}</th>${counts.map(cell).join('')}</tr>`);
  return [`<div class="group kinds"><h3 id="${id}">By kind</h3>`, ...scrollingTable(id, ['Kind', ...columns], lines, 'counts'), '</div>'];
}

function contentsLines(sections: readonly ViewSection[], id: string): readonly string[] {
  const entry = ({ title, items }: ViewSection, index: number) =>
    `<li><a href="#${id}-${index + 1}">${renderSentence(title)} <span class="count">${countItems(items)}</span></a></li>`;
  return ['<nav aria-label="Parts of the report">', '<ul>', ...sections.map(entry), '</ul>', '</nav>'];
}

function sectionLines(section: ViewSection, id: string, attributesOf: Filters['attributesOf']): readonly string[] {
  const { title, description, items, unfolded } = section;
  const isLong = items.length > MAX_EXPANDED_ITEMS;
  const [number, total] = [items.length, countItems(items)];
  const grouped = number === total ? [] : [`${total} in ${count(number, 'card')}: equal and similar ones share one.`];
  const sentences = [...(description === undefined ? [] : [description]), ...grouped];
  const isBrief = items.every(({ detail, grid, facets }) => detail === noDetail && !grid && !facets);
  const lists = Array.from({ length: Math.ceil(items.length / MAX_LIST_LENGTH) }, (_, list) => {
    const first = list * MAX_LIST_LENGTH;
    return items
      .slice(first, first + MAX_LIST_LENGTH)
      .flatMap((item, index) => itemLines(item, isLong, `${id}-${first + index + 1}`, attributesOf));
  });
  const listed = lists.flatMap((lines) => [`<ul class="items${isLong ? ' long' : ''}">`, ...lines, '</ul>']);
  return [
    `<section class="part${isBrief ? ' brief' : ''}" aria-labelledby="${id}">`,
    `<h2 id="${id}">${renderSentence(title)} <span class="count">${total}</span></h2>`,
    ...(sentences.length === 0 ? [] : [`<p class="quiet">${renderSentence(sentences.join(' '))}</p>`]),
    ...(unfolded === 0 ? collapsed('Show them', listed) : listed),
    '</section>',
  ];
}
