/** Items of two lists are matched so that as few as possible are written again. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignItems } from '../../../../src/core/drift/accept/match-list-items.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';

function fromOf(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  return alignItems(was, is).map(({ from }) => from);
}

describe('matching the items of two lists', () => {
  test.each<readonly [string, readonly Json[], readonly Json[], readonly (number | null)[]]>([
    ['keeps the items around an added one', ['a', 'b'], ['a', 'x', 'b'], [0, null, 1]],
    ['keeps the items around a removed one', ['a', 'x', 'b'], ['a', 'b'], [0, 2]],
    ['never matches different strings', ['a', 'b'], ['a', 'c'], [0, null]],
    ['matches a map with the same keys and other values', [{ ad: 60 }, { beam: 'x' }], [{ ad: 90 }, { beam: 'x' }], [0, 1]],
    ['never matches maps without a common key', [{ ad: 60 }], [{ beam: 'x' }], [null]],
    [
      'matches the more similar map',
      [
        { t: 'SD', l: 1 },
        { t: 'HD', l: 1 },
      ],
      [{ t: 'HD', l: 3 }],
      [1],
    ],
    ['matches the last of equally similar maps', [{ ad: 1 }, { ad: 2 }], [{ ad: 3 }], [1]],
    ['matches the map with more common keys', [{ a: 1, b: 1 }, { a: 1 }], [{ a: 9, b: 9 }], [0]],
    ['ignores keys that only one of two maps has', [{ a: 1 }, { b: 1, c: 1 }], [{ a: 9, d: 1, e: 1 }], [0]],
    [
      'prefers an equal member to common keys',
      [
        { a: 1, b: 1 },
        { a: 2, b: 1, c: 1, d: 1 },
      ],
      [{ a: 1, b: 9, c: 9, d: 9 }],
      [0],
    ],
    ['never matches a map with a string', [{ 0: 'a' }], ['a'], [null]],
    ['never matches a string with a map', ['a'], [{ 0: 'a' }], [null]],
    ['never matches null with a map', [null], [{ a: 1 }], [null]],
    ['never matches different lists', [[1, 2]], [[1, 3]], [null]],
    ['matches an item once, from the beginning', ['a', 'a'], ['a'], [0]],
    ['keeps the beginning where an item is added at the end', ['a'], ['a', 'a'], [0, null]],
    ['keeps both ends around replaced items', ['a', 'x', 'c'], ['a', 'y', 'z', 'c'], [0, null, null, 2]],
    ['keeps the end behind removed items', ['x', 'y', 'c', 'd'], ['c', 'd'], [2, 3]],
    ['treats a moved item as new', ['a', 'b'], ['b', 'a'], [1, null]],
    ['accepts that all items are removed', ['a'], [], []],
    ['accepts that all items are new', [], ['a', 'b'], [null, null]],
    ['matches two similar maps in their order', [{ ad: 1 }, 'x', { beam: 1 }], [{ ad: 2 }, { beam: 2 }, 'y'], [0, 2, null]],
    ['prefers an equal item to an earlier similar one', [{ ad: 1 }, 'x'], [{ ad: 2 }, { ad: 1 }, 'y'], [null, 0, null]],
    ['never matches an item of the end twice', [{ ad: 2 }, 'x', { ad: 2 }], [{ ad: 5 }, { ad: 2 }], [0, 2]],
    ['prefers equal items to similar ones', [{ ad: 1 }, { ad: 2 }], [{ ad: 2 }, { ad: 3 }], [1, null]],
  ])('%s', (_name, was, is, from) => {
    expect(fromOf(was, is)).toEqual(from);
  });

  test('returns every new item, in order', () => {
    expect(alignItems(['a'], ['b', 'a'])).toEqual([
      { to: 0, from: null },
      { to: 1, from: 0 },
    ]);
  });
});

describe('matching the items of long lists', () => {
  const maps = (length: number, from: number) => Array.from({ length }, (_, index) => ({ ad: from + index }));

  test('compares similar items for at most 250,000 pairs', () => {
    const places = [...Array(500).keys()];
    expect(fromOf(maps(500, 0), maps(500, 1_000))).toEqual(places);
    expect(fromOf(maps(501, 0), maps(500, 1_000))).toEqual(places.map(() => null));
  });

  test('matches a changed item between unchanged ones', () => {
    const [was, is] = [1, 2].map((ad) => [...maps(600, 1_000), { ad }, ...maps(600, 2_000)]);
    expect(fromOf(was ?? [], is ?? [])).toEqual([...Array(1_201).keys()]);
  });

  test('matches the equal items of lists with little in common', () => {
    const was = Array.from({ length: 2_000 }, (_, index) => `old ${index}`);
    const is = was.map((item, index) => (index % 2 === 0 ? item : `new ${index}`));
    expect(fromOf(was, is)).toEqual(was.map((_, index) => (index % 2 === 0 ? index : null)));
  });

  test('matches each item once, and in order', () => {
    const was = ['p', 'q', ...maps(600, 0), 'q', { x: 1, y: 2 }, 'end'];
    const is = ['q', 'p', ...maps(600, 1_000), 'q', 'q', { y: 2, x: 1 }, 'new', 'end'];
    expect(alignItems(was, is).filter(({ from }) => from !== null)).toEqual([
      { to: 0, from: 1 },
      { to: 602, from: 602 },
      { to: 604, from: 603 },
      { to: 606, from: 604 },
    ]);
  });
});

test('items are matched at most once and in order, and equal lists match completely', () => {
  const list = fc.array(fc.oneof(fc.nat(3), fc.record({ ad: fc.nat(2) })), { maxLength: 8 });
  assertProperty(
    fc.property(list, list, (was, is) => {
      const used = fromOf(was, is).filter((from) => from !== null);
      expect(used).toEqual([...new Set(used)].sort((a, b) => a - b));
      expect(fromOf(was, was)).toEqual(was.map((_, index) => index));
    }),
  );
});

test('as many equal items as possible are matched', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  assertProperty(
    fc.property(list, list, (was, is) => {
      const kept = fromOf(was, is).flatMap((from, to) => (from === null ? [] : [[was[from], is[to]]]));
      expect(kept).toEqual(kept.map(([text]) => [text, text]));
      expect(kept).toHaveLength(longest(was, is));
    }),
  );
});

/** Returns the length of the longest common subsequence of two lists. */
function longest([a, ...was]: readonly string[], is: readonly string[]): number {
  if (a === undefined) return 0;
  const at = is.indexOf(a);
  return Math.max(longest(was, is), at < 0 ? 0 : 1 + longest(was, is.slice(at + 1)));
}
