import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { staticKey } from '../../../src/kinds/static-key/index.ts';
import type { StaticKeyFields } from '../../../src/kinds/static-key/model.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { liveSetting, theOnly, tools } from '../answers.ts';

function declare(static_key: JsonObject) {
  return staticKey.declare({ static_key }, tools);
}

describe('a declared scope', () => {
  test('becomes the one resource, which needs no clue', () => {
    const { resources, findings } = declare({ scope: 'specific', slicer_ids: ['b', 'a'] });
    expect(findings).toEqual([]);
    expect(theOnly(resources)).toMatchObject({
      address: 'static-key',
      fields: { scope: 'specific', slicer_ids: ['a', 'b'] },
      matchKeys: [],
      adoptable: false,
      path: ['static_key'],
    });
  });

  test('is not there when the section is not', () => {
    expect(staticKey.declare({}, tools)).toEqual({ resources: [], findings: [] });
  });

  test('without a word on the scope, which the schema refuses, would use the static key nowhere', () => {
    expect(theOnly(staticKey.declare({ static_key: {} }, tools).resources).fields).toEqual({ scope: 'none', slicer_ids: [] });
  });

  test('treats the slicers as a set', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (slicers) => {
        const [one, other] = [slicers, slicers.toReversed()].map(
          (slicer_ids) => declare({ scope: 'specific', slicer_ids }).resources[0]?.fields,
        );
        expect(one).toEqual(other);
        expect(one?.slicer_ids).toHaveLength(slicers.length);
      }),
    );
  });

  test('specific without slicers is a mistake at the section', () => {
    expect(theOnly(declare({ scope: 'specific' }).findings)).toEqual({
      severity: 'error',
      code: 'slicers-missing',
      path: ['static_key'],
      address: 'static-key',
      summary: 'scope specific needs slicer_ids',
      hint: 'list the slicers under slicer_ids, or write scope: none',
    });
  });

  test.each(['all', 'none'])('%s with slicers is a mistake at the list', (scope) => {
    expect(theOnly(declare({ scope, slicer_ids: ['a'] }).findings)).toEqual({
      severity: 'error',
      code: 'slicers-without-use',
      path: ['static_key', 'slicer_ids'],
      address: 'static-key',
      summary: `scope ${scope} takes no slicer_ids`,
      hint: 'leave slicer_ids out, or write scope: specific',
    });
  });
});

describe('the two sides', () => {
  const leftover = liveSetting({ scope: 'all', slicer_ids: ['a'] });

  test('leave the slicers out under a desired `all`', () => {
    const desired = theOnly(declare({ scope: 'all' }).resources);
    expect(staticKey.toComparable?.(desired, leftover, 0)).toEqual({ before: { scope: 'all' }, after: { scope: 'all' } });
    expect(staticKey.toComparable?.(desired, liveSetting({ scope: 'none', slicer_ids: [] }), 0).before).toEqual({ scope: 'none' });
  });

  test.each([{ scope: 'none' }, { scope: 'specific', slicer_ids: ['b'] }])('are whole under $scope', (declared) => {
    const desired = theOnly(declare(declared).resources);
    expect(staticKey.toComparable?.(desired, leftover, 0)).toEqual({ before: leftover.fields, after: desired.fields });
  });
});

describe('export', () => {
  test.each<[StaticKeyFields, JsonObject]>([
    [
      { scope: 'specific', slicer_ids: ['a', 'b'] },
      { scope: 'specific', slicer_ids: ['a', 'b'] },
    ],
    [{ scope: 'none', slicer_ids: [] }, { scope: 'none' }],
    [{ scope: 'all', slicer_ids: ['left over'] }, { scope: 'all' }],
    [
      { scope: 'specific', slicer_ids: [] },
      { scope: 'specific', slicer_ids: [] },
    ],
  ])('of %j is declared without a difference', (fields, value) => {
    const object = liveSetting(fields);
    const { entries, notExportable } = staticKey.toConfig([object]);
    expect(notExportable).toEqual([]);
    expect(theOnly(entries)).toEqual({ section: 'static_key', key: null, value, adopt: {}, objects: [object] });
    const { resources, findings } = staticKey.declare({ static_key: value }, tools);
    expect(findings).toEqual([]);
    const sides = staticKey.toComparable?.(theOnly(resources), object, 0);
    expect(sides?.after).toEqual(sides?.before);
  });
});

describe('what the sources have to say of a live scope', () => {
  const some: StaticKeyFields = { scope: 'specific', slicer_ids: ['b', 'a'] };
  const slicers = (value: readonly string[] | undefined) => ({ path: ['static_key', 'slicer_ids'], value });
  const scope = (value: string) => ({ path: ['static_key', 'scope'], value });

  test.each<[string, JsonObject, StaticKeyFields, readonly unknown[]]>([
    [
      'other slicers: those that stay first, as written',
      some,
      { scope: 'specific', slicer_ids: ['0', 'a', 'b'] },
      [slicers(['b', 'a', '0'])],
    ],
    ['a slicer less', some, { scope: 'specific', slicer_ids: ['a'] }, [slicers(['a'])]],
    ['no slicer that is known', some, { scope: 'specific', slicer_ids: [] }, [slicers([])]],
    ['everywhere, with a list left over', some, { scope: 'all', slicer_ids: ['a', 'b'] }, [scope('all'), slicers(undefined)]],
    ['nowhere', some, { scope: 'none', slicer_ids: [] }, [scope('none'), slicers(undefined)]],
    ['some slicers instead of all', { scope: 'all' }, some, [scope('specific'), slicers(['b', 'a'])]],
    ['nothing that differs', { scope: 'none' }, { scope: 'none', slicer_ids: [] }, [slicers(undefined)]],
  ])('%s', (_name, static_key, fields, statements) => {
    expect(staticKey.configEdits?.(theOnly(declare(static_key).resources), liveSetting(fields), { static_key })).toStrictEqual(statements);
  });

  test('is the same where the section says nothing of slicers, or is no longer there', () => {
    const desired = theOnly(declare({ scope: 'none' }).resources);
    const found = [{}, { static_key: null }, { static_key: {} }].map((sections) =>
      staticKey.configEdits?.(desired, liveSetting(some), sections),
    );
    expect(found).toStrictEqual(found.map(() => [scope('specific'), slicers(['b', 'a'])]));
  });
});
