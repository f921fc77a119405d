/** A grid as a table of HTML: coloured, and every colour is also a word. */
import { html } from '../escape.ts';
import type { Cell, Grid, Word } from '../view/model.ts';

/** The lines of a table, named by the element `label`; where it is wider than the page, it scrolls by itself, with the keyboard too. */
export function heatMap({ of, columns, rows }: Grid, label: string): readonly string[] {
  const head = [of, ...columns].map((title) => `<th scope="col">${html(title)}</th>`);
  return [
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${label}">`,
    `<table class="heat" aria-labelledby="${label}">`,
    `<thead><tr>${head.join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(({ name, cells }) => `<tr><th scope="row">${html(name)}</th>${cells.map(cellOf).join('')}</tr>`),
    '</tbody>',
    '</table>',
    '</div>',
  ];
}

function cellOf(cell: Cell): string {
  if (cell.was)
    return `<td class="moved"><div>${wordOf(cell.was)}<span class="to" aria-hidden="true">→</span><span class="unseen"> then </span>${wordOf(cell)}</div></td>`;
  return `<td${cell.same ? ' class="same"' : ''}><div>${wordOf(cell)}</div></td>`;
}

function wordOf({ tone, text }: Word): string {
  return `<span class="word ${tone}">${html(text)}</span>`;
}
