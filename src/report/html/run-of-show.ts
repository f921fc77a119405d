/** Renders runs of show as HTML: strips to one scale, and the entries as a list that reads alike on a phone and to a screen reader. */
import { clockText } from '../../core/model/run-of-show.ts';
import {
  type FoldedRows,
  foldMiddle,
  type RunOfShowLayout,
  type RunRow,
  STRIP_WIDTH,
  type Strip,
  type StripBlock,
  type Tick,
} from '../diagrams/run-of-show.ts';
import { html } from '../escape.ts';
import { foldText, lengthText, lostText, offsetText, totalTexts } from '../view/run-of-show.ts';

/** Maximum number of entries that are listed before the middle is left out. */
const MAX_ROWS = 500;

/** Renders one or two runs of one playlist. `id` becomes the ID of the caption. */
export function runOfShowLines({ strips, ticks, isByEntry, rows }: RunOfShowLayout, id: string): readonly string[] {
  const shown = foldMiddle(rows, MAX_ROWS);
  return [
    '<figure class="run-of-show">',
    `<figcaption id="${id}">${html(scaleText(strips, isByEntry))}</figcaption>`,
    ...strips.flatMap((strip) => stripLines(strip, strips.length > 1 || rows.length === 0)),
    ...(ticks.length > 0 ? [scaleLine(ticks)] : []),
    ...(shown.length === 0 ? [] : [`<ol class="run" aria-labelledby="${id}">`, ...shown.map(rowLine), '</ol>']),
    '</figure>',
  ];
}

/** Says how strips are drawn. */
function scaleText(strips: readonly Strip[], isByEntry: boolean): string {
  const blocks = strips.flatMap((strip) => strip.blocks);
  const parts = [
    isByEntry ? 'every entry with the same width, because no duration is known' : 'to scale',
    ...(strips.length > 1 && !isByEntry ? ['both to one scale'] : []),
    ...(!isByEntry && blocks.some(({ type }) => type === 'unknown') ? ['gray: of unknown length, not to scale'] : []),
    ...(blocks.some(({ isLost }) => isLost) ? ['red: cannot be played'] : []),
  ];
  return `Assets, and ad breaks between them; ${parts.join('; ')}`;
}

function stripLines({ name, run, blocks }: Strip, isNamed: boolean): readonly string[] {
  return [...(isNamed ? [`<p class="row">${name}: ${html(totalTexts(run).join(', '))}</p>`] : []), stripSvg(blocks)];
}

/** Draws blocks as one path for each look of a block, so that a page can hold thousands of strips. */
export function stripSvg(blocks: readonly StripBlock[]): string {
  const paths = new Map<string, string[]>();
  let beams = 0;
  for (const block of blocks) {
    const look = block.isLost ? 'lost' : block.type === 'beam' ? (beams++ % 2 === 0 ? 'even' : 'odd') : block.type;
    const [start, width] = [Math.round(block.start), Math.round(block.start + block.width) - Math.round(block.start)];
    const path = paths.get(look) ?? [];
    path.push(`M${start} 0h${Math.max(1, width)}v10h-${Math.max(1, width)}z`);
    paths.set(look, path);
  }
  const lines = [...paths].map(([look, path]) => `<path class="${look}" d="${path.join('')}"/>`);
  return `<svg class="strip" aria-hidden="true" focusable="false" viewBox="0 0 ${STRIP_WIDTH} 10" preserveAspectRatio="none">${lines.join('')}</svg>`;
}

/** Draws the marks of a scale. */
export function scaleLine(ticks: readonly Tick[]): string {
  const marks = ticks.map(({ position, offset }) => {
    const x = `${(position / STRIP_WIDTH) * 100}%`;
    const anchor = position === 0 ? 'start' : position > STRIP_WIDTH * 0.95 ? 'end' : 'middle';
    return `<line x1="${x}" x2="${x}" y1="0" y2="5"/><text x="${x}" y="16" text-anchor="${anchor}">${shortClock(offset)}</text>`;
  });
  return `<svg class="scale" aria-hidden="true" focusable="false" width="100%" height="20">${marks.join('')}</svg>`;
}

