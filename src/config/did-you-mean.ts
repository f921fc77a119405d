/** The name that was probably meant. */

/** Longer names are not compared: nobody mistypes them by a letter, and the comparison is quadratic in their length. */
const MAX_LENGTH = 64;

/** The known name nearest to a misspelt one, or undefined where none is near enough to be what was meant. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = plain(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(Math.min(candidate.length, name.length) / 3));
    if (candidate.length > MAX_LENGTH || Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(wanted, plain(candidate));
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Case and the choice of dash are no difference worth a letter. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
