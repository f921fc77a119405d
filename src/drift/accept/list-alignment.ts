/** Two lists held against each other: what stays, what is changed in its place, what goes and what comes. */
import { equal, isJsonObject, type Json, stableJson } from '../../model/json.ts';

/** One item of the new list, and the old one that it keeps or changes (null = it is new); in the order of the new list. */
export interface AlignedItem {
  readonly to: number;
  readonly from: number | null;
}

/** Above this many pairs only equal items are looked for. */
const MOST_PAIRS = 250_000;

/** What an equal item weighs against any number of similar ones. */
const SAME = 1_000;

/** Which old item each new one is; old items that are none of them go. Equal items are found first, then maps with the same keys. */
export function alignItems(was: readonly Json[], is: readonly Json[]): readonly AlignedItem[] {
  const shorter = Math.min(was.length, is.length);
  let head = 0;
  while (head < shorter && equal(was[head], is[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && equal(was[was.length - 1 - tail], is[is.length - 1 - tail])) tail += 1;
  const [old, young] = [was.slice(head, was.length - tail), is.slice(head, is.length - tail)];
  const middle = old.length * young.length > MOST_PAIRS ? byEquality(old, young) : bySimilarity(old, young);
  return is.map((_, to): AlignedItem => {
    if (to < head) return { to, from: to };
    if (to >= is.length - tail) return { to, from: to - is.length + was.length };
    const from = middle[to - head] ?? null;
    return { to, from: from === null ? null : from + head };
  });
}

/** Equal items in their order, each the next one that is left. */
function byEquality(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  const places = new Map<string, number[]>();
  for (const [index, item] of was.entries()) places.set(stableJson(item), [...(places.get(stableJson(item)) ?? []), index]);
  let last = -1;
  return is.map((item) => {
    const from = places.get(stableJson(item))?.find((index) => index > last);
    last = from ?? last;
    return from ?? null;
  });
}

/** The alignment with the greatest likeness. */
function bySimilarity(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  const best = Array.from({ length: was.length + 1 }, () => new Array<number>(is.length + 1).fill(0));
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  const likeness = was.map((old) => is.map((young) => alike(old, young)));
  for (let row = was.length - 1; row >= 0; row--) {
    for (let column = is.length - 1; column >= 0; column--) {
      const like = likeness[row]?.[column] ?? 0;
      const paired = like > 0 ? like + at(row + 1, column + 1) : 0;
      const line = best[row];
      if (line) line[column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  const found: (number | null)[] = [];
  for (let column = 0; column < is.length; column++) {
    while (row < was.length && at(row, column) === at(row + 1, column)) row += 1;
    const like = likeness[row]?.[column] ?? 0;
    const isPaired = row < was.length && like > 0 && at(row, column) === like + at(row + 1, column + 1);
    found.push(isPaired ? row : null);
    if (isPaired) row += 1;
  }
  return found;
}

/** 0 = one cannot become the other in its place. */
function alike(a: Json, b: Json): number {
  if (equal(a, b)) return SAME;
  if (!isJsonObject(a) || !isJsonObject(b)) return 0;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const shared = [...keys].filter((key) => a[key] !== undefined && b[key] !== undefined);
  const agreeing = shared.filter((key) => equal(a[key], b[key]));
  return shared.length + 10 * agreeing.length;
}
