/** Aligns two lists: finds the entries that stayed in order and those that moved. */
import type { PlaylistEntry } from '../../core/model/diagram.ts';
import { diffArrays } from '../text/text-diff.ts';

/** Maximum number of differences for which a shortest edit script is searched: the search takes quadratic time. */
const MAX_EDITS = 60;
/** Unchanged entries that are shown on each side of a difference. */
const CONTEXT = 1;

/** One row of two aligned lists, as indices from 0: both for an entry that stayed, one for an entry that was added, removed or moved. */
export interface AlignedPair {
  readonly before: number | null;
  readonly after: number | null;
}

/** The indices of equal entries in both lists. */
type Match = readonly [before: number, after: number];

/** Formats an entry of a playlist, by which it is compared and shown: `beam 10c5467d77c54dc4b739db2cd832143a`, or `ad 90 s`. */
export function entryText({ type, label }: PlaylistEntry): string {
  return `${type} ${label}`;
}

/** Merges both lists into one sequence of pairs that keeps the order of both. Takes little more than linear time. */
export function alignLists(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const runs = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (!runs) return mergeAround(longestIncreasing(matchEqual(before, after)), before.length, after.length);
  let beforeIndex = 0;
  let afterIndex = 0;
  return runs.flatMap(({ value, added, removed }) =>
    value.map((): AlignedPair => ({ before: added ? null : beforeIndex++, after: removed ? null : afterIndex++ })),
  );
}

/**
 * Pairs removed entries with equal added entries: entries that moved. The first of several equal removed entries goes with the first added.
 */
export function findMoves(
  pairs: readonly AlignedPair[],
  before: readonly string[],
  after: readonly string[],
): readonly { readonly before: number; readonly after: number }[] {
  const removed = pairs.flatMap((pair) => (pair.after === null && pair.before !== null ? [pair.before] : []));
  const added = pairs.flatMap((pair) => (pair.before === null && pair.after !== null ? [pair.after] : []));
  const textAt = (texts: readonly string[]) => (index: number) => texts[index] ?? '';
  return matchEqual(removed.map(textAt(before)), added.map(textAt(after))).flatMap(([removedIndex, addedIndex]) => {
    const [from, to] = [removed[removedIndex], added[addedIndex]];
    return from === undefined || to === undefined ? [] : [{ before: from, after: to }];
  });
}

/** Replaces each longer run of unchanged rows, away from any difference, by its length. */
export function foldUnchanged<Row>(rows: readonly Row[], isUnchanged: (row: Row) => boolean): readonly (Row | number)[] {
  const visible = new Set<number>();
  rows.forEach((row, index) => {
    if (!isUnchanged(row)) for (let near = index - CONTEXT; near <= index + CONTEXT; near++) visible.add(near);
  });
  const folded: (Row | number)[] = [];
  let run: Row[] = [];
  const endRun = () => {
    folded.push(...(run.length > 1 ? [run.length] : run));
    run = [];
  };
  rows.forEach((row, index) => {
    if (!visible.has(index)) run.push(row);
    else {
      endRun();
      folded.push(row);
    }
  });
  endRun();
  return folded;
}

/** Matches equal entries: the first of several equal ones with the first in the other list, the second with the second. */
function matchEqual(before: readonly string[], after: readonly string[]): readonly Match[] {
  const afterIndices = new Map<string, number[]>();
  for (const [index, text] of after.entries()) {
    const indices = afterIndices.get(text);
    if (indices) indices.push(index);
    else afterIndices.set(text, [index]);
  }
  const matched = new Map<string, number>();
  return before.flatMap((text, index) => {
    const number = matched.get(text) ?? 0;
    matched.set(text, number + 1);
    const afterIndex = afterIndices.get(text)?.[number];
    return afterIndex === undefined ? [] : [[index, afterIndex] as const];
  });
}

/** Returns the longest subsequence in which the second indices increase as the first ones do (patience sorting). */
function longestIncreasing(matches: readonly Match[]): readonly Match[] {
  interface Link {
    readonly match: Match;
    readonly previous: Link | undefined;
  }
  const piles: Link[] = [];
  for (const match of matches) {
    let low = 0;
    for (let high = piles.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.match[1] ?? 0) < match[1]) low = middle + 1;
      else high = middle;
    }
    piles[low] = { match, previous: piles[low - 1] };
  }
  const subsequence: Match[] = [];
  for (let link = piles.at(-1); link; link = link.previous) subsequence.push(link.match);
  return subsequence.reverse();
}

/** Inserts removed and added entries between the matches, removed ones first. */
function mergeAround(matches: readonly Match[], beforeLength: number, afterLength: number): readonly AlignedPair[] {
  const pairs: AlignedPair[] = [];
  let before = 0;
  let after = 0;
  const fillUpTo = (beforeEnd: number, afterEnd: number) => {
    for (; before < beforeEnd; before++) pairs.push({ before, after: null });
    for (; after < afterEnd; after++) pairs.push({ before: null, after });
  };
  for (const [matchBefore, matchAfter] of matches) {
    fillUpTo(matchBefore, matchAfter);
    pairs.push({ before: before++, after: after++ });
  }
  fillUpTo(beforeLength, afterLength);
  return pairs;
}
