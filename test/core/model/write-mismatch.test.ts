import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { describeWriteMismatch } from '../../../src/core/model/write-mismatch.ts';
import { assertProperty } from '../../support/property.ts';

describe('what an answer shows', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['another value', { a: 1, b: 2 }, { a: 1, b: 3 }, '/b reads 3 in the answer, not 2'],
    ['the first of several', { a: 1, b: 2 }, { a: 0, b: 0 }, '/a reads 0'],
    ['one deep inside', { a: { b: { c: true } } }, { a: { b: { c: false } } }, '/a/b/c reads false in the answer, not true'],
    ['nothing', { a: { b: 1 } }, { a: {} }, '/a/b reads nothing in the answer, not 1'],
    ['more', { a: {} }, { a: { 'x/y': 1 } }, '/a/x~1y reads 1 in the answer, not nothing'],
    ['a list in another order', { a: [1, 2] }, { a: [2, 1] }, '/a reads [2,1] in the answer, not [1,2]'],
    ['a member that every object inherits', { a: {} }, { a: { constructor: 1 } }, '/a/constructor reads 1'],
  ])('is not what was sent: %s', (_name, sent, shown, words) => {
    expect(describeWriteMismatch(sent, shown)).toContain(words);
  });

  test('is cut where it is long', () => {
    expect(describeWriteMismatch({ a: 'x'.repeat(9_000) }, { a: 'y'.repeat(9_000) })?.length).toBeLessThan(600);
  });

  test('is what was sent, in any order of members', () => {
    assertProperty(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const sent: JsonObject = JSON.parse(JSON.stringify(value));
        const members: readonly (readonly [string, Json])[] = Object.entries(sent);
        expect(describeWriteMismatch(sent, Object.fromEntries(members.toReversed()))).toBeUndefined();
      }),
    );
  });
});
