/** Renders diagrams as HTML. Everything visible is also available as text for screen readers. */
import { combineEffects } from '../../core/model/change.ts';
import type { DiagramLayout } from '../diagrams/index.ts';
import type { DiffEntry, EntryChange, Fold, MergedEntry, PlaylistDiff } from '../diagrams/playlist-diff.ts';
import type { NamedValue, RequestSequence, SequenceRequest, SequenceState } from '../diagrams/request-sequence.ts';
import type { Setting, SettingsMatrix } from '../diagrams/settings-matrix.ts';
import { html } from '../escape.ts';
import { count } from '../view/labels.ts';
import { copyTitle, effectMark, scrollingTable, THEN } from './elements.ts';
import { runOfShowLines } from './run-of-show.ts';

/** Renders a diagram. `id` becomes the ID of its caption. */
export function diagramLines(diagram: DiagramLayout, id: string): readonly string[] {
  switch (diagram.type) {
    case 'playlist-diff':
      return playlistDiffLines(diagram, id);
    case 'settings-matrix':
      return settingsMatrixLines(diagram, id);
    case 'request-sequence':
      return requestSequenceLines(diagram);
    case 'run-of-show':
      return runOfShowLines(diagram, id);
  }
}

type Block = DiffEntry | Fold;
type Side = 'before' | 'after';

/** Width of a block, in hundredths of a rem; the same for all, so that an entry that keeps its position keeps its place. */
export const BLOCK_WIDTH = 480;
/** Width of the gap between two blocks, in hundredths of a rem. */
export const BLOCK_GAP = 30;
/** Maximum number of lines of the name in a block, which holds an ID of 32 digits; a longer name ends with an ellipsis. */
export const MAX_NAME_LINES = 4;
/** Height of the ribbons, in hundredths of a rem. */
const RIBBON_HEIGHT = 240;

/**
 * Renders both lists as rows of blocks, with ribbons from the position of an entry before to its position after; and once more as one list,
 * which takes the place of the rows on a phone and on paper.
 */
function playlistDiffLines(diff: PlaylistDiff, id: string): readonly string[] {
  const { before, after, merged, isNew, isRemoved, omitted } = diff;
  return [
    '<figure class="playlist-diff">',
    `<figcaption id="${id}">${html(playlistCaption(diff))}</figcaption>`,
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}">`,
    ...(isNew ? [] : rowLines('Before', before, 'before')),
    ...(isNew || isRemoved ? [] : ribbonLines(before, after)),
    ...(isRemoved ? [] : rowLines(isNew ? 'New' : 'After', after, 'after')),
    '</div>',
    ...(merged.length === 0 ? [] : [`<ol class="merged" aria-labelledby="${id}">`, ...merged.filter(isShownOnce).map(mergedLine), '</ol>']),
    ...(omitted > 0 ? [`<p class="quiet">${count(omitted, 'more position')} not shown; the JSON document has all.</p>`] : []),
    '</figure>',
    ...(diff.runOfShow ? runOfShowLines(diff.runOfShow, `${id}-1`) : []),
  ];
}

const CHANGE_WORDS: readonly (readonly [change: Exclude<EntryChange, 'kept'>, words: string])[] = [
  ['moved', 'moved'],
  ['changed', 'of another length'],
  ['added', 'added'],
  ['removed', 'removed'],
];

function playlistCaption({ name, isNew, isRemoved, lengths, counts }: PlaylistDiff): string {
  const entries = (number: number) => `${number} ${number === 1 ? 'entry' : 'entries'}`;
  if (isNew) return `${name}: ${entries(lengths.after)}, all new`;
  if (isRemoved) return `${name}: ${entries(lengths.before)}, all gone`;
  const total = lengths.before === lengths.after ? entries(lengths.after) : `${entries(lengths.before)}, then ${lengths.after}`;
  const parts = CHANGE_WORDS.flatMap(([change, words]) => (counts[change] > 0 ? [`${counts[change]} ${words}`] : []));
  return `${name}: ${total}; ${parts.length > 0 ? parts.join(', ') : 'all as before'}`;
}

