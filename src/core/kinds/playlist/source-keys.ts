/** Keys for exported objects: readable where their titles are, unique, and the same in any order (design section 5, export). */
import { createHash } from 'node:crypto';

/** Keys that source files may not contain, because JavaScript gives them a meaning. */
const FORBIDDEN_KEYS = ['constructor', 'prototype'];

/** Number of digits of the hash behind the readable part, where that does not tell objects apart: none, some, all. */
const HASH_LENGTHS = [0, 8, 64] as const;

/** An object that gets a key. */
export interface Titled {
  readonly title: string;
  /** The remote ID, unique among the objects. */
  readonly id: string;
}

/**
 * Returns a key for each object. It is the title where that is a valid key, otherwise a slug of it. A hash of the ID is added if several
 * objects would get the same key (to all of them), or if the slug drops letters of the title. Without a readable part it is added to
 * `fallback`. No key is in `reserved`.
 */
export function uniqueKeys(objects: readonly Titled[], fallback: string, reserved: Iterable<string> = []): readonly string[] {
  const reservedKeys = new Set([...FORBIDDEN_KEYS, ...reserved]);
  let lengths: readonly number[] = objects.map(({ title }) => (isKey(title) || isWhole(title) ? 0 : 1));
  for (;;) {
    const keys = objects.map((object, index) => keyOf(object, fallback, HASH_LENGTHS[lengths[index] ?? 0] ?? 0));
    const seen = new Set<string>();
    const repeated = new Set(keys.filter((key) => seen.size === seen.add(key).size));
    const longer = keys.map((key, index) => {
      const length = lengths[index] ?? 0;
      return repeated.has(key) || reservedKeys.has(key) ? Math.min(length + 1, HASH_LENGTHS.length - 1) : length;
    });
    if (longer.every((length, index) => length === lengths[index])) return keys;
    lengths = longer;
  }
}

function keyOf({ title, id }: Titled, fallback: string, hashLength: number): string {
  const readable = isKey(title) ? title : slug(title) || fallback;
  return hashLength === 0 ? readable : `${readable}-${createHash('sha256').update(id).digest('hex').slice(0, hashLength)}`;
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(text);
}

/** Decides whether the slug of a title keeps every letter and digit of it. */
function isWhole(title: string): boolean {
  const plain = withoutAccents(title);
  return /[a-z0-9]/.test(plain) && !/[^a-z0-9\P{L}]|[^a-z0-9\P{N}]/u.test(plain);
}

/** Converts a text to a key: drops accents, and replaces all other invalid characters by dashes. May be empty. */
export function slug(text: string): string {
  const dashed = withoutAccents(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  return dashed.slice(0, 60).replace(/-$/, '');
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
