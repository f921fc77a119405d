/** A timeline as two rows of blocks, with ribbons from where an entry was to where it is; all that the eye sees is also said. */

import type { Block, Entry, EntryChange, PlaylistDiff } from '../diagrams/model.ts';
import { html } from '../escape.ts';
import { count } from '../view/labels.ts';

/** Widths of the blocks, and of what lies between them, in hundredths of a rem. */
export const WIDTHS: { readonly [type in Block['type']]: number } = { beam: 530, ad: 330, fold: 460 };
export const GAP = 30;
/** Height of the ribbons. */
const HEIGHT = 240;

/** The lines of a timeline, named by the element `label`. */
export function playlistDiffLines(timeline: PlaylistDiff, label: string): readonly string[] {
  const { before, after, isNew, isGone, unshown } = timeline;
  const isBoth = !isNew && !isGone;
  return [
    '<figure class="timeline">',
    `<figcaption id="${label}">${html(captionOf(timeline))}</figcaption>`,
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${label}">`,
    ...(isNew ? [] : rowLines('Before', before, 'before')),
    ...(isBoth ? ribbonLines(before, after) : []),
    ...(isGone ? [] : rowLines(isNew ? 'New' : 'After', after, 'after')),
    '</div>',
    ...(unshown > 0 ? [`<p class="quiet">${count(unshown, 'more place')} not drawn; the JSON document has all.</p>`] : []),
    '</figure>',
  ];
}

const SAID: { readonly [fate in Exclude<EntryChange, 'kept'>]: string } = {
  moved: 'moved',
  changed: 'of another length',
  added: 'added',
  removed: 'removed',
};

function captionOf({ name, isNew, isGone, lengths, counts }: PlaylistDiff): string {
  if (isNew || isGone) return `${name}: ${entries(isNew ? lengths.after : lengths.before)}, ${isNew ? 'all new' : 'all gone'}`;
  const lengthsSaid = lengths.before === lengths.after ? entries(lengths.after) : `${entries(lengths.before)}, then ${lengths.after}`;
  const parts = FATES.flatMap((fate) => (counts[fate] > 0 ? [`${counts[fate]} ${SAID[fate]}`] : []));
  return `${name}: ${lengthsSaid}; ${parts.length > 0 ? parts.join(', ') : 'all as before'}`;
}

const FATES = ['moved', 'changed', 'added', 'removed'] as const;

function entries(number: number): string {
  return `${number} ${number === 1 ? 'entry' : 'entries'}`;
}

function rowLines(title: string, blocks: readonly Block[], side: 'before' | 'after'): readonly string[] {
  const shown =
    blocks.length === 0
      ? ['<p class="quiet">no entries</p>']
      : ['<ol class="blocks">', ...blocks.map((block) => blockLine(block, side)), '</ol>'];
  return [`<div class="track"><p class="row">${title}</p>`, ...shown, '</div>'];
}

function blockLine(block: Block, side: 'before' | 'after'): string {
  if (block.type === 'fold') return `<li class="fold"><span class="name">${block.count} as before</span></li>`;
  const { type, fate, at, label } = block;
  const { eye, ear } = marksOf(block, side);
  const place = `<span class="at">${at}${eye === '' ? '' : `<span aria-hidden="true"> ${eye}</span>`}</span>`;
  const what = type === 'ad' ? `ad <span class="length">${html(label)}</span>` : html(label);
  return `<li class="${type} ${fate}">${place} <span class="name">${what}</span>${ear === '' ? '' : `<span class="unseen">, ${html(ear)}</span>`}</li>`;
}

/** What is said of an entry beside its place and name: to the eye by a sign, to the ear in words. */
function marksOf({ fate, other }: Entry, side: 'before' | 'after'): { readonly eye: string; readonly ear: string } {
  const isBefore = side === 'before';
  switch (fate) {
    case 'kept':
      return { eye: '', ear: '' };
    case 'moved':
      return { eye: `${isBefore ? '→' : '←'} ${other?.at ?? ''}`, ear: `${isBefore ? 'moves to' : 'moved from'} place ${other?.at ?? ''}` };
    case 'changed':
      return { eye: '~', ear: `${isBefore ? 'becomes' : 'was'} ${other?.label ?? ''}` };
    case 'added':
      return { eye: '+', ear: 'added' };
    case 'removed':
      return { eye: '−', ear: 'removed' };
  }
}

/** A ribbon for each entry and each fold that both rows show; what moved lies on top. */
function ribbonLines(before: readonly Block[], after: readonly Block[]): readonly string[] {
  const from = startsOf(before);
  const to = startsOf(after);
  const ends = new Map(after.map((block, index) => [keyOf(block, after, index), to.starts[index] ?? 0]));
  const ribbons = before.flatMap((block, index) => {
    const end = ends.get(partnerOf(block, before, index));
    if (end === undefined) return [];
    const fate = block.type === 'fold' ? 'kept' : block.fate;
    return [{ fate, line: `<path class="${fate}" d="${ribbon(from.starts[index] ?? 0, end, WIDTHS[block.type])}"/>` }];
  });
  const width = Math.max(from.end, to.end);
  const inOrder = ribbons.toSorted((a, b) => Number(a.fate !== 'kept') - Number(b.fate !== 'kept'));
  return [
    `<svg class="ribbons" aria-hidden="true" focusable="false" width="${width / 100}rem" height="${HEIGHT / 100}rem" viewBox="0 0 ${width} ${HEIGHT}">`,
    ...inOrder.map(({ line }) => line),
    '</svg>',
  ];
}

/** What a block of the after side is known by: its place, or its number among the folds. */
function keyOf(block: Block, row: readonly Block[], index: number): string {
  return block.type === 'fold' ? `fold ${foldsBefore(row, index)}` : `${block.at}`;
}

function partnerOf(block: Block, row: readonly Block[], index: number): string {
  return block.type === 'fold' ? `fold ${foldsBefore(row, index)}` : `${block.other?.at}`;
}

function foldsBefore(row: readonly Block[], index: number): number {
  return row.slice(0, index).filter(({ type }) => type === 'fold').length;
}

/** Where the blocks of a row begin, and where it ends. */
function startsOf(row: readonly Block[]): { readonly starts: readonly number[]; readonly end: number } {
  let end = 0;
  const starts = row.map(({ type }) => {
    const start = end;
    end += WIDTHS[type] + GAP;
    return start;
  });
  return { starts, end: Math.max(end - GAP, 0) };
}

function ribbon(from: number, to: number, width: number): string {
  const middle = HEIGHT / 2;
  return `M${from} 0C${from} ${middle} ${to} ${middle} ${to} ${HEIGHT}H${to + width}C${to + width} ${middle} ${from + width} ${middle} ${from + width} 0Z`;
}