function rowLines(title: string, blocks: readonly Block[], side: Side): readonly string[] {
  const list =
    blocks.length === 0
      ? ['<p class="quiet">no entries</p>']
      : ['<ol class="blocks">', ...blocks.map((block) => blockLine(block, side)), '</ol>'];
  return [`<div class="track"><p class="row">${title}</p>`, ...list, '</div>'];
}

function blockLine(block: Block, side: Side): string {
  if (block.type === 'fold') return `<li class="fold"><span class="name">${block.count} in the same order</span></li>`;
  return entryLine(block, side, '');
}

/** Decides whether the one list shows an entry: one that moved is shown only where it is after. */
function isShownOnce(entry: MergedEntry | Fold): boolean {
  return entry.type === 'fold' || entry.change !== 'moved' || entry.side === 'after';
}

function mergedLine(entry: MergedEntry | Fold): string {
  if (entry.type === 'fold') return blockLine(entry, 'after');
  const { change, side, counterpart } = entry;
  const was = change === 'changed' && counterpart ? `<del aria-hidden="true">${html(counterpart.label)}</del> ` : '';
  return entryLine(entry, side, was);
}

/** Renders an entry on one side; `was` is HTML in front of the length of an ad break. */
function entryLine(block: DiffEntry, side: Side, was: string): string {
  const { type, change, position, label } = block;
  const { sign, words } = changeMarks(block, side);
  const place = `<span class="position">${position}${sign === '' ? '' : `<span aria-hidden="true"> ${sign}</span>`}</span>`;
  const name = type === 'ad' ? `ad ${was}<span class="length">${html(label)}</span>` : html(block.name ?? label);
  const hidden = words === '' ? '' : `<span class="visually-hidden">, ${html(words)}</span>`;
  const id = block.name === undefined ? '' : copyTitle(label, block.name);
  return `<li class="${type} ${change}">${place} <span class="name"${id}>${name}</span>${hidden}</li>`;
}

/** Returns how a change of an entry is shown: as a visible sign, and in words for screen readers. */
function changeMarks({ change, counterpart }: DiffEntry, side: Side): { readonly sign: string; readonly words: string } {
  const isBefore = side === 'before';
  const { position = '', label = '' } = counterpart ?? {};
  switch (change) {
    case 'kept':
      return { sign: '', words: '' };
    case 'moved':
      return { sign: `${isBefore ? '→' : '←'} ${position}`, words: `${isBefore ? 'moves to' : 'moved from'} place ${position}` };
    case 'changed':
      return { sign: '~', words: `${isBefore ? 'becomes' : 'was'} ${label}` };
    case 'added':
      return { sign: '+', words: 'added' };
    case 'removed':
      return { sign: '−', words: 'removed' };
  }
}

/** Draws a ribbon for each entry and each fold that both rows show; ribbons of changed entries lie on top. */
function ribbonLines(before: readonly Block[], after: readonly Block[]): readonly string[] {
  const from = blockPositions(before);
  const to = blockPositions(after);
  const ends = new Map(
    after.map((block, index) => [block.type === 'fold' ? foldKey(after, index) : `${block.position}`, to.starts[index]]),
  );
  const ribbons = before.flatMap((block, index) => {
    const [start, end] = [from.starts[index], ends.get(block.type === 'fold' ? foldKey(before, index) : `${block.counterpart?.position}`)];
    if (start === undefined || end === undefined) return [];
    const change = block.type === 'fold' ? 'kept' : block.change;
    return [{ change, line: `<path class="${change}" d="${ribbonPath(start, end, BLOCK_WIDTH)}"/>` }];
  });
  const width = Math.max(from.end, to.end);
  const unchangedFirst = ribbons.toSorted((a, b) => Number(a.change !== 'kept') - Number(b.change !== 'kept'));
  return [
    `<svg class="ribbons" aria-hidden="true" focusable="false" width="${width / 100}rem" height="${RIBBON_HEIGHT / 100}rem" viewBox="0 0 ${width} ${RIBBON_HEIGHT}">`,
    ...unchangedFirst.map(({ line }) => line),
    '</svg>',
  ];
}

