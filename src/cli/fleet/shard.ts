/** One part of a fleet, of `count`, counted from 1 (`--shard i/n`). */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Most parts of a fleet. */
export const MOST_SHARDS = 10_000;

/** Reads `i/n`; null where it is none. */
export function shardOf(word: string): Shard | null {
  const [, index, count] = (/^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(word) ?? []).map(Number);
  if (index === undefined || count === undefined || index > count || count > MOST_SHARDS) return null;
  return { index, count };
}
