/** The numbers of a document as tiles, and by kind as a table. */
import { html } from '../escape.ts';
import type { Overview, Tile } from '../view/model.ts';

/** The lines of an overview, named by the element `label`. */
export function overviewLines({ groups, columns, rows }: Overview, label: string): readonly string[] {
  return [
    `<section class="overview" aria-labelledby="${label}">`,
    `<h2 class="unseen" id="${label}">In numbers</h2>`,
    '<div class="groups">',
    ...groups.map(
      ({ title, tiles }, index) =>
        `<div class="group"><h3 id="${label}-${index + 1}">${html(title)}</h3><ul aria-labelledby="${label}-${index + 1}">${tiles.map(tileOf).join('')}</ul></div>`,
    ),
    ...(rows.length === 0 ? [] : tableLines(columns, rows, `${label}-0`)),
    '</div>',
    '</section>',
  ];
}

/** A number of nothing is drawn less loud. */
function tileOf({ tone, sign, count, label }: Tile): string {
  return `<li class="tile ${count === 0 ? 'quiet' : tone}"><span class="sign" aria-hidden="true">${html(sign)}</span><b>${count}</b> ${html(label)}</li>`;
}

function tableLines(columns: Overview['columns'], rows: Overview['rows'], label: string): readonly string[] {
  const cell = (count: number) => (count === 0 ? '<td class="quiet">0</td>' : `<td>${count}</td>`);
  return [
    `<div class="group kinds"><h3 id="${label}">By kind</h3>`,
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${label}">`,
    `<table class="counts" aria-labelledby="${label}">`,
    `<thead><tr>${['Kind', ...columns].map((title) => `<th scope="col">${html(title)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(({ name, counts }) => `<tr><th scope="row">${html(name)}</th>${counts.map(cell).join('')}</tr>`),
    '</tbody>',
    '</table>',
    '</div>',
    '</div>',
  ];
}
