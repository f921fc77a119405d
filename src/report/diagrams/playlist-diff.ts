/** Builds the diff of a playlist: which entries stayed, moved, changed, were added or removed. */
import type { FieldDifference } from '../../model/change.ts';
import { fieldName } from '../text/field-diff.ts';
import { alignLists, folded, movesIn, type Pair } from './list-alignment.ts';
import type { Block, Entry, EntryChange, PlaylistDiff } from './model.ts';
import { entriesIn, entryText, type PlaylistEntry as Listed } from './playlist-entries.ts';

/** Places that are shown of both sides together, folds counted as one. */
const MOST_PLACES = 80;
/** Places that are shown without folding anything. */
const FEW_PLACES = 20;

/** The two lists. */
interface Lists {
  readonly before: readonly Listed[];
  readonly after: readonly Listed[];
}

/** An entry of one list, of the other, or of both, as indices from 0. */
interface Couple extends Pair {
  readonly fate: EntryChange;
}

/** The timeline of a field, or null where the field is something else than such a list. */
export function playlistDiffOf({ path, before, after }: FieldDifference): PlaylistDiff | null {
  const lists = { before: entriesIn(before ?? []), after: entriesIn(after ?? []) };
  if (!lists.before || !lists.after || lists.before.length + lists.after.length === 0) return null;
  return { ...drawn({ before: lists.before, after: lists.after }), name: fieldName(path), isNew: before === null, isGone: after === null };
}

function drawn(lists: Lists): Omit<PlaylistDiff, 'name' | 'isNew' | 'isGone'> {
  const texts = { before: lists.before.map(entryText), after: lists.after.map(entryText) };
  const pairs = alignLists(texts.before, texts.after);
  const couples = couplesOf(pairs, movesIn(pairs, texts.before, texts.after), lists);
  const places = pairs.length > FEW_PLACES ? folded(pairs, stayed) : pairs;
  const shown = places.slice(0, MOST_PLACES);
  const side = (mine: 'before' | 'after'): readonly Block[] => {
    const entries = entriesOn(mine, couples, lists);
    return shown.flatMap((place): readonly Block[] => {
      if (typeof place === 'number') return [{ type: 'fold', count: place }];
      const entry = entries.get(place[mine]);
      return entry ? [entry] : [];
    });
  };
  const number = (fate: EntryChange) => couples.filter((couple) => couple.fate === fate).length;
  return {
    type: 'timeline',
    lengths: { before: lists.before.length, after: lists.after.length },
    before: side('before'),
    after: side('after'),
    counts: { moved: number('moved'), changed: number('changed'), added: number('added'), removed: number('removed') },
    unshown: places.slice(MOST_PLACES).reduce<number>((sum, place) => sum + (typeof place === 'number' ? place : 1), 0),
  };
}

function stayed({ before, after }: Pair): boolean {
  return before !== null && after !== null;
}

/** The pairs, of which those that belong together have become one. */
function couplesOf(pairs: readonly Pair[], moves: readonly Pair[], lists: Lists): readonly Couple[] {
  const isLeft = (couples: readonly Pair[]) => {
    const known = { before: new Set(couples.map(({ before }) => before)), after: new Set(couples.map(({ after }) => after)) };
    return ({ before, after }: Pair) => !known.before.has(before ?? -1) && !known.after.has(after ?? -1);
  };
  const unmoved = pairs.filter(isLeft(moves));
  const changes = changedBreaks(unmoved, lists);
  return [
    ...moves.map((pair): Couple => ({ ...pair, fate: 'moved' })),
    ...changes.map((pair): Couple => ({ ...pair, fate: 'changed' })),
    ...unmoved
      .filter(isLeft(changes))
      .map((pair): Couple => ({ ...pair, fate: stayed(pair) ? 'kept' : pair.before === null ? 'added' : 'removed' })),
  ];
}

/** An ad break that went where another came, between the same two entries that stayed, is one that has another length now. */
function changedBreaks(pairs: readonly Pair[], lists: Lists): readonly Pair[] {
  const found: Pair[] = [];
  let gone: number[] = [];
  let come: number[] = [];
  for (const pair of [...pairs, { before: -1, after: -1 }]) {
    const { before, after } = pair;
    if (stayed(pair)) {
      found.push(...gone.slice(0, come.length).map((was, index) => ({ before: was, after: come[index] ?? null })));
      gone = [];
      come = [];
    } else if (before !== null && lists.before[before]?.type === 'ad') gone.push(before);
    else if (after !== null && lists.after[after]?.type === 'ad') come.push(after);
  }
  return found;
}

/** The entries of one side by their indices, each knowing the other side of itself. */
function entriesOn(mine: 'before' | 'after', couples: readonly Couple[], lists: Lists): ReadonlyMap<number | null, Entry> {
  const theirs = mine === 'before' ? 'after' : 'before';
  return new Map(
    couples.flatMap(({ fate, ...pair }): readonly (readonly [number, Entry])[] => {
      const [at, otherAt] = [pair[mine], pair[theirs]];
      const entry = lists[mine][at ?? -1];
      const other = lists[theirs][otherAt ?? -1];
      if (at === null || !entry) return [];
      return [
        [at, { ...entry, fate, at: at + 1, ...(other && otherAt !== null ? { other: { at: otherAt + 1, label: other.label } } : {}) }],
      ];
    }),
  );
}
