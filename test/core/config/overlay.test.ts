import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overlayLayers } from '../../../src/core/config/overlay.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { assertProperty } from '../../support/property.ts';

const merged = (...sources: readonly JsonObject[]) => overlayLayers(sources).value;

describe('overlayLayers', () => {
  test('merges maps by key and replaces everything else', () => {
    expect(merged({ a: { b: 1, list: [1, 2] }, c: 1 }, { a: { list: [3], d: 2 }, c: { e: 1 } })).toEqual({
      a: { b: 1, list: [3], d: 2 },
      c: { e: 1 },
    });
    expect(merged({ a: { b: 1 } }, { a: 'text' })).toEqual({ a: 'text' });
  });

  test('removes a value of an earlier source by null, at any depth', () => {
    const { value, nullsWithoutEffect } = overlayLayers([
      { a: { b: 1, c: 2 }, d: 1 },
      { a: { b: null }, d: null },
    ]);
    expect([value, nullsWithoutEffect]).toEqual([{ a: { c: 2 } }, []]);
  });

  test('allows a later source to define a removed value again', () => {
    expect(merged({ a: { b: 1 } }, { a: null }, { a: { c: 2 } })).toEqual({ a: { c: 2 } });
  });

  test('reports a null that removes nothing: in the first source, in new maps, in lists, and a second null for the same key', () => {
    const nullsWithoutEffect = (...sources: readonly JsonObject[]) =>
      overlayLayers(sources).nullsWithoutEffect.map(({ path, layer }) => [layer, ...path]);
    expect(nullsWithoutEffect({ a: null, b: { c: null }, d: [{ e: null }, null] })).toEqual([
      [0, 'a'],
      [0, 'b', 'c'],
      [0, 'd', 0, 'e'],
      [0, 'd', 1],
    ]);
    expect(nullsWithoutEffect({ a: 1 }, { b: { c: null } })).toEqual([[1, 'b', 'c']]);
    expect(nullsWithoutEffect({ a: 1 }, { a: null }, { a: null })).toEqual([[2, 'a']]);
    expect(nullsWithoutEffect({ a: 'text' }, { a: { b: null } })).toEqual([[1, 'a', 'b']]);
    expect(nullsWithoutEffect({ a: null }, { a: 1 })).toEqual([[0, 'a']]);
  });

  test('does not change its sources', () => {
    const first = { a: { b: 1 } };
    merged(first, { a: { c: 2 } }, { a: { b: null } });
    expect(first).toEqual({ a: { b: 1 } });
  });
});

describe('overlayLayers, for random sources,', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const value = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.array(fc.integer(), { maxLength: 2 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const source = fc.dictionary(key, value, { maxKeys: 3 });

  test('ignores an empty source, and a source that is repeated', () => {
    assertProperty(
      fc.property(source, (any) => {
        expect(merged(any, {})).toEqual(merged(any));
        expect(merged({}, any)).toEqual(merged(any));
        expect(merged(any, any)).toEqual(merged(any));
      }),
    );
  });

  test('is associative for sources without nulls, where no source in the middle replaces a map', () => {
    assertProperty(
      fc.property(source, source, source, (a, b, c) => {
        fc.pre(!shadows(a, b, c));
        expect(merged(a, b, c)).toEqual(merged(a, merged(b, c)));
      }),
    );
    expect(merged({ a: 1 }, { b: 2 }, { a: 3 })).toEqual(merged({ a: 1 }, merged({ b: 2 }, { a: 3 })));
  });

  test('uses the last source that defines a value', () => {
    assertProperty(
      fc.property(source, source, (a, b) => {
        for (const [name, content] of Object.entries(b)) if (!isJsonObject(content)) expect(merged(a, b)[name]).toEqual(content);
      }),
    );
  });
});

/** Decides whether the second source has another value where the first and third have maps: the result then depends on the grouping. */
function shadows(a: Json | undefined, b: Json | undefined, c: Json | undefined): boolean {
  if (!isJsonObject(a) || !isJsonObject(c)) return false;
  if (b !== undefined && !isJsonObject(b)) return true;
  return Object.keys(c).some((name) => shadows(a[name], b?.[name], c[name]));
}
