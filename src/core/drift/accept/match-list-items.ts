/** Aligns two lists: which items are unchanged, changed in place, removed or added. */
import { equal, isJsonObject, type Json, stableJson } from '../../model/json.ts';

/** One item of the new list, and the index of the old item that it keeps or changes (null = added). */
export interface AlignedItem {
  readonly to: number;
  readonly from: number | null;
}

/** Above this number of pairs only equal items are aligned. */
const MAX_PAIRS = 250_000;

/** The similarity of equal items; more than that of any similar ones. */
const EQUAL = 1_000;

/** Aligns each new item with an old one. Old items that are not aligned are removed. Prefers equal items, then maps with the same keys. */
export function alignItems(was: readonly Json[], is: readonly Json[]): readonly AlignedItem[] {
  const shorter = Math.min(was.length, is.length);
  let head = 0;
  while (head < shorter && equal(was[head], is[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && equal(was[was.length - 1 - tail], is[is.length - 1 - tail])) tail += 1;
  const [oldMiddle, newMiddle] = [was.slice(head, was.length - tail), is.slice(head, is.length - tail)];
  const middle = oldMiddle.length * newMiddle.length > MAX_PAIRS ? alignEqual(oldMiddle, newMiddle) : alignSimilar(oldMiddle, newMiddle);
  return is.map((_, to): AlignedItem => {
    if (to < head) return { to, from: to };
    if (to >= is.length - tail) return { to, from: to - is.length + was.length };
    const from = middle[to - head] ?? null;
    return { to, from: from === null ? null : from + head };
  });
}

/** Aligns equal items in order, each with the next unused one. */
function alignEqual(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  const indices = new Map<string, number[]>();
  for (const [index, item] of was.entries()) indices.set(stableJson(item), [...(indices.get(stableJson(item)) ?? []), index]);
  let last = -1;
  return is.map((item) => {
    const from = indices.get(stableJson(item))?.find((index) => index > last);
    last = from ?? last;
    return from ?? null;
  });
}

/** Finds the alignment with the greatest similarity, by dynamic programming. */
function alignSimilar(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  const best = Array.from({ length: was.length + 1 }, () => new Array<number>(is.length + 1).fill(0));
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  const similarities = was.map((oldItem) => is.map((newItem) => similarityOf(oldItem, newItem)));
  for (let row = was.length - 1; row >= 0; row--) {
    for (let column = is.length - 1; column >= 0; column--) {
      const similarity = similarities[row]?.[column] ?? 0;
      const paired = similarity > 0 ? similarity + at(row + 1, column + 1) : 0;
      const line = best[row];
      if (line) line[column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  const found: (number | null)[] = [];
  for (let column = 0; column < is.length; column++) {
    while (row < was.length && at(row, column) === at(row + 1, column)) row += 1;
    const similarity = similarities[row]?.[column] ?? 0;
    const isPaired = row < was.length && similarity > 0 && at(row, column) === similarity + at(row + 1, column + 1);
    found.push(isPaired ? row : null);
    if (isPaired) row += 1;
  }
  return found;
}

/** Returns how similar two items are; 0 = one cannot be changed to the other in place. */
function similarityOf(a: Json, b: Json): number {
  if (equal(a, b)) return EQUAL;
  if (!isJsonObject(a) || !isJsonObject(b)) return 0;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const shared = [...keys].filter((key) => a[key] !== undefined && b[key] !== undefined);
  const equalKeys = shared.filter((key) => equal(a[key], b[key]));
  return shared.length + 10 * equalKeys.length;
}
