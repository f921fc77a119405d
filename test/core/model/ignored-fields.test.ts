import { describe, expect, it } from 'vitest';
import { copyFields, isExpired, isIgnored, LIVE_VALUE, valueAtPointer, withPlaceholders } from '../../../src/core/model/ignored-fields.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';

function ignoring(...paths: readonly string[]) {
  return paths.map((path) => ({ path, declared: { file: 'a.yaml', line: 1, column: 1 } }));
}

describe('an ignored field', () => {
  it.each<[string, string, JsonObject, JsonObject, JsonObject]>([
    ['has its live value', '/a', { a: 1, b: 1 }, { a: 2, b: 2 }, { a: 2, b: 1 }],
    ['has its live value at depth', '/a/b', { a: { b: 1, c: 1 } }, { a: { b: 2, c: 2 } }, { a: { b: 2, c: 1 } }],
    ['covers what is below it', '/a', { a: { b: 1 }, c: 1 }, { a: { b: 2, d: 2 }, c: 2 }, { a: { b: 2, d: 2 }, c: 1 }],
    ['covers a whole list', '/a', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['is absent where the account has none', '/a', { a: 1, b: 1 }, { b: 2 }, { b: 1 }],
    ['is there where only the account has it', '/a', { b: 1 }, { a: 2, b: 2 }, { b: 1, a: 2 }],
    ['has its declared value in an object that the account lacks', '/a/b', { a: { b: 1 } }, {}, { a: { b: 1 } }],
    ['adds no object that is not declared', '/a/b', {}, { a: { b: 2 } }, {}],
    ['is not found within a list', '/a/0', { a: [1] }, { a: [2] }, { a: [1] }],
    ['has a name with a slash and a tilde', '/a~1b~0', { 'a/b~': 1 }, { 'a/b~': 2 }, { 'a/b~': 2 }],
    ['is a member of its own, not an inherited one', '/constructor', { a: 1 }, { a: 1 }, { a: 1 }],
  ])('%s', (_what, path, fields, live, expected) => {
    expect(copyFields({ into: fields, from: live, paths: ignoring(path) })).toEqual(expected);
  });

  it.each<[string, string, JsonObject, JsonObject]>([
    ['a value', '/a', { a: 1, b: 1 }, { a: LIVE_VALUE, b: 1 }],
    ['an object', '/a', { a: { b: 1 } }, { a: LIVE_VALUE }],
    ['a value at depth', '/a/b', { a: { b: 1, c: 1 } }, { a: { b: LIVE_VALUE, c: 1 } }],
    ['a value that is not there yet', '/a', { b: 1 }, { b: 1, a: LIVE_VALUE }],
    ['nothing in an object that is not there', '/a/b', { b: 1 }, { b: 1 }],
  ])('leaves a placeholder for %s', (_what, path, fields, expected) => {
    expect(withPlaceholders(fields, ignoring(path))).toEqual(expected);
  });

  it('covers its own path and those below it, and no path that only begins alike', () => {
    const paths = ['/a', '/a/b', '/ab', '/', ''];
    expect(paths.map((path) => isIgnored(ignoring('/a'), path))).toEqual([true, true, false, false, false]);
  });

  it.each([
    ['2027-03-30T23:59:59.999Z', false],
    ['2027-03-31T00:00:00.000Z', false],
    ['2027-03-31T23:59:59.999Z', false],
    ['2027-04-01T00:00:00.000Z', true],
    ['2028-01-01T00:00:00.000Z', true],
  ])('until 2027-03-31 is expired at %s: %s', (time, expected) => {
    const [field] = ignoring('/a');
    expect(field && isExpired({ ...field, until: '2027-03-31' }, Date.parse(time))).toBe(expected);
  });

  it('without a last day never expires', () => {
    expect(ignoring('/a').map((field) => isExpired(field, Date.parse('9999-01-01')))).toEqual([false]);
  });

  it('is found by its pointer', () => {
    const fields = { a: { b: [1] } };
    expect(['/a/b', '/a', '/a/c', '/a/b/0', '/toString'].map((path) => valueAtPointer(fields, path))).toEqual([
      [1],
      { b: [1] },
      undefined,
      undefined,
      undefined,
    ]);
  });
});
