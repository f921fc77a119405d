/** Suggests the name that was probably meant. */
import { firstOf } from '../model/collections.ts';

/** Maximum length of a compared name; the comparison is quadratic in the length. */
const MAX_LENGTH = 64;

/** Returns the known name that is most similar to a misspelled one; undefined where none is similar enough. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const normalized = normalize(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(Math.min(candidate.length, name.length) / 3));
    if (candidate.length > MAX_LENGTH || Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(normalized, normalize(candidate));
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Returns the hint for a name that is not declared under a key of the sources: the one that was probably meant, or those that exist. */
export function hintAtName(name: string, known: readonly string[], key: string): string {
  const near = suggest(name, known);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  if (known.length === 0) return `Declare it under \`${key}\` in any source of the target.`;
  return `Those under \`${key}\` are ${firstOf(known, 10).join(', ')}.`;
}

/** Returns the name in lower case with underscores instead of dashes, so that these differences do not count. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/**
 * Returns the number of insertions, deletions and replacements of one character, and of swaps of two neighbors (the distance of optimal
 * string alignment).
 */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replacement = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swap = isSwap ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replacement, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
