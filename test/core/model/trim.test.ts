import { expect, test } from 'vitest';
import { withoutTrailing } from '../../../src/core/model/trim.ts';

test.each([
  ['a//', '/', 'a'],
  ['//a', '/', '//a'],
  ['a\r\n\n', '\r\n', 'a'],
  ['._-', '._-', ''],
  ['', '/', ''],
])('removes the characters at the end only: %j', (text, characters, expected) => {
  expect(withoutTrailing(text, characters)).toBe(expected);
});

test('removes a long run, and leaves one in the middle', () => {
  const run = '/'.repeat(1_000_000);
  expect(withoutTrailing(`a${run}`, '/')).toBe('a');
  expect(withoutTrailing(`${run}a`, '/')).toBe(`${run}a`);
});
