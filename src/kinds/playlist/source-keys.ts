/** Keys for exported playlists: readable, unique, and independent of the order of the objects (design section 1). */

/** Keys that source files may not contain, because JavaScript gives them a meaning. */
const FORBIDDEN_KEYS = ['constructor', 'prototype'];

/**
 * Builds a unique key for each description, in the given order: the description itself where it is a valid key, otherwise a slug of it, or
 * `fallback` where the slug is empty. The caller sorts the descriptions. No key is in `reserved`.
 */
export function uniqueKeys(descriptions: readonly string[], fallback = 'playlist', reserved: Iterable<string> = []): readonly string[] {
  const usedKeys = new Set([...FORBIDDEN_KEYS, ...reserved]);
  const unchanged = descriptions.map((text) => (isKey(text) && !usedKeys.has(text) ? reserve(text, usedKeys) : undefined));
  const lastNumber = new Map<string, number>();
  return descriptions.map((text, index) => unchanged[index] ?? withNumber(slug(text) || fallback, usedKeys, lastNumber));
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(text);
}

function reserve(key: string, usedKeys: Set<string>): string {
  usedKeys.add(key);
  return key;
}

/** Converts a text to a key: drops accents, and replaces all other invalid characters by dashes. May be empty. */
export function slug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return dashed.slice(0, 60).replace(/-$/, '');
}

/**
 * Returns the slug, with the first free number where it is in use. `lastNumber` holds the last number of each slug, so that the search does
 * not start again at 2.
 */
function withNumber(base: string, usedKeys: Set<string>, lastNumber: Map<string, number>): string {
  let number = lastNumber.get(base) ?? 1;
  let key = number === 1 ? base : `${base}-${number}`;
  while (usedKeys.has(key)) {
    number += 1;
    key = `${base}-${number}`;
  }
  lastNumber.set(base, number);
  return reserve(key, usedKeys);
}
