/** Decides whether a glob matches an address or a name. `*`, the only special character, also matches `/` (design section 1). */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return glob === text;
  if (!text.startsWith(first)) return false;
  const last = parts[parts.length - 1] ?? '';
  const end = text.length - last.length;
  if (end < first.length || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** Returns a function that gives the places of the globs that match a text, in order. Globs without `*` are looked up, the others are tried. */
export function indexGlobs(globs: readonly string[]): (text: string) => readonly number[] {
  const exact = new Map<string, number[]>();
  const tried: (readonly [string, number])[] = [];
  for (const [place, glob] of globs.entries()) {
    const places = exact.get(glob);
    if (glob.includes('*')) tried.push([glob, place]);
    else if (places) places.push(place);
    else exact.set(glob, [place]);
  }
  return (text) => {
    const matching = tried.flatMap(([glob, place]) => (matchesGlob(glob, text) ? [place] : []));
    const equal = exact.get(text) ?? [];
    return matching.length === 0 ? equal : [...matching, ...equal].sort((a, b) => a - b);
  };
}

/** Decides whether a glob can match an address that begins with `prefix`, to find out which kinds `--only` selects. */
export function mayMatchBelow(glob: string, prefix: string): boolean {
  const star = glob.indexOf('*');
  const literal = star < 0 ? glob : glob.slice(0, star);
  return literal.startsWith(prefix) || (star >= 0 && prefix.startsWith(literal));
}

/** Decides whether there is a text that both globs match. */
export function globsOverlap(a: string, b: string): boolean {
  // Of each glob, the positions that a common beginning of such a text may have reached. A position at `*` reaches the next one as well.
  const reached = (glob: string, position: number) => (glob[position] === '*' ? [position, position + 1] : [position]);
  const seen = new Set<number>();
  const pending: (readonly [number, number])[] = [[0, 0]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [i, j] = next;
    const key = i * (b.length + 1) + j;
    if (seen.has(key)) continue;
    seen.add(key);
    if (i === a.length && j === b.length) return true;
    for (const at of reached(a, i).slice(1)) pending.push([at, j]);
    for (const at of reached(b, j).slice(1)) pending.push([i, at]);
    const [x, y] = [a[i], b[j]];
    if (x === undefined || y === undefined) continue;
    // Both read one character: `*` reads any and stays.
    if (x === '*' && y !== '*') pending.push([i, j + 1]);
    else if (y === '*' && x !== '*') pending.push([i + 1, j]);
    else if (x === y && x !== '*') pending.push([i + 1, j + 1]);
  }
  return false;
}
