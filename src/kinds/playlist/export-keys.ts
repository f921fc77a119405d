/** Keys for exported playlists: readable, unique, and the same whatever order the objects come in (design section 1). */

/** Keys that a source file refuses, because JavaScript gives them a meaning. */
const REFUSED = ['constructor', 'prototype'];

/**
 * A key for each description, in the order given (sorted by the caller): the description itself where it can be one, else a slug of it,
 * or of `nameless` where nothing of it can stand in a key. No key is one of `reserved`.
 */
export function uniqueKeys(descriptions: readonly string[], nameless = 'playlist', reserved: Iterable<string> = []): readonly string[] {
  const taken = new Set([...REFUSED, ...reserved]);
  const literal = descriptions.map((text) => (isKey(text) && !taken.has(text) ? take(text, taken) : undefined));
  const lastNumber = new Map<string, number>();
  return descriptions.map((text, index) => literal[index] ?? numbered(slug(text) || nameless, taken, lastNumber));
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(text);
}

function take(key: string, taken: Set<string>): string {
  taken.add(key);
  return key;
}

/** Accents are dropped, everything else that a key cannot hold becomes a dash; empty where nothing is left. */
export function slug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return dashed.slice(0, 60).replace(/-$/, '');
}

/** The slug, or with the first number that is free; numbers already given are not tried again. */
function numbered(base: string, taken: Set<string>, lastNumber: Map<string, number>): string {
  let number = lastNumber.get(base) ?? 1;
  let key = number === 1 ? base : `${base}-${number}`;
  while (taken.has(key)) {
    number += 1;
    key = `${base}-${number}`;
  }
  lastNumber.set(base, number);
  return take(key, taken);
}
