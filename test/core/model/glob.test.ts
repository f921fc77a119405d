import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversGlob, globsOverlap, indexGlobs, matchesGlob, mayMatchBelow } from '../../../src/core/model/glob.ts';
import { assertProperty } from '../../support/property.ts';

describe('matchesGlob', () => {
  it.each([
    ['song/a', 'song/a', true],
    ['song/a', 'song/ab', false],
    ['song/*', 'song/', true],
    ['song/*', 'song/a/b', true],
    ['*', '', true],
    ['*/a', 'song/x/a', true],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c', false],
    ['a*bc*c', 'abc', false],
    ['a**c', 'ac', true],
    ['song.a', 'songxa', false],
    ['[ab]', 'a', false],
    ['?', 'a', false],
  ])('%s and %s: %s', (glob, text, matches) => {
    expect(matchesGlob(glob, text)).toBe(matches);
  });

  it('agrees with a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    assertProperty(
      fc.property(letters, text, (glob, candidate) => {
        expect(matchesGlob(glob, candidate)).toBe(new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(candidate));
      }),
    );
  });

  it('finds the same places as an index of many globs', () => {
    const globs = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 }), { maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
    assertProperty(
      fc.property(globs, text, (all, candidate) => {
        expect(indexGlobs(all)(candidate)).toEqual(all.flatMap((glob, place) => (matchesGlob(glob, candidate) ? [place] : [])));
      }),
    );
  });

  it('is not slowed down by many stars', () => {
    expect(matchesGlob('a*'.repeat(2_000), `${'a'.repeat(20_000)}b`)).toBe(true);
    expect(matchesGlob(`${'*a'.repeat(2_000)}c*`, 'a'.repeat(20_000))).toBe(false);
  });
});

describe('mayMatchBelow', () => {
  it.each([
    ['song/a', 'song/', true],
    ['so*', 'song/', true],
    ['s*x', 'song/', true],
    ['*', 'song/', true],
    ['rule/*', 'song/', false],
    ['song', 'song/', false],
  ])('%s below %s: %s', (glob, prefix, may) => {
    expect(mayMatchBelow(glob, prefix)).toBe(may);
  });

  it('never excludes a glob that matches an address below', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 5 });
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 });
    assertProperty(
      fc.property(glob, text, text, (pattern, prefix, rest) => {
        fc.pre(matchesGlob(pattern, prefix + rest));
        expect(mayMatchBelow(pattern, prefix)).toBe(true);
      }),
    );
  });
});

describe('globsOverlap', () => {
  const texts = (length: number): readonly string[] =>
    length === 0 ? [''] : texts(length - 1).flatMap((text) => (text.length === length - 1 ? [text, `${text}a`, `${text}b`] : [text]));
  const all = texts(8);

  it('agrees with a search for a text that both globs match', () => {
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 });
    assertProperty(
      fc.property(glob, glob, (a, b) => {
        expect(globsOverlap(a, b)).toBe(all.some((text) => matchesGlob(a, text) && matchesGlob(b, text)));
      }),
    );
  });

  it('takes a number of steps that is the product of the lengths', () => {
    const long = '*a'.repeat(500);
    expect(globsOverlap(`${long}b`, `${long}c`)).toBe(false);
  });
});

describe('coversGlob', () => {
  it.each([
    ['song/*', 'song/kids-*', true],
    ['song/kids-*', 'song/*', false],
    ['*', '*', true],
    ['a*', 'a', true],
    ['a', 'a*', false],
    ['a*b', 'a*c*b', true],
    ['*a*', 'b*', false],
  ])('of %s and %s: %s', (wide, narrow, covers) => {
    expect(coversGlob(wide, narrow)).toBe(covers);
  });

  it('holds where no text matches only the narrower glob, whatever the `*` of that one stand for', () => {
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 });
    assertProperty(
      fc.property(glob, glob, fc.array(text, { minLength: 5, maxLength: 5 }), (wide, narrow, fillings) => {
        const [...parts] = narrow.split('*');
        const filledBy = (filling: (index: number) => string) =>
          parts.map((part, index) => (index === 0 ? part : filling(index - 1) + part)).join('');
        if (coversGlob(wide, narrow))
          expect(
            matchesGlob(
              wide,
              filledBy((index) => fillings[index] ?? ''),
            ),
          ).toBe(true);
        // A character that no glob has is the text that only a `*` of the wider one can match.
        else
          expect(
            matchesGlob(
              wide,
              filledBy(() => 'c'),
            ),
          ).toBe(false);
      }),
    );
  });
});
