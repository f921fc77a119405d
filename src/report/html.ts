/** One HTML file that needs nothing else: no network, no script, and no text of the data in a tag, an attribute or an address. */
import type { Renderer } from './document.ts';
import { finish, html, htmlText } from './escape.ts';
import { STYLE, STYLE_SOURCE } from './html-style.ts';
import { heatMap } from './html-table.ts';
import { cut } from './layout.ts';
import { type Item, type Page, type Paint, type Section, type Statement, sectionsOf } from './page.ts';
import { pageOf } from './pages.ts';

/** Columns of a fixed-width block. */
const WIDTH = 100;
/** Items beyond which the details of a section are folded away. */
const MOST_OPEN = 25;
/** Characters of a sentence that are shown; our own are shorter. */
const LONGEST_SENTENCE = 1_000;

/** Tells the browser to load nothing, run nothing and send nothing: only the style that stands in the file is applied. */
const POLICY = `default-src 'none'; style-src '${STYLE_SOURCE}'; base-uri 'none'; form-action 'none'`;

/** HTML for people: a pull request's artifact, an attachment, a printout. */
export const renderHtml: Renderer = (documents, options) => {
  const pages = documents.map((document) => pageOf(document, options));
  return finish([
    '<!doctype html>',
    '<html lang="en" dir="ltr">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${htmlText(cut(pages.map(({ title }) => title).join('; '), LONGEST_SENTENCE)) || 'upkeep'}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...pages.flatMap((page, index) => pageLines(page, `r${index + 1}`)),
    '</main>',
    '</body>',
    '</html>',
  ]);
};

/** What the whole comes to stands first; what is said in passing, last. */
function pageLines(page: Page, id: string): readonly string[] {
  const sections = sectionsOf(page, 'pictures');
  const isPassing = ({ tone }: Statement) => tone === 'quiet';
  const passing = page.closing.filter(isPassing);
  return [
    `<article aria-labelledby="${id}">`,
    '<header>',
    `<h1 id="${id}">${said(page.title)}</h1>`,
    ...[...page.opening, ...page.closing.filter((statement) => !isPassing(statement))].map(paragraph),
    '</header>',
    ...(sections.length > 1 ? contents(sections, id) : []),
    ...sections.flatMap((section, index) => sectionLines(section, `${id}-${index + 1}`)),
    ...(passing.length > 0 ? ['<footer>', ...passing.map(paragraph), '</footer>'] : []),
    '</article>',
  ];
}

function said(text: string): string {
  return html(cut(text, LONGEST_SENTENCE));
}

function paragraph({ tone, text, whole }: Statement): string {
  return `<p class="${tone}">${whole ? html(text) : said(text)}</p>`;
}

function contents(sections: readonly Section[], id: string): readonly string[] {
  const entry = ({ title, items }: Section, index: number) =>
    `<li><a href="#${id}-${index + 1}">${said(title)} <span class="count">${items.length}</span></a></li>`;
  return ['<nav aria-label="Parts of the report">', '<ul>', ...sections.map(entry), '</ul>', '</nav>'];
}

function sectionLines(section: Section, id: string): readonly string[] {
  const { title, about, items } = section;
  const isLong = items.length > MOST_OPEN;
  return [
    `<section aria-labelledby="${id}">`,
    `<h2 id="${id}">${said(title)} <span class="count">${items.length}</span></h2>`,
    ...(about === undefined ? [] : [`<p class="quiet">${said(about)}</p>`]),
    '<ul class="items">',
    ...items.flatMap((item, index) => itemLines(item, isLong, `${id}-${index + 1}`)),
    '</ul>',
    '</section>',
  ];
}

function itemLines(item: Item, isLong: boolean, id: string): readonly string[] {
  const remarks = item.remarks.map((remark) => `<li>${said(remark)}</li>`);
  return [
    `<li class="item">`,
    `<div class="head">${markOf(item)} <h3 id="${id}">${said(item.subject)}</h3></div>`,
    ...(remarks.length === 0 ? [] : [`<ul class="remarks">${remarks.join('')}</ul>`]),
    ...item.notes.map(paragraph),
    ...folded(blockOf(item), isLong),
    ...(item.grid ? heatMap(item.grid, id) : []),
    '</li>',
  ];
}

/** The mark in words; a sign beside it is for the eye alone. */
function markOf({ tone, sign, word }: Item): string {
  const eye = word === undefined || sign === '*' ? '' : `<span aria-hidden="true">${html(sign)} </span>`;
  return `<span class="mark ${tone}">${eye}${html(word ?? sign)}</span>`;
}

/** The fixed-width block of an item, line by line. */
function blockOf(item: Item): readonly string[] {
  const lines = item.detail(marked, WIDTH).map(coloured);
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
