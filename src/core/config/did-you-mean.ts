/** Suggests the name that was probably meant. */
import { firstOf } from '../model/collections.ts';

/** Names to look in, which do not change after the first look: a list, or the keys of a map. */
export type KnownNames = readonly string[] | Pick<ReadonlyMap<string, unknown>, 'keys'>;

/** Maximum length of a compared name; the comparison is quadratic in the length. */
const MAX_LENGTH = 64;
/** How many entries of an index are visited for one name, and how many known names are then compared with it, whatever the number of names. */
const MAX_VISITED = 4_096;
const MAX_COMPARED = 64;

/** Known names, and for each pair of neighboring characters the places of those that have it. */
interface NameIndex {
  readonly names: readonly string[];
  readonly byPair: ReadonlyMap<string, readonly number[]>;
}

const indexes = new WeakMap<KnownNames, NameIndex>();

/** Returns the known name that is most similar to a misspelled one; undefined where none is similar enough. */
export function suggest(name: string, known: KnownNames): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of candidatesFor(name, known)) {
    const limit = Math.max(1, Math.floor(Math.min(candidate.length, name.length) / 3));
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(normalize(name), normalize(candidate));
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Returns the hint for a name that is not declared under a key of the sources: the one that was probably meant, or those that exist. */
export function hintAtName(name: string, known: KnownNames, key: string): string {
  const near = suggest(name, known);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  if (indexOf(known).names.length === 0) return `Declare it under \`${key}\` in any source of the target.`;
  return `Those under \`${key}\` are ${firstNames(known)}.`;
}

/** Returns the first ten of known names, and how many there are besides. */
export function firstNames(known: KnownNames): string {
  return firstOf(indexOf(known).names, 10).join(', ');
}

/** Returns the index of known names. It is built once for each list or map. */
function indexOf(known: KnownNames): NameIndex {
  const existing = indexes.get(known);
  if (existing) return existing;
  const names = 'length' in known ? known : [...known.keys()];
  const byPair = new Map<string, number[]>();
  for (const [place, name] of names.entries()) {
    if (name.length > MAX_LENGTH) continue;
    for (const pair of pairsIn(normalize(name))) {
      const places = byPair.get(pair);
      if (places) places.push(place);
      else byPair.set(pair, [place]);
    }
  }
  const index = { names, byPair };
  indexes.set(known, index);
  return index;
}

/** Returns the known names that share the most pairs of characters with a name, in their order. Rare pairs are looked up first. */
export function candidatesFor(name: string, known: KnownNames): readonly string[] {
  const { names, byPair } = indexOf(known);
  const lists = [...pairsIn(normalize(name))].map((pair) => byPair.get(pair) ?? []).sort((a, b) => a.length - b.length);
  const shared = new Map<number, number>();
  let left = MAX_VISITED;
  for (const list of lists) {
    for (const place of list.slice(0, left)) shared.set(place, (shared.get(place) ?? 0) + 1);
    left = Math.max(0, left - list.length);
  }
  const nearest = [...shared].sort(([, a], [, b]) => b - a).slice(0, MAX_COMPARED);
  return nearest
    .map(([place]) => place)
    .sort((a, b) => a - b)
    .flatMap((place) => names[place] ?? []);
}

/** Returns the pairs of neighboring characters of a name, of which the first and the last character have one with nothing. */
function pairsIn(name: string): ReadonlySet<string> {
  return new Set(Array.from({ length: name.length + 1 }, (_, start) => ` ${name} `.slice(start, start + 2)));
}

/** Returns the name in lower case with underscores instead of dashes, so that these differences do not count. */
/** A name in percent-encoding and as it is written are the same. */
function normalize(name: string): string {
  const decoded = name.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
  return decoded.toLowerCase().replaceAll('-', '_');
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
