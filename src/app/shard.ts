/** `--shard i/n`: which machine takes which targets, so that several share them without speaking to each other. */
import { createHash } from 'node:crypto';

/** One part of the targets, of `count`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Most parts that the targets are divided into. */
export const MOST_SHARDS = 10_000;

/** Reads `i/n`; null where it is none. */
export function shardOf(word: string): Shard | null {
  const [, index, count] = (/^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(word) ?? []).map(Number);
  if (index === undefined || count === undefined || index > count || count > MOST_SHARDS) return null;
  return { index, count };
}

/**
 * Returns the shard that a target belongs to, from 1: the first four bytes of the SHA-256 of its name, as an unsigned big-endian number,
 * modulo `count`, plus 1. docs/operations.md describes it for those who compute it elsewhere, so it never changes.
 */
export function shardNumber(target: string, count: number): number {
  return (createHash('sha256').update(target).digest().readUInt32BE(0) % count) + 1;
}

/** Returns those of the targets that belong to the shard, in their order. */
export function inShard<Named extends { readonly name: string }>(targets: readonly Named[], { index, count }: Shard): readonly Named[] {
  return targets.filter(({ name }) => shardNumber(name, count) === index);
}
