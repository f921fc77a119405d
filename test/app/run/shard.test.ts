import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseShard, shardNumber, targetsInShard } from '../../../src/app/run/shard.ts';
import { assertProperty } from '../../support/property.ts';

describe('the value of --shard', () => {
  test.each([
    ['1/1', { index: 1, count: 1 }],
    ['2/4', { index: 2, count: 4 }],
    ['10000/10000', { index: 10_000, count: 10_000 }],
  ])('%s is a valid shard', (word, shard) => {
    expect(parseShard(word)).toEqual(shard);
  });

  test.each([
    '',
    '1',
    '/',
    '1/',
    '/4',
    '0/4',
    '5/4',
    '1/0',
    '01/4',
    '1/04',
    '-1/4',
    '1.5/4',
    '1/4/4',
    ' 1/4',
    '1/4\n',
    '1/10001',
    '1/99999',
  ])('%j is an invalid shard', (word) => {
    expect(parseShard(word)).toBeNull();
  });
});

describe('the shard of a target', () => {
  // printf %s NAME | sha256sum | cut -c1-8, modulo the number of shards, plus 1.
  test.each([
    ['tenant-001', 4, 4],
    ['tenant-001', 7, 4],
    ['tenant-002', 4, 1],
    ['production', 7, 7],
    ['staging', 7, 6],
    ['a', 7, 3],
    ['x-9', 7, 6],
  ])('target %s belongs, of %d shards, to shard %d, and always will', (name, count, number) => {
    expect(shardNumber(name, count)).toBe(number);
  });

  test('every target is in exactly one shard, whatever other targets there are, and the order is kept', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { maxLength: 30 });
    assertProperty(
      fc.property(names, fc.integer({ min: 1, max: 12 }), (all, count) => {
        const targets = all.map((name) => ({ name }));
        const shards = Array.from({ length: count }, (_, index) => targetsInShard(targets, { index: index + 1, count }));
        expect(shards.flat().length).toBe(targets.length);
        for (const shard of shards) expect(shard).toEqual(targets.filter((target) => shard.includes(target)));
        for (const target of targets) {
          const alone = shards.findIndex((shard) => shard.includes(target)) + 1;
          expect(targetsInShard([target], { index: alone, count })).toEqual([target]);
        }
      }),
    );
  });

  test('two hundred names are spread evenly over four shards', () => {
    const names = Array.from({ length: 200 }, (_, n) => ({ name: `tenant-${String(n + 1).padStart(3, '0')}` }));
    const sizes = [1, 2, 3, 4].map((index) => targetsInShard(names, { index, count: 4 }).length);
    for (const size of sizes) expect(size).toBeGreaterThan(30);
  });
});
