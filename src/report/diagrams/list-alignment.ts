/** Aligns two lists: finds the entries that stayed in order and those that moved. */
import { diffArrays } from '../text/text-diff.ts';

/** Differences beyond which the shortest way from one list to the other is not looked for: the search costs their square. */
const MOST_DIFFERENCES = 60;
/** What stayed and is shown on each side of a difference. */
const CONTEXT = 1;

/** One place of the aligned lists, as indices from 0: on both sides what stayed, on one side what came, went or moved. */
export interface Pair {
  readonly before: number | null;
  readonly after: number | null;
}

/** Indices of one entry on both sides. */
type Couple = readonly [before: number, after: number];

/** Both lists as one, in the order of both. Takes little more time than the lists are long. */
export function alignLists(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const runs = diffArrays([...before], [...after], { maxEditLength: MOST_DIFFERENCES });
  if (!runs) return woven(inOrder(equals(before, after)), before.length, after.length);
  let was = 0;
  let is = 0;
  return runs.flatMap(({ value, added, removed }) =>
    value.map((): Pair => ({ before: added ? null : was++, after: removed ? null : is++ })),
  );
}

/** What went at one place and came at another, equal to it. The first of several equal ones becomes the first. */
export function movesIn(pairs: readonly Pair[], before: readonly string[], after: readonly string[]): readonly Pair[] {
  const gone = pairs.flatMap((pair) => (pair.after === null && pair.before !== null ? [pair.before] : []));
  const come = pairs.flatMap((pair) => (pair.before === null && pair.after !== null ? [pair.after] : []));
  const found = equals(
    gone.map((index) => before[index] ?? ''),
    come.map((index) => after[index] ?? ''),
  );
  return found.map(([was, is]) => ({ before: gone[was] ?? null, after: come[is] ?? null }));
}

/** The places, with each longer run of what stayed, away from any difference, as its length. */
export function folded<Place>(places: readonly Place[], stayed: (place: Place) => boolean): readonly (Place | number)[] {
  const near = new Set<number>();
  places.forEach((place, index) => {
    if (!stayed(place)) for (let other = index - CONTEXT; other <= index + CONTEXT; other++) near.add(other);
  });
  const shown: (Place | number)[] = [];
  let hidden: Place[] = [];
  const close = () => {
    shown.push(...(hidden.length > 1 ? [hidden.length] : hidden));
    hidden = [];
  };
  places.forEach((place, index) => {
    if (!near.has(index)) hidden.push(place);
    else {
      close();
      shown.push(place);
    }
  });
  close();
  return shown;
}

/** The first of several equal ones with the first on the other side, the second with the second. */
function equals(before: readonly string[], after: readonly string[]): readonly Couple[] {
  const places = new Map<string, number[]>();
  for (const [index, text] of after.entries()) {
    const known = places.get(text);
    if (known) known.push(index);
    else places.set(text, [index]);
  }
  const used = new Map<string, number>();
  return before.flatMap((text, index) => {
    const turn = used.get(text) ?? 0;
    used.set(text, turn + 1);
    const at = places.get(text)?.[turn];
    return at === undefined ? [] : [[index, at] as const];
  });
}

/** The longest part of the couples in which the second sides rise as the first ones do (patience sorting). */
function inOrder(couples: readonly Couple[]): readonly Couple[] {
  interface Link {
    readonly couple: Couple;
    readonly earlier: Link | undefined;
  }
  const piles: Link[] = [];
  for (const couple of couples) {
    let low = 0;
    for (let high = piles.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.couple[1] ?? 0) < couple[1]) low = middle + 1;
      else high = middle;
    }
    piles[low] = { couple, earlier: piles[low - 1] };
  }
  const chain: Couple[] = [];
  for (let link = piles.at(-1); link; link = link.earlier) chain.push(link.couple);
  return chain.reverse();
}

/** What stayed, with all that went and came between; what went stands first. */
function woven(stayed: readonly Couple[], before: number, after: number): readonly Pair[] {
  const pairs: Pair[] = [];
  let was = 0;
  let is = 0;
  const upTo = (nextWas: number, nextIs: number) => {
    for (; was < nextWas; was++) pairs.push({ before: was, after: null });
    for (; is < nextIs; is++) pairs.push({ before: null, after: is });
  };
  for (const [stayedWas, stayedIs] of stayed) {
    upTo(stayedWas, stayedIs);
    pairs.push({ before: was++, after: is++ });
  }
  upTo(before, after);
  return pairs;
}
