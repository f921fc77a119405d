/** Two lists are held against each other so that as little as possible is written anew. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align } from '../../../src/engine/accepting/align.ts';
import type { Json } from '../../../src/model/json.ts';

function fromOf(was: readonly Json[], is: readonly Json[]): readonly (number | null)[] {
  return align(was, is).map(({ from }) => from);
}

describe('what stays', () => {
  test.each([
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
    ['equal items win over similar ones', [{ ad: 1 }, { ad: 2 }], [{ ad: 2 }, { ad: 3 }], [1, null]],
  ])('%s', (_what, was, is, from) => {
    expect(fromOf(was, is)).toEqual(from);
  });

  test('long lists that share little are held against each other all the same', () => {
    const was = Array.from({ length: 2_000 }, (_, index) => `old ${index}`);
    const is = was.map((item, index) => (index % 2 === 0 ? item : `new ${index}`));
    expect(fromOf(was, is).filter((from) => from !== null)).toHaveLength(1_000);
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
