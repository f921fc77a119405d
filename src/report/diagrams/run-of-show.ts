/** Lays out runs of show: strips to one scale, and the entries of both lists in one sequence with their offsets. */
import { isLost, type RunOfShow, type RunOfShowEntry } from '../../core/model/run-of-show.ts';
import { alignLists } from './list-alignment.ts';

/** One or two runs of one playlist, to one scale. */
export interface RunOfShowLayout {
  readonly type: 'run-of-show';
  readonly strips: readonly Strip[];
  /** Offsets along the scale; none where a length is unknown, because the scale then has gaps. */
  readonly ticks: readonly Tick[];
  /** Whether every entry is drawn with the same width, because no duration of an asset is known. */
  readonly isByEntry: boolean;
  /** The entries of both lists. */
  readonly rows: readonly RunRow[];
}

/** A run as a row of blocks. */
export interface Strip {
  /** `now` is live, `then` is declared. */
  readonly name: 'now' | 'then';
  readonly run: RunOfShow;
  readonly blocks: readonly StripBlock[];
}

/** A block of a strip: where it begins and how wide it is, in parts of `STRIP_WIDTH`. */
export interface StripBlock {
  readonly type: 'beam' | 'ad' | 'unknown';
  readonly start: number;
  readonly width: number;
  /** Whether it is an asset that cannot be played. */
  readonly isLost: boolean;
}

/** A mark on the scale. */
export interface Tick {
  readonly position: number;
  /** Seconds. */
  readonly offset: number;
}

/** An entry with its change: kept, added or removed. A removed one has its offset in the list before. */
export interface RunRow {
  readonly change: 'kept' | 'added' | 'removed';
  readonly entry: RunOfShowEntry;
  /** Whether an entry of unknown length comes before it. */
  readonly isAtLeast: boolean;
}

/** Width of the scale. */
export const STRIP_WIDTH = 10_000;
/** Width of an entry of unknown length; less where there are many. */
const UNKNOWN_WIDTH = 250;
/** Maximum number of marks on the scale. */
const MAX_TICKS = 8;
/** Steps between marks, seconds. */
const TICK_STEPS = [10, 30, 60, 300, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800];

/** Lays out the runs of a playlist, live and declared; null = it does not exist on that side. Equal lists are laid out once. */
export function runOfShowLayout(live: RunOfShow | null, declared: RunOfShow | null): RunOfShowLayout {
  const isSame = live !== null && declared !== null && isSameRun(live, declared);
  const sides: readonly Pick<Strip, 'name' | 'run'>[] = [
    ...(live ? [{ name: 'now', run: live } as const] : []),
    ...(declared && !isSame ? [{ name: 'then', run: declared } as const] : []),
  ];
  const runs = sides.map(({ run }) => run);
  const scale = scaleOf(runs);
  return {
    type: 'run-of-show',
    strips: sides.map((side) => ({ ...side, blocks: blocksOf(side.run, scale) })),
    ticks: runs.some(({ unknown }) => unknown > 0) ? [] : ticksOf(runs, scale),
    isByEntry: scale.isByEntry,
    rows: rowsOf(live, isSame ? live : declared),
  };
}

function isSameRun(a: RunOfShow, b: RunOfShow): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** How seconds become widths. */
export interface Scale {
  readonly perSecond: number;
  readonly unknownWidth: number;
  /** The same width for every entry; 0 unless no duration is known. */
  readonly perEntry: number;
  readonly isByEntry: boolean;
}

/** Returns the scale on which the longest of several runs takes the whole width. */
export function scaleOf(runs: readonly Pick<RunOfShow, 'entries' | 'seconds' | 'unknown'>[]): Scale {
  const most = (of: (run: Pick<RunOfShow, 'entries' | 'seconds' | 'unknown'>) => number) =>
    runs.reduce((maximum, run) => Math.max(maximum, of(run)), 0);
  const isByEntry = !runs.some(hasKnownAsset);
  const perEntry = isByEntry
    ? STRIP_WIDTH /
      Math.max(
        1,
        most(({ entries }) => entries.length),
      )
    : 0;
  const unknownWidth = Math.min(
    UNKNOWN_WIDTH,
    STRIP_WIDTH /
      2 /
      Math.max(
        1,
        most(({ unknown }) => unknown),
      ),
  );
  const perSecond = runs.reduce(
    (least, { seconds, unknown }) => (seconds > 0 ? Math.min(least, (STRIP_WIDTH - unknown * unknownWidth) / seconds) : least),
    STRIP_WIDTH,
  );
  return { perSecond, unknownWidth, perEntry, isByEntry };
}

