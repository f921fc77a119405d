import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidatesFor, editDistance, hintAtName, suggest } from '../../../src/core/config/did-you-mean.ts';
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

test('suggest finds a misspelled name among many, also where they differ in a few characters only', () => {
  const known = new Map(Array.from({ length: 20_000 }, (_, index) => [`template-number-${index}`, index]));
  known.set('weekend-movies', 0);
  expect(suggest('wekend-movies', known)).toBe('weekend-movies');
  expect(suggest('template-numbr-17351', known)).toBe('template-number-17351');
});

test('the number of names that suggest compares does not grow with the names', () => {
  const names = (count: number) => new Map(Array.from({ length: count }, (_, index) => [`template-number-${index}`, index]));
  const compared = [1_000, 2_000, 4_000, 64_000].map((count) => candidatesFor('template-numbr-1', names(count)).length);
  expect(new Set(compared)).toEqual(new Set([64]));
});

test('hintAtName names ten of many, and counts the others', () => {
  expect(
    hintAtName(
      'x',
      Array.from({ length: 10_000 }, (_, index) => `name-${index}`),
      'templates',
    ),
  ).toMatch(/^Those under `templates` are name-0, .*, name-9, and 9990 more\.$/);
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
