/** Builds the diff of a playlist: the entries that stayed, moved, changed, were added or were removed. */
import type { PlaylistDiagram, PlaylistEntry } from '../../core/model/diagram.ts';
import { fieldName } from '../text/field-diff.ts';
import { type AlignedPair, alignLists, entryText, findMoves, foldUnchanged } from './list-alignment.ts';
import type { RunOfShowLayout } from './run-of-show.ts';

/** A list of assets and ad breaks, before and after. */
export interface PlaylistDiff {
  readonly type: 'playlist-diff';
  /** Name of the field. */
  readonly name: string;
  /** Whether the field is null before. */
  readonly isNew: boolean;
  /** Whether the field is null after. */
  readonly isRemoved: boolean;
  /** Number of entries of the whole lists. */
  readonly lengths: { readonly before: number; readonly after: number };
  /** The entries to show on each side; long runs of unchanged entries are folded. */
  readonly before: readonly (DiffEntry | Fold)[];
  readonly after: readonly (DiffEntry | Fold)[];
  /** Both sides as one list, of which only what changed is shown, with an entry on each side of it. */
  readonly merged: readonly (MergedEntry | Fold)[];
  /** Number of entries by their change; an entry on both sides counts once. */
  readonly counts: { readonly [change in Exclude<EntryChange, 'kept'>]: number };
  /** Number of entries at the end, of both sides together, that are not shown. */
  readonly omitted: number;
  /** Both lists to one scale, without their entries; absent where no duration is known. */
  readonly runOfShow?: RunOfShowLayout;
}

/**
 * The change of an entry: none, another position, another length at its position (ad breaks), on the after side only, on the before side
 * only.
 */
export type EntryChange = 'kept' | 'moved' | 'changed' | 'added' | 'removed';

/** An entry on one side of the diff. */
export interface DiffEntry extends PlaylistEntry {
  readonly change: EntryChange;
  /** Position in the list, from 1. */
  readonly position: number;
  /** The same entry on the other side. */
  readonly counterpart?: { readonly position: number; readonly label: string };
}

/** An entry of both lists as one. One that moved is there on each side, and an ad break of another length once, as it is after. */
export interface MergedEntry extends DiffEntry {
  readonly side: 'before' | 'after';
}

/** A run of unchanged entries, shown as one; the first fold of one side is the first of the other. */
export interface Fold {
  readonly type: 'fold';
  readonly count: number;
}

/** Maximum number of aligned pairs that are shown, a fold counted as one. */
const MAX_SHOWN = 80;
/** Number of aligned pairs up to which nothing is folded. */
const MAX_UNFOLDED = 20;

type Lists = Pick<PlaylistDiagram, 'before' | 'after'>;

/** A pair with the change of its entry. */
interface ChangedPair extends AlignedPair {
  readonly change: EntryChange;
}

/** Builds the diff of the two lists of a diagram. */
export function playlistDiffOf({ field, ...lists }: PlaylistDiagram): PlaylistDiff {
  const texts = { before: lists.before.map(entryText), after: lists.after.map(entryText) };
  const aligned = alignLists(texts.before, texts.after);
  const pairs = classifyPairs(aligned, findMoves(aligned, texts.before, texts.after), lists);
  const rows = aligned.length > MAX_UNFOLDED ? foldUnchanged(aligned, isKept) : aligned;
  const shown = rows.slice(0, MAX_SHOWN);
  const sides = { before: entriesByIndex('before', pairs, lists), after: entriesByIndex('after', pairs, lists) };
  const blocksOf = (side: 'before' | 'after') => {
    const entries = sides[side];
    return shown.flatMap((row): readonly (DiffEntry | Fold)[] => {
      if (typeof row === 'number') return [{ type: 'fold', count: row }];
      const entry = entries.get(row[side]);
      return entry ? [entry] : [];
    });
  };
  const numberOf = (change: EntryChange) => pairs.filter((pair) => pair.change === change).length;
  return {
    type: 'playlist-diff',
    name: fieldName(field.path),
    isNew: field.before === null,
    isRemoved: field.after === null,
    lengths: { before: lists.before.length, after: lists.after.length },
    before: blocksOf('before'),
    after: blocksOf('after'),
    merged: mergeSides(foldUnchanged(aligned, isKept).slice(0, MAX_SHOWN), sides),
    counts: { moved: numberOf('moved'), changed: numberOf('changed'), added: numberOf('added'), removed: numberOf('removed') },
    omitted: rows.slice(MAX_SHOWN).reduce<number>((sum, row) => sum + (typeof row === 'number' ? row : 1), 0),
  };
}

