/** One HTML file that needs nothing else: no network, no script but our own, and no text of the data in a tag, an attribute or an address. */
import type { Renderer } from './document.ts';
import { finish, htmlText } from './escape.ts';
import { type Filters, filtersOf } from './html-filters.ts';
import { itemLines } from './html-item.ts';
import { overviewLines } from './html-overview.ts';
import { SCRIPT, SCRIPT_SOURCE } from './html-script.ts';
import { STYLE, STYLE_SOURCE } from './html-style.ts';
import { paragraph, said, sentenceOf } from './html-text.ts';
import { type Page, type Section, type Statement, sectionsOf } from './page.ts';
import { pageOf } from './pages.ts';

/** Items beyond which the details of a section are folded away. */
const MOST_OPEN = 25;
/** Items of one list: a browser lays out a long section list by list, as the reader comes to them. */
const LONGEST_LIST = 50;

/** Tells the browser to load nothing and send nothing: only the style and the script that stand in the file are for it. */
const POLICY = `default-src 'none'; style-src '${STYLE_SOURCE}'; script-src '${SCRIPT_SOURCE}'; base-uri 'none'; form-action 'none'`;

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
    `<title>${htmlText(sentenceOf(pages.map(({ title }) => title).join('; '))) || 'upkeep'}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...pages.flatMap((page, index) => pageLines(page, `r${index + 1}`)),
    '</main>',
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
  ]);
};

/** What the whole comes to stands first; what is said in passing, last. */
function pageLines(page: Page, id: string): readonly string[] {
  const sections = sectionsOf(page, 'pictures');
  const filters = filtersOf(page);
  const isPassing = ({ tone }: Statement) => tone === 'quiet';
  const passing = page.closing.filter(isPassing);
  return [
    `<article aria-labelledby="${id}">`,
    '<header>',
    `<h1 id="${id}">${said(page.title)}</h1>`,
    ...[...page.opening, ...page.closing.filter((statement) => !isPassing(statement))].map(paragraph),
    '</header>',
    ...(page.overview ? overviewLines(page.overview, `${id}-0`) : []),
    ...(sections.length > 1 ? contents(sections, id) : []),
    ...filters.form(`${id}-0-0`),
    ...sections.flatMap((section, index) => sectionLines(section, `${id}-${index + 1}`, filters.marks)),
    ...(passing.length > 0 ? ['<footer>', ...passing.map(paragraph), '</footer>'] : []),
    '</article>',
  ];
}

function contents(sections: readonly Section[], id: string): readonly string[] {
  const entry = ({ title, items }: Section, index: number) =>
    `<li><a href="#${id}-${index + 1}">${said(title)} <span class="count">${items.length}</span></a></li>`;
  return ['<nav aria-label="Parts of the report">', '<ul>', ...sections.map(entry), '</ul>', '</nav>'];
}

function sectionLines(section: Section, id: string, marks: Filters['marks']): readonly string[] {
  const { title, about, items } = section;
  const isLong = items.length > MOST_OPEN;
  const lists = Array.from({ length: Math.ceil(items.length / LONGEST_LIST) }, (_, list) => {
    const first = list * LONGEST_LIST;
    return items.slice(first, first + LONGEST_LIST).flatMap((item, index) => itemLines(item, isLong, `${id}-${first + index + 1}`, marks));
  });
  return [
    `<section class="part" aria-labelledby="${id}">`,
    `<h2 id="${id}">${said(title)} <span class="count">${items.length}</span></h2>`,
    ...(about === undefined ? [] : [`<p class="quiet">${said(about)}</p>`]),
    ...lists.flatMap((lines) => [`<ul class="items${isLong ? ' long' : ''}">`, ...lines, '</ul>']),
    '</section>',
  ];
}
