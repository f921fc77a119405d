/** How long commits are looked at for one that is promoted. */
import { expect, test } from 'vitest';
import { firstFree, MAX_SEARCH_MS } from '../../../src/app/facts/promoted.ts';

const COMMITS = ['d', 'c', 'b', 'a'];

/** Looks at commits of which each takes some time. */
async function search(free: readonly string[], tookMs: number) {
  let time = 0;
  const looked: string[] = [];
  const isFree = async (commit: string) => {
    time += tookMs;
    looked.push(commit);
    return free.includes(commit);
  };
  return [await firstFree(COMMITS, isFree, () => time), looked];
}

test('the newest commit that is free is found, and no older one is looked at', async () => {
  expect(await search(['b', 'a'], 1)).toEqual([{ free: 'b' }, ['d', 'c', 'b']]);
  expect(await search([], 1)).toEqual([{ free: null }, COMMITS]);
});

test('a search that takes too long says how many commits it looked at, and finds none', async () => {
  expect(await search(['a'], MAX_SEARCH_MS / 2)).toEqual([{ looked: 3 }, ['d', 'c', 'b']]);
});

test('a search ends with what it finds within its time', async () => {
  expect(await search(['b'], MAX_SEARCH_MS / 2)).toEqual([{ free: 'b' }, ['d', 'c', 'b']]);
});