function isKept({ before, after }: AlignedPair): boolean {
  return before !== null && after !== null;
}

/** Assigns each pair its change: a move and a changed ad break join a removed and an added entry into one pair. */
function classifyPairs(aligned: readonly AlignedPair[], moves: readonly AlignedPair[], lists: Lists): readonly ChangedPair[] {
  const notMoved = aligned.filter(notIn(moves));
  const changedBreaks = findChangedBreaks(notMoved, lists);
  return [
    ...moves.map((pair): ChangedPair => ({ ...pair, change: 'moved' })),
    ...changedBreaks.map((pair): ChangedPair => ({ ...pair, change: 'changed' })),
    ...notMoved
      .filter(notIn(changedBreaks))
      .map((pair): ChangedPair => ({ ...pair, change: isKept(pair) ? 'kept' : pair.before === null ? 'added' : 'removed' })),
  ];
}

/** Returns a filter for the pairs that share no index with any of `joined`. */
function notIn(joined: readonly AlignedPair[]): (pair: AlignedPair) => boolean {
  const before = new Set(joined.map((pair) => pair.before));
  const after = new Set(joined.map((pair) => pair.after));
  return (pair) => !before.has(pair.before ?? -1) && !after.has(pair.after ?? -1);
}

/** Pairs removed with added ad breaks between the same two kept entries, in order: these are ad breaks whose length changed. */
function findChangedBreaks(pairs: readonly AlignedPair[], lists: Lists): readonly AlignedPair[] {
  const found: AlignedPair[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const endRun = () => {
    found.push(...removed.slice(0, added.length).map((before, index) => ({ before, after: added[index] ?? null })));
    removed = [];
    added = [];
  };
  for (const pair of pairs) {
    const { before, after } = pair;
    if (isKept(pair)) endRun();
    else if (before !== null && lists.before[before]?.type === 'ad') removed.push(before);
    else if (after !== null && lists.after[after]?.type === 'ad') added.push(after);
  }
  endRun();
  return found;
}

type EntriesByIndex = ReadonlyMap<number | null, DiffEntry>;

/** Merges the entries of both sides in the order in which they are aligned. */
function mergeSides(
  rows: readonly (AlignedPair | number)[],
  { before, after }: { readonly before: EntriesByIndex; readonly after: EntriesByIndex },
): readonly (MergedEntry | Fold)[] {
  return rows.flatMap((row): readonly (MergedEntry | Fold)[] => {
    if (typeof row === 'number') return [{ type: 'fold', count: row }];
    const entry = after.get(row.after);
    if (row.after !== null) return entry ? [{ ...entry, side: 'after' }] : [];
    const gone = before.get(row.before);
    return gone && gone.change !== 'changed' ? [{ ...gone, side: 'before' }] : [];
  });
}

/** Returns the entries of one side by their index in its list, from 0. */
function entriesByIndex(side: 'before' | 'after', pairs: readonly ChangedPair[], lists: Lists): EntriesByIndex {
  const otherSide = side === 'before' ? 'after' : 'before';
  return new Map(
    pairs.flatMap((pair): readonly (readonly [number, DiffEntry])[] => {
      const [index, otherIndex] = [pair[side], pair[otherSide]];
      const entry = lists[side][index ?? -1];
      const other = lists[otherSide][otherIndex ?? -1];
      if (index === null || !entry) return [];
      const counterpart = other && otherIndex !== null ? { counterpart: { position: otherIndex + 1, label: other.label } } : {};
      return [[index, { ...entry, change: pair.change, position: index + 1, ...counterpart }]];
    }),
  );
}
