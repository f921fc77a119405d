/** HTML of sentences, marks and tables. */
import type { Effect } from '../../core/model/change.ts';
import { html, htmlText } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { ADDRESS, decodedName } from '../view/address-name.ts';
import type { Cell, Grid, Line, Link, Word } from '../view/model.ts';

/** Maximum length of a sentence, characters; the program's own sentences are shorter. */
const MAX_SENTENCE_LENGTH = 1_000;

/** Cuts a text to the length of a sentence. Does not escape it. */
export function cutSentence(text: string): string {
  return cut(text, MAX_SENTENCE_LENGTH);
}

/** Renders a sentence, cut to its maximum length; what is in backticks becomes code. */
export function renderSentence(text: string): string {
  return renderWithCode(cutSentence(text));
}

function renderWithCode(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 0 ? withNames(part) : renderCode(part)))
    .join('');
}

function renderCode(code: string): string {
  if (code.startsWith('--')) return `<code class="flag">${html(code)}</code>`;
  return `<code>${html(code).replace(/(?<=\s)--[a-z][a-z-]*(?: [a-z][a-z-]*(?=\s|$))?/g, '<span class="flag">$&</span>')}</code>`;
}

/** Escapes text, and shows names in place of addresses. */
function withNames(text: string): string {
  return text
    .split(ADDRESS)
    .map((part, index) => {
      const name = index % 2 === 0 ? part : decodedName(part);
      return name === part ? html(part) : `<span class="named"${copyTitle(part, name)}>${html(name)}</span>`;
    })
    .join('');
}

/** Renders a sentence about the whole document. */
export function paragraph({ style, text, verbatim }: Line): string {
  return `<p class="${style}">${verbatim ? renderWithCode(text) : renderSentence(text)}</p>`;
}

/** Renders sentences; neighboring entries of a list become one list. */
export function listLines(lines: readonly Line[]): readonly string[] {
  return lines.flatMap((line, index) => {
    const { item, text } = line;
    if (item === undefined) return [paragraph(line)];
    const tag = item === 'step' ? 'ol' : 'ul';
    return [
      ...(lines[index - 1]?.item === item ? [] : [`<${tag}>`]),
      `<li>${renderSentence(text)}</li>`,
      ...(lines[index + 1]?.item === item ? [] : [`</${tag}>`]),
    ];
  });
}

/** Renders a link; without an address the text alone. */
export function linked({ text, href }: Link): string {
  return href === undefined ? html(text) : `<a href="${htmlText(href)}">${html(text)}</a>`;
}

/** Renders a title attribute with an address or an ID, which is also what is copied; none if that is what the text says. */
export function copyTitle(text: string, shown: string): string {
  return text === shown ? '' : ` title="${htmlText(cutSentence(text))}"`;
}

const EFFECTS: { readonly [effect in Effect]: string } = {
  weakens: '<span class="mark alarm">weakens</span>',
  strengthens: '<span class="mark good">strengthens</span>',
  neutral: '',
};

/** Renders an effect as a word with a sign; a neutral effect is empty. */
export function effectMark(effect: Effect): string {
  return EFFECTS[effect];
}

/** An arrow from the value before to the value after; screen readers say "then". */
export const THEN = '<span class="to" aria-hidden="true">→</span><span class="visually-hidden"> then </span>';

/**
 * Wraps a table in a region that scrolls by itself, also by keyboard, if the table is wider than the page. The element with the ID `label`
 * names both. `titles` are those of the columns, `rows` are HTML.
 */
export function scrollingTable(
  label: string,
  titles: readonly string[],
  rows: readonly string[],
  className: string | null,
): readonly string[] {
  return [
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${label}">`,
    `<table${className === null ? '' : ` class="${className}"`} aria-labelledby="${label}">`,
    `<thead><tr>${titles.map((title) => `<th scope="col">${html(title)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows,
    '</tbody>',
    '</table>',
    '</div>',
  ];
}

/** Renders a grid as a colored table in which every color is also a word. The element with the ID `label` names it. */
export function heatMap({ rowTitle, columns, rows }: Grid, label: string): readonly string[] {
  const lines = rows.map(
    ({ name, cells }) =>
      `<tr><th scope="row">${html(name)}</th>${cells.map((cell, index) => heatMapCell(cell, columns[index] ?? '')).join('')}</tr>`,
  );
  return scrollingTable(label, [rowTitle, ...columns], lines, 'heat-map');
}

/** Renders a cell; `column` is shown above it where the rows are stacked, on a narrow screen. */
function heatMapCell(cell: Cell, column: string): string {
  const label = `<span class="column" aria-hidden="true">${html(column)}</span>`;
  if (cell.before) return `<td class="moved">${label}<div>${coloredWord(cell.before)}${THEN}${coloredWord(cell)}</div></td>`;
  return `<td${cell.isUnchanged ? ' class="same"' : ''}>${label}<div>${coloredWord(cell)}</div></td>`;
}

function coloredWord({ style, text }: Word): string {
  return `<span class="word ${style}">${html(text)}</span>`;
}
