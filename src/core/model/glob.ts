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

/** Decides whether a glob matches every text that another one matches: of a `*` of that one, only a `*` can match any text. */
export function coversGlob(wide: string, narrow: string): boolean {
  return matchesGlob(wide, narrow);
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

/**
 * Decides whether there is a text that both globs match. Between the texts before their first and after their last `*`, such a text may hold
 * all other parts of the one and then all of the other, so that only these two have to fit.
 */
export function globsOverlap(a: string, b: string): boolean {
  if (!a.includes('*')) return matchesGlob(b, a);
  if (!b.includes('*')) return matchesGlob(a, b);
  const starts = [a, b].map((glob) => glob.slice(0, glob.indexOf('*'))).sort((x, y) => x.length - y.length);
  const ends = [a, b].map((glob) => glob.slice(glob.lastIndexOf('*') + 1)).sort((x, y) => x.length - y.length);
  const [[shortStart = '', longStart = ''], [shortEnd = '', longEnd = '']] = [starts, ends];
  return longStart.startsWith(shortStart) && longEnd.endsWith(shortEnd);
}
