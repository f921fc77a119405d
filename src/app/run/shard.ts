/** `--shard i/n`: divides the targets among machines that do not communicate. */
import { createHash } from 'node:crypto';

/** One part of the targets, of `count`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Maximum number of shards. */
export const MAX_SHARDS = 10_000;

/** Parses `i/n`; null if it is invalid. */
export function parseShard(word: string): Shard | null {
  const [, index, count] = (/^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(word) ?? []).map(Number);
  if (index === undefined || count === undefined || index > count || count > MAX_SHARDS) return null;
  return { index, count };
}

/**
 * Returns the shard that a target belongs to, from 1: the first four bytes of the SHA-256 of its name, as an unsigned big-endian number,
 * modulo `count`, plus 1. It is documented for scripts that compute it elsewhere, so it never changes.
 */
export function shardNumber(target: string, count: number): number {
  return (createHash('sha256').update(target).digest().readUInt32BE(0) % count) + 1;
}

/** Returns the targets that belong to the shard, in their order. */
export function targetsInShard<Named extends { readonly name: string }>(
  targets: readonly Named[],
  { index, count }: Shard,
): readonly Named[] {
  return targets.filter(({ name }) => shardNumber(name, count) === index);
}
