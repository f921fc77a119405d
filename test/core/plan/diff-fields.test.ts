import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { diffFields } from '../../../src/core/plan/diff-fields.ts';
import { assertProperty } from '../../support/property.ts';

describe('diffFields', () => {
  it('names the innermost member of objects, and lists as a whole', () => {
    const before = { a: { b: 1, c: 2 }, list: [1, 2], same: { x: [] } };
    const after = { a: { b: 1, c: 3 }, list: [2, 1], same: { x: [] } };
    expect(diffFields(before, after)).toEqual([
      { path: '/a/c', before: 2, after: 3 },
      { path: '/list', before: [1, 2], after: [2, 1] },
    ]);
  });

  it('shows an absent value as null, and treats absent and null as equal', () => {
    expect(diffFields({ gone: 1, none: null }, { come: { x: 1 } })).toEqual([
      { path: '/come', before: null, after: { x: 1 } },
      { path: '/gone', before: 1, after: null },
    ]);
  });

  it('escapes names as JSON Pointers do', () => {
    expect(diffFields({ 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } })).toEqual([{ path: '/a~1b/~0', before: 1, after: 2 }]);
  });

  it('compares members with the names of inherited ones', () => {
    expect(diffFields({}, { toString: 'x', constructor: 1 })).toEqual([
      { path: '/constructor', before: null, after: 1 },
      { path: '/toString', before: null, after: 'x' },
    ]);
  });

  const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
  const fields = fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'toString'), json, { maxKeys: 4 })
    .map((value): JsonObject => ({ ...value }));

  it('finds nothing between equal values, and the inverse with values exchanged', () => {
    assertProperty(
      fc.property(fields, fields, (before, after) => {
        expect(diffFields(before, { ...before })).toEqual([]);
        expect(diffFields(after, before)).toEqual(
          diffFields(before, after).map((each) => ({ path: each.path, before: each.after, after: each.before })),
        );
      }),
    );
  });

  it('sorts by path', () => {
    assertProperty(
      fc.property(fields, fields, (before, after) => {
        const paths = diffFields(before, after).map(({ path }) => path);
        expect(paths).toEqual([...paths].sort());
      }),
    );
  });
});