/** Returns the key of a fold, by which both rows know it: its number among the folds of its row. */
function foldKey(row: readonly Block[], index: number): string {
  return `fold ${row.slice(0, index).filter(({ type }) => type === 'fold').length}`;
}

/** Returns where each block of a row starts, and where the row ends, in hundredths of a rem. */
function blockPositions(row: readonly Block[]): { readonly starts: readonly number[]; readonly end: number } {
  let end = 0;
  const starts = row.map(() => {
    const start = end;
    end += BLOCK_WIDTH + BLOCK_GAP;
    return start;
  });
  return { starts, end: Math.max(end - BLOCK_GAP, 0) };
}

function ribbonPath(from: number, to: number, width: number): string {
  const [bottom, middle] = [RIBBON_HEIGHT, RIBBON_HEIGHT / 2];
  const left = `M${from} 0C${from} ${middle} ${to} ${middle} ${to} ${bottom}`;
  const right = `H${to + width}C${to + width} ${middle} ${from + width} ${middle} ${from + width} 0Z`;
  return left + right;
}

function settingsMatrixLines({ columns, rows }: SettingsMatrix, id: string): readonly string[] {
  const number = rows.flatMap(({ cells }) => cells.flat()).length;
  const lines = rows.map(
    ({ name, cells }) =>
      `<tr><th scope="row">${html(name)}</th>${cells.map((cell, index) => settingsCell(cell, columns[index] ?? '')).join('')}</tr>`,
  );
  return [
    '<figure class="settings-matrix">',
    `<figcaption id="${id}">${number} ${number === 1 ? 'setting changes' : 'settings change'}, by system and track</figcaption>`,
    ...scrollingTable(id, ['System', ...columns], lines, null),
    '</figure>',
  ];
}

/** Renders a cell; `column` is shown above it where the rows are stacked, on a narrow screen. */
function settingsCell(settings: readonly Setting[], column: string): string {
  if (settings.length === 0) return '<td class="same"><span class="visually-hidden">no change</span></td>';
  const label = `<span class="column" aria-hidden="true">${html(column)}</span>`;
  return `<td class="${combineEffects(settings)}">${label}<ul>${settings.map(settingItem).join('')}</ul></td>`;
}

function settingItem({ name, before, after, effect }: Setting): string {
  const from = before === null ? '' : `<del>${html(before)}</del>`;
  const to = after === null ? '' : `<ins>${html(after)}</ins>`;
  const values = `<span class="values">${from}${from === '' || to === '' ? '' : THEN}${to}</span>`;
  return `<li class="setting"><span class="field">${html(name)}</span>${values}${effectMark(effect)}</li>`;
}

/** Renders the values before, each request, and the values after as boxes in a row. */
function requestSequenceLines({ before, requests, after, whyNoRequests }: RequestSequence): readonly string[] {
  return [
    '<ol class="request-sequence">',
    stateLine(before),
    ...requests.map(requestLine),
    ...(whyNoRequests === null ? [] : [`<li class="step no-requests"><p class="quiet">${html(whyNoRequests)}</p></li>`]),
    stateLine(after),
    '</ol>',
  ];
}

function stateLine({ title, values }: SequenceState): string {
  return `<li class="state"><p class="row">${html(title)}</p>${valueList(values)}</li>`;
}

function requestLine({ number, request, values }: SequenceRequest): string {
  return `<li class="step"><p class="row">Request ${number}</p><p class="request">${html(request)}</p>${valueList(values)}</li>`;
}

function valueList(values: readonly NamedValue[]): string {
  return `<dl>${values.map(({ name, value }) => `<div><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`).join('')}</dl>`;
}
