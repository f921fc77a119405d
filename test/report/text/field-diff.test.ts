import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryLines } from '../../../src/report/text/field-diff.ts';
import { assertProperty } from '../../support/property.ts';

const plain = (_style: string, text: string) => text;
const lines = (before: readonly string[], after: readonly string[]) => entryLines(before, after, plain, 80);

describe('entryLines', () => {
  it('shows added and removed entries with their positions and folds the others', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f'];
    const after = ['a', 'b', 'c', 'x', 'd', 'e'];
    expect(lines(before, after)).toEqual(['    … 2 unchanged', '  3 c', '+ 4 x', '  5 d', '  6 e', '- 6 f']);
  });

  it('aligns positions of different width', () => {
    const before = Array.from({ length: 9 }, (_, index) => `e${index}`);
    expect(lines(before, [...before, 'new'])).toEqual(['     … 8 unchanged', '   9 e8', '+ 10 new']);
  });

  it('shows lists with little in common as replaced between their common ends', () => {
    const before = ['first', ...Array.from({ length: 70 }, (_, index) => `old ${index}`), 'last'];
    const shown = lines(before, ['first', 'new', 'last']);
    expect(shown.slice(0, 3)).toEqual(['   1 first', '-  2 old 0', '-  3 old 1']);
    expect(shown.at(-1)).toMatch(/… \d+ more lines/);
    expect(shown).toHaveLength(41);
    expect(lines(before.toReversed(), before)[0]).toBe('-  1 last  (moved to 72)');
  });

  it('says of a moved entry from where to where it moved', () => {
    expect(lines(['a', 'b', 'c', 'd'], ['a', 'd', 'b', 'c'])).toEqual([
      '  1 a',
      '+ 2 d  (moved from 4)',
      '  3 b',
      '  4 c',
      '- 4 d  (moved to 2)',
    ]);
  });

  it('shows each entry with its sign and its position in the list that contains it', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    assertProperty(
      fc.property(list, list, (before, after) => {
        const shown = lines(before, after).filter((line) => !line.includes('…'));
        for (const line of shown) {
          const [, sign, position, text] = /^([+ -]) +(\d+) (\w)$/.exec(line) ?? [];
          const side = sign === '-' ? before : after;
          expect(side[Number(position) - 1]).toBe(text);
        }
        const count = (sign: string) => shown.filter((line) => line.startsWith(sign)).length;
        expect(count('+') - count('-')).toBe(after.length - before.length);
      }),
    );
  });
});