function shortClock(seconds: number): string {
  const text = clockText(seconds);
  return seconds % 60 === 0 ? text.slice(0, -3) : text;
}

const CHANGES: { readonly [change in RunRow['change']]: { readonly sign: string; readonly words: string } } = {
  kept: { sign: '', words: '' },
  added: { sign: '+', words: 'added: ' },
  removed: { sign: '−', words: 'removed: ' },
};

function rowLine(row: RunRow | FoldedRows): string {
  if ('type' in row) return `<li class="fold">${foldText(row)}</li>`;
  const { entry, change } = row;
  const { sign, words } = CHANGES[change];
  const remark = lostText(entry);
  const mark = sign === '' ? '' : `<span aria-hidden="true">${sign} </span><span class="visually-hidden">${words}</span>`;
  return `<li class="${entry.type} ${change}${remark === '' ? '' : ' lost'}"><span class="at">${mark}${html(offsetText(row))}</span> <span class="asset">${assetHtml(entry)}${remark === '' ? '' : ` <span class="mark alarm">${remark}</span>`}</span> <span class="length">${lengthText(entry)}</span></li>`;
}

function assetHtml({ type, id, name }: RunRow['entry']): string {
  if (type === 'ad') return 'ad';
  return name === undefined ? `<code>${html(id)}</code>` : `${html(name)} <code class="id">${html(id)}</code>`;
}

/** The style of strips and of lists of entries. */
export const RUN_OF_SHOW_STYLE = `
.strip { display: block; width: 100%; height: 1.6rem; margin: .3rem 0 .1rem; background: var(--raised); border-radius: .25rem; }
.strip .even { fill: var(--moved-back); } .strip .odd { fill: color-mix(in srgb, var(--moved-back) 62%, var(--moved)); }
.strip .ad { fill: var(--changed); } .strip .lost { fill: #b3262e; }
.strip .unknown { fill: color-mix(in srgb, var(--faint) 35%, var(--card)); }
.strip path { vector-effect: non-scaling-stroke; }
.strip .ad { stroke: var(--changed); stroke-width: 1px; }
.strip .unknown { stroke: var(--faint); stroke-width: 1px; stroke-dasharray: 2 2; }
.scale { display: block; overflow: visible; }
.scale line { stroke: var(--faint); } .scale text { fill: var(--faint); font: .7rem system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.run { margin-top: .7rem; font-size: .9rem; font-variant-numeric: tabular-nums; }
.run li { display: grid; grid-template-columns: 6.6rem 1fr auto; gap: 0 .75rem; padding: .15rem .3rem; border-top: 1px solid var(--line); }
.run .at { color: var(--faint); text-align: right; white-space: nowrap; } .run .length { text-align: right; white-space: nowrap; }
.run .ad .asset { color: var(--changed); } .run .id { font-size: .7rem; color: var(--faint); background: none; }
.run .fold { display: block; color: var(--faint); padding-left: 7.6rem; }
.run .added { background: var(--added-back); color: var(--ink); } .run .removed { background: var(--removed-back); color: var(--ink); } .run .removed .asset { text-decoration: line-through; } .run .removed code { background: none; }
.run .added .at, .run .removed .at, .run .added .asset, .run .removed .asset { color: inherit; }
@media (max-width: 40rem) { .run li { grid-template-columns: 5.7rem 1fr auto; gap: 0 .4rem; } .run .fold { padding-left: 6.2rem; } }
@media print { .strip, .scale, .run li { print-color-adjust: exact; -webkit-print-color-adjust: exact; break-inside: avoid; } }
@media (forced-colors: active) { .strip { forced-color-adjust: none; } }
`;
