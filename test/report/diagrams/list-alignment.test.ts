import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignLists, folded, movesIn } from '../../../src/report/diagrams/list-alignment.ts';

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });

/** Lists that differ in far more places than the shortest way is looked for. */
const long = Array.from({ length: 400 }, (_, index) => `e${index}`);
const shuffled = long.map((_, index) => long[(index * 171) % long.length] ?? '');

/** The length of the longest rising part of a list, found by looking at every pair. */
function longestRise(numbers: readonly number[]): number {
  const lengths: number[] = [];
  for (const [index, number] of numbers.entries())
    lengths.push(1 + Math.max(0, ...lengths.filter((_, earlier) => (numbers[earlier] ?? 0) < number && earlier < index)));
  return Math.max(...lengths);
}

describe('aligned', () => {
  it('holds both lists in their order, and pairs equals only', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const pairs = alignLists(before, after);
        expect(pairs.flatMap((pair) => pair.before ?? [])).toEqual([...before.keys()]);
        expect(pairs.flatMap((pair) => pair.after ?? [])).toEqual([...after.keys()]);
        for (const pair of pairs) if (pair.before !== null && pair.after !== null) expect(before[pair.before]).toBe(after[pair.after]);
      }),
    );
  });

  it('does so for lists that have hardly anything in common, and keeps what it can', () => {
    const pairs = alignLists(long, shuffled);
    expect(pairs.flatMap((pair) => pair.before ?? [])).toEqual([...long.keys()]);
    expect(pairs.flatMap((pair) => pair.after ?? [])).toEqual([...long.keys()]);
    const kept = pairs.filter(({ before, after }) => before !== null && after !== null);
    expect(kept).toHaveLength(longestRise(shuffled.map((text) => long.indexOf(text))));
    const half = [...long.filter((_, index) => index % 2 === 0), ...long.filter((_, index) => index % 2 === 1)];
    expect(alignLists(long, half).filter(({ before, after }) => before !== null && after !== null).length).toBeGreaterThanOrEqual(200);
  });
});

describe('movesIn', () => {
  it('pairs each entry that went with one that came and is equal, once', () => {
    const before = ['a', 'b', 'c', 'b'];
    const after = ['c', 'b', 'a', 'b', 'b'];
    const moves = movesIn(
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

  it('finds that a list in another order has only moved', () => {
    fc.assert(
      fc.property(texts, (before) => {
        const after = before.toReversed();
        const pairs = alignLists(before, after);
        expect(movesIn(pairs, before, after)).toHaveLength(pairs.filter(({ after: to }) => to === null).length);
      }),
    );
  });
});

it('folded: long runs of what stayed, but for one beside each difference', () => {
  expect(folded(['=', '=', '=', '+', '=', '=', '='], (sign) => sign === '=')).toEqual([2, '=', '+', '=', 2]);
  expect(folded(['=', '=', '+'], (sign) => sign === '=')).toEqual(['=', '=', '+']);
});
