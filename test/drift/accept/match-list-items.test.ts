/** Two lists are held against each other so that as little as possible is written anew. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignItems } from '../../../src/drift/accept/match-list-items.ts';
import type { Json } from '../../../src/model/json.ts';

function fromOf(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  return alignItems(was, is).map(({ from }) => from);
}

describe('what stays', () => {
  test.each<readonly [string, readonly Json[], readonly Json[], readonly (number | null)[]]>([
    ['an item that is put in', ['a', 'b'], ['a', 'x', 'b'], [0, null, 1]],
    ['an item that is taken out', ['a', 'x', 'b'], ['a', 'b'], [0, 2]],
    ['another text is another item', ['a', 'b'], ['a', 'c'], [0, null]],
    ['a map with the same keys is changed in its place', [{ ad: 60 }, { beam: 'x' }], [{ ad: 90 }, { beam: 'x' }], [0, 1]],
    ['a map with other keys is not', [{ ad: 60 }], [{ beam: 'x' }], [null]],
    [
      'the likelier one is changed',
      [
        { t: 'SD', l: 1 },
        { t: 'HD', l: 1 },
      ],
      [{ t: 'HD', l: 3 }],
      [1],
    ],
    ['the last of those that are as likely is changed', [{ ad: 1 }, { ad: 2 }], [{ ad: 3 }], [1]],
    ['one that shares more keys is likelier', [{ a: 1, b: 1 }, { a: 1 }], [{ a: 9, b: 9 }], [0]],
    ['keys that only one of the two has do not count', [{ a: 1 }, { b: 1, c: 1 }], [{ a: 9, d: 1, e: 1 }], [0]],
    [
      'a member that agrees counts more than keys',
      [
        { a: 1, b: 1 },
        { a: 2, b: 1, c: 1, d: 1 },
      ],
      [{ a: 1, b: 9, c: 9, d: 9 }],
      [0],
    ],
    ['a map does not become a text', [{ 0: 'a' }], ['a'], [null]],
    ['nor a text a map', ['a'], [{ 0: 'a' }], [null]],
    ['nor nothing a map', [null], [{ a: 1 }], [null]],
    ['a list is another item', [[1, 2]], [[1, 3]], [null]],
    ['the end stays where the beginning does', ['a', 'a'], ['a'], [0]],
    ['the beginning stays where an item comes at the end', ['a'], ['a', 'a'], [0, null]],
    ['both ends stay around what is another', ['a', 'x', 'c'], ['a', 'y', 'z', 'c'], [0, null, null, 2]],
    ['the end stays behind what goes', ['x', 'y', 'c', 'd'], ['c', 'd'], [2, 3]],
    ['what moves behind another is new there', ['a', 'b'], ['b', 'a'], [1, null]],
    ['all goes', ['a'], [], []],
    ['all comes', [], ['a', 'b'], [null, null]],
    ['two change where both are alike', [{ ad: 1 }, 'x', { beam: 1 }], [{ ad: 2 }, { beam: 2 }, 'y'], [0, 2, null]],
    ['a similar item does not take the place of an equal one', [{ ad: 1 }, 'x'], [{ ad: 2 }, { ad: 1 }, 'y'], [null, 0, null]],
    ['an end that stays takes the place of nothing else', [{ ad: 2 }, 'x', { ad: 2 }], [{ ad: 5 }, { ad: 2 }], [0, 2]],
    ['equal items win over similar ones', [{ ad: 1 }, { ad: 2 }], [{ ad: 2 }, { ad: 3 }], [1, null]],
  ])('%s', (_what, was, is, from) => {
    expect(fromOf(was, is)).toEqual(from);
  });

  test('each new item is told in its order', () => {
    expect(alignItems(['a'], ['b', 'a'])).toEqual([
      { to: 0, from: null },
      { to: 1, from: 0 },
    ]);
  });
});

describe('long lists', () => {
  const maps = (length: number, from: number) => Array.from({ length }, (_, index) => ({ ad: from + index }));

  test('are held against each other up to 250,000 pairs', () => {
    const places = [...Array(500).keys()];
    expect(fromOf(maps(500, 0), maps(500, 1_000))).toEqual(places);
    expect(fromOf(maps(501, 0), maps(500, 1_000))).toEqual(places.map(() => null));
  });

  test('change an item in its place where all around it is as it was', () => {
    const [was, is] = [1, 2].map((ad) => [...maps(600, 1_000), { ad }, ...maps(600, 2_000)]);
    expect(fromOf(was ?? [], is ?? [])).toEqual([...Array(1_201).keys()]);
  });

  test('that share little keep what is equal, in its order', () => {
    const was = Array.from({ length: 2_000 }, (_, index) => `old ${index}`);
    const is = was.map((item, index) => (index % 2 === 0 ? item : `new ${index}`));
    expect(fromOf(was, is)).toEqual(was.map((_, index) => (index % 2 === 0 ? index : null)));
  });

  test('keep each item once, and none before another that stays', () => {
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

test('old items are used once at most, in their order, and equal lists keep all', () => {
  const list = fc.array(fc.oneof(fc.nat(3), fc.record({ ad: fc.nat(2) })), { maxLength: 8 });
  fc.assert(
    fc.property(list, list, (was, is) => {
      const used = fromOf(was, is).filter((from) => from !== null);
      expect(used).toEqual([...new Set(used)].sort((a, b) => a - b));
      expect(fromOf(was, was)).toEqual(was.map((_, index) => index));
    }),
  );
});

test('as many equal items are kept as can be', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(list, list, (was, is) => {
      const kept = fromOf(was, is).flatMap((from, to) => (from === null ? [] : [[was[from], is[to]]]));
      expect(kept).toEqual(kept.map(([text]) => [text, text]));
      expect(kept).toHaveLength(longest(was, is));
    }),
  );
});

/** How many items two lists have in common, in one order. */
function longest([a, ...was]: readonly string[], is: readonly string[]): number {
  if (a === undefined) return 0;
  const at = is.indexOf(a);
  return Math.max(longest(was, is), at < 0 ? 0 : 1 + longest(was, is.slice(at + 1)));
}
