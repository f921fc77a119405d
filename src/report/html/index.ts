/**
 * One HTML file that needs nothing else: no network, no script but our own, and no text of the data in a tag, an attribute or an address.
 */
import type { Renderer } from '../document.ts';
import { finish, htmlText } from '../escape.ts';
import { viewOf } from '../view/index.ts';
import { type Line, sectionsOf, type View, type ViewSection } from '../view/model.ts';
import { type Filters, filtersOf } from './filters.ts';
import { itemLines } from './item.ts';
import { SCRIPT, SCRIPT_SOURCE } from './script.ts';
import { STYLE, STYLE_SOURCE } from './style.ts';
import { overviewLines } from './summary.ts';
import { paragraph, renderSentence, sentenceOf } from './text.ts';

/** Items beyond which the details of a section are folded away. */
const MOST_OPEN = 25;
/** Items of one list: a browser lays out a long section list by list, as the reader comes to them. */
const LONGEST_LIST = 50;

/** The content security policy: the browser loads and sends nothing, and runs only the style and script in the file. */
const POLICY = `default-src 'none'; style-src '${STYLE_SOURCE}'; script-src '${SCRIPT_SOURCE}'; base-uri 'none'; form-action 'none'`;

/** HTML for people: a pull request's artifact, an attachment, a printout. */
export const renderHtml: Renderer = (documents, options) => {
  const pages = documents.map((document) => viewOf(document, options));
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
    ...pages.flatMap((view, index) => pageLines(view, `r${index + 1}`)),
    '</main>',
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
  ]);
};

/** What the whole comes to stands first; what is said in passing, last. */
function pageLines(view: View, id: string): readonly string[] {
  const sections = sectionsOf(view, 'pictures');
  const filters = filtersOf(view);
  const isPassing = ({ tone }: Line) => tone === 'quiet';
  const passing = view.closing.filter(isPassing);
  return [
    `<article aria-labelledby="${id}">`,
    '<header>',
    `<h1 id="${id}">${renderSentence(view.title)}</h1>`,
    ...[...view.opening, ...view.closing.filter((statement) => !isPassing(statement))].map(paragraph),
    '</header>',
    ...(view.overview ? overviewLines(view.overview, `${id}-0`) : []),
    ...(sections.length > 1 ? contents(sections, id) : []),
    ...filters.form(`${id}-0-0`),
    ...sections.flatMap((section, index) => sectionLines(section, `${id}-${index + 1}`, filters.marks)),
    ...(passing.length > 0 ? ['<footer>', ...passing.map(paragraph), '</footer>'] : []),
    '</article>',
  ];
}

function contents(sections: readonly ViewSection[], id: string): readonly string[] {
  const entry = ({ title, items }: ViewSection, index: number) =>
    `<li><a href="#${id}-${index + 1}">${renderSentence(title)} <span class="count">${items.length}</span></a></li>`;
  return ['<nav aria-label="Parts of the report">', '<ul>', ...sections.map(entry), '</ul>', '</nav>'];
}

function sectionLines(section: ViewSection, id: string, marks: Filters['marks']): readonly string[] {
  const { title, about, items } = section;
  const isLong = items.length > MOST_OPEN;
  const lists = Array.from({ length: Math.ceil(items.length / LONGEST_LIST) }, (_, list) => {
    const first = list * LONGEST_LIST;
    return items.slice(first, first + LONGEST_LIST).flatMap((item, index) => itemLines(item, isLong, `${id}-${first + index + 1}`, marks));
  });
  return [
    `<section class="part" aria-labelledby="${id}">`,
    `<h2 id="${id}">${renderSentence(title)} <span class="count">${items.length}</span></h2>`,
    ...(about === undefined ? [] : [`<p class="quiet">${renderSentence(about)}</p>`]),
    ...lists.flatMap((lines) => [`<ul class="items${isLong ? ' long' : ''}">`, ...lines, '</ul>']),
    '</section>',
  ];
}