/** Whether the duration of any asset of a run is known. */
export function hasKnownAsset({ entries }: Pick<RunOfShow, 'entries'>): boolean {
  return entries.some(({ type, seconds }) => type === 'beam' && seconds !== null);
}

/** Returns the blocks of a run on a scale. */
export function blocksOf({ entries }: Pick<RunOfShow, 'entries'>, { perSecond, unknownWidth, perEntry }: Scale): readonly StripBlock[] {
  let start = 0;
  return entries.map((entry) => {
    const { type, seconds } = entry;
    const width = perEntry > 0 ? perEntry : seconds === null ? unknownWidth : seconds * perSecond;
    const block: StripBlock = { type: type === 'ad' ? 'ad' : seconds === null ? 'unknown' : 'beam', start, width, isLost: isLost(entry) };
    start += width;
    return block;
  });
}

/** Returns the marks of a scale. */
export function ticksOf(runs: readonly Pick<RunOfShow, 'seconds'>[], { perSecond, isByEntry }: Scale): readonly Tick[] {
  const longest = runs.reduce((most, { seconds }) => Math.max(most, seconds), 0);
  if (isByEntry || longest === 0) return [];
  const step = TICK_STEPS.find((seconds) => longest / seconds <= MAX_TICKS) ?? Math.ceil(longest / MAX_TICKS / 604_800) * 604_800;
  return Array.from({ length: Math.floor(longest / step) + 1 }, (_, index) => ({
    offset: index * step,
    position: index * step * perSecond,
  }));
}

/** Returns the entries of one list. */
export function rowsOfOne(run: RunOfShow): readonly RunRow[] {
  return exactRows(run).map((row) => ({ ...row, change: 'kept' }));
}

/** Merges the entries of both lists, removed ones before the added ones at their place. */
function rowsOf(live: RunOfShow | null, declared: RunOfShow | null): readonly RunRow[] {
  const before = exactRows(live ?? declared);
  const after = exactRows(declared ?? live);
  const textOf = ({ entry: { type, id, seconds } }: Omit<RunRow, 'change'>) => (type === 'ad' ? `ad ${seconds}` : `${type} ${id}`);
  return alignLists(before.map(textOf), after.map(textOf)).flatMap((pair): readonly RunRow[] => {
    const [removed, added] = [before[pair.before ?? -1], after[pair.after ?? -1]];
    if (added) return [{ ...added, change: removed ? 'kept' : 'added' }];
    return removed ? [{ ...removed, change: 'removed' }] : [];
  });
}

function exactRows(run: RunOfShow | null): readonly Omit<RunRow, 'change'>[] {
  let isAtLeast = false;
  return (run?.entries ?? []).map((entry) => {
    const row = { entry, isAtLeast };
    isAtLeast ||= entry.seconds === null || (run?.hasUnknownBreaks === true && entry.type === 'beam');
    return row;
  });
}

/** Rows that are left out in the middle, with the offset of the first of them. */
export interface FoldedRows {
  readonly type: 'fold';
  readonly count: number;
  readonly from: RunRow;
}

/**
 * Leaves out rows in the middle of a list of more than `most`: the first and the last ones stay, and in between those that changed or that
 * cannot be played, as far as they fit twice into `most`.
 */
export function foldMiddle(rows: readonly RunRow[], most: number): readonly (RunRow | FoldedRows)[] {
  if (rows.length <= most) return rows;
  const shown = new Set<number>();
  for (let index = 0; index < most / 2; index++) {
    shown.add(index);
    shown.add(rows.length - 1 - index);
  }
  rows.forEach((row, index) => {
    if (shown.size < 2 * most && isMarked(row)) shown.add(index);
  });
  const folded: (RunRow | FoldedRows)[] = [];
  let run: RunRow[] = [];
  rows.forEach((row, index) => {
    if (!shown.has(index)) run.push(row);
    if (shown.has(index) || index === rows.length - 1) {
      const [from] = run;
      if (from) folded.push({ type: 'fold', count: run.length, from });
      run = [];
    }
    if (shown.has(index)) folded.push(row);
  });
  return folded;
}

function isMarked({ change, entry }: RunRow): boolean {
  return change !== 'kept' || isLost(entry);
}
