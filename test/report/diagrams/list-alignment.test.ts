import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignLists, findMoves, foldUnchanged } from '../../../src/report/diagrams/list-alignment.ts';
import { assertProperty } from '../../support/property.ts';

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });

/** Lists with far more differences than a shortest edit script is searched for. */
const long = Array.from({ length: 400 }, (_, index) => `e${index}`);
const shuffled = long.map((_, index) => long[(index * 171) % long.length] ?? '');

/** Returns the length of the longest increasing subsequence, found by comparing every pair. */
function longestIncreasing(numbers: readonly number[]): number {
  const lengths: number[] = [];
  for (const [index, number] of numbers.entries())
    lengths.push(1 + Math.max(0, ...lengths.filter((_, earlier) => (numbers[earlier] ?? 0) < number && earlier < index)));
  return Math.max(...lengths);
}

describe('alignLists', () => {
  it('keeps the order of both lists and pairs equal entries only', () => {
    assertProperty(
      fc.property(texts, texts, (before, after) => {
        const pairs = alignLists(before, after);
        expect(pairs.flatMap((pair) => pair.before ?? [])).toEqual([...before.keys()]);
        expect(pairs.flatMap((pair) => pair.after ?? [])).toEqual([...after.keys()]);
        for (const pair of pairs) if (pair.before !== null && pair.after !== null) expect(before[pair.before]).toBe(after[pair.after]);
      }),
    );
  });

  it('pairs as many entries as possible of lists that have little in common', () => {
    const pairs = alignLists(long, shuffled);
    expect(pairs.flatMap((pair) => pair.before ?? [])).toEqual([...long.keys()]);
    expect(pairs.flatMap((pair) => pair.after ?? [])).toEqual([...long.keys()]);
    const kept = pairs.filter(({ before, after }) => before !== null && after !== null);
    expect(kept).toHaveLength(longestIncreasing(shuffled.map((text) => long.indexOf(text))));
    const half = [...long.filter((_, index) => index % 2 === 0), ...long.filter((_, index) => index % 2 === 1)];
    expect(alignLists(long, half).filter(({ before, after }) => before !== null && after !== null).length).toBeGreaterThanOrEqual(200);
  });
});

describe('findMoves', () => {
  it('pairs each removed entry with one equal added entry, once', () => {
    const before = ['a', 'b', 'c', 'b'];
    const after = ['c', 'b', 'a', 'b', 'b'];
    const moves = findMoves(
      [
        { before: 0, after: null },
        { before: 1, after: null },
        { before: 2, after: 0 },
        { before: 3, after: 1 },
        { before: null, after: 2 },
        { before: null, after: 3 },
        { before: null, after: 4 },
      ],
      before,
      after,
    );
    expect(moves).toEqual([
      { before: 0, after: 2 },
      { before: 1, after: 3 },
    ]);
  });

  it('finds only moves between a list and its reverse', () => {
    assertProperty(
      fc.property(texts, (before) => {
        const after = before.toReversed();
        const pairs = alignLists(before, after);
        expect(findMoves(pairs, before, after)).toHaveLength(pairs.filter(({ after: to }) => to === null).length);
      }),
    );
  });
});

it('folds long runs of unchanged rows, except one row beside each difference', () => {
  expect(foldUnchanged(['=', '=', '=', '+', '=', '=', '='], (sign) => sign === '=')).toEqual([2, '=', '+', '=', 2]);
  expect(foldUnchanged(['=', '=', '+'], (sign) => sign === '=')).toEqual(['=', '=', '+']);
});
