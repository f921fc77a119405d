/** The settings that change, as a table of systems and what they apply to. */
import { combineEffects } from '../../model/change.ts';
import type { Setting, SettingsMatrix } from '../diagrams/model.ts';
import { html } from '../escape.ts';
import { effectMark } from './text.ts';

/** The lines of a board; where it is wider than the page, it scrolls by itself, with the keyboard too. `label` names its caption. */
export function settingsMatrixLines({ columns, rows }: SettingsMatrix, label: string): readonly string[] {
  const number = rows.flatMap(({ cells }) => cells.flat()).length;
  return [
    '<figure class="board">',
    `<figcaption id="${label}">${number} ${number === 1 ? 'setting changes' : 'settings change'}, by system and track</figcaption>`,
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${label}">`,
    `<table aria-labelledby="${label}">`,
    `<thead><tr>${['System', ...columns].map((title) => `<th scope="col">${html(title)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(({ name, cells }) => `<tr><th scope="row">${html(name)}</th>${cells.map(cellOf).join('')}</tr>`),
    '</tbody>',
    '</table>',
    '</div>',
    '</figure>',
  ];
}

function cellOf(settings: readonly Setting[]): string {
  if (settings.length === 0) return '<td class="same"><span aria-hidden="true">·</span><span class="unseen">no change</span></td>';
  return `<td class="${combineEffects(settings)}"><ul>${settings.map(settingOf).join('')}</ul></td>`;
}

function settingOf({ name, before, after, effect }: Setting): string {
  return `<li class="setting"><span class="field">${html(name)}</span>${valuesOf(before, after)}${effectMark(effect)}</li>`;
}

function valuesOf(before: string | null, after: string | null): string {
  const was = before === null ? '' : `<del>${html(before)}</del>`;
  const is = after === null ? '' : `<ins>${html(after)}</ins>`;
  const arrow = was === '' || is === '' ? '' : '<span class="to" aria-hidden="true">→</span><span class="unseen"> then </span>';
  return `<span class="values">${was}${arrow}${is}</span>`;
}
