import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, suggest } from '../../../src/core/config/did-you-mean.ts';
import { assertProperty } from '../../support/property.ts';

test('suggest returns the name that was probably meant', () => {
  const known = ['playlist', 'repeat', 'ad_slate_fill', 'desc'];
  expect(suggest('playlst', known)).toBe('playlist');
  expect(suggest('Repeat', known)).toBe('repeat');
  expect(suggest('ad-slate-fil', known)).toBe('ad_slate_fill');
  expect(suggest('dsc', known)).toBe('desc');
});

test('suggest returns nothing where no name is near', () => {
  expect(suggest('colour', ['playlist', 'repeat'])).toBeUndefined();
  expect(suggest('x', [])).toBeUndefined();
  expect(suggest('a'.repeat(65), ['a'.repeat(64)])).toBeUndefined();
});

test('editDistance is a metric', () => {
  const word = fc.string({ maxLength: 8 });
  assertProperty(
    fc.property(word, word, word, (a, b, c) => {
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
    }),
  );
  expect(editDistance('kitten', 'sitting')).toBe(3);
});
