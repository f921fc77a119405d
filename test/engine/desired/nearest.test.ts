import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName } from '../../../src/engine/desired/nearest.ts';

test('finds what was probably meant', () => {
  const known = ['playlist', 'repeat', 'ad_slate_fill', 'desc'];
  expect(nearestName('playlst', known)).toBe('playlist');
  expect(nearestName('Repeat', known)).toBe('repeat');
  expect(nearestName('ad-slate-fil', known)).toBe('ad_slate_fill');
  expect(nearestName('dsc', known)).toBe('desc');
});

test('guesses nothing where nothing is near', () => {
  expect(nearestName('colour', ['playlist', 'repeat'])).toBeUndefined();
  expect(nearestName('x', [])).toBeUndefined();
  expect(nearestName('a'.repeat(65), ['a'.repeat(64)])).toBeUndefined();
});

test('the distance is a metric', () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
    }),
  );
  expect(editDistance('kitten', 'sitting')).toBe(3);
});
