/** Which machine takes which targets, so that several share a fleet without speaking to each other. */
import { createHash } from 'node:crypto';
import type { Shard } from './shard.ts';

/**
 * The shard that a target belongs to, from 1: the first four bytes of the SHA-256 of its name, as an unsigned big-endian number,
 * modulo `count`, plus 1. The README tells it to whoever computes it elsewhere, so it never changes.
 */
export function shardNumber(target: string, count: number): number {
  return (createHash('sha256').update(target).digest().readUInt32BE(0) % count) + 1;
}

/** Those of the targets that belong to the shard, in their order. */
export function inShard<Named extends { readonly name: string }>(targets: readonly Named[], { index, count }: Shard): readonly Named[] {
  return targets.filter(({ name }) => shardNumber(name, count) === index);
}
