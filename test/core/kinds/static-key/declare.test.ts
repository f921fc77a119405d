import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StaticKeyFields } from '../../../../src/core/kinds/static-key/declare.ts';
import { staticKey } from '../../../../src/core/kinds/static-key/index.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { declareServices, liveSetting, onlyItem } from '../fixtures.ts';

function declare(static_key: JsonObject) {
  return staticKey.declare({ static_key }, declareServices);
}

describe('declaring the scope of the static key', () => {
  test('gives one resource without match keys', () => {
    const { resources, findings } = declare({ scope: 'specific', slicer_ids: ['b', 'a'] });
    expect(findings).toEqual([]);
    expect(onlyItem(resources)).toMatchObject({
      address: 'static-key',
      fields: { scope: 'specific', slicer_ids: ['a', 'b'] },
      matchKeys: [],
      mayMatchByBinding: false,
      path: ['static_key'],
    });
  });

  test('gives no resource where the section is absent', () => {
    expect(staticKey.declare({}, declareServices)).toEqual({ resources: [], findings: [] });
  });

  test('without a scope, which the schema rejects, means no use of the static key', () => {
    expect(onlyItem(staticKey.declare({ static_key: {} }, declareServices).resources).fields).toEqual({ scope: 'none', slicer_ids: [] });
  });

  test('treats the slicers as a set', () => {
    assertProperty(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (slicers) => {
        const [one, other] = [slicers, slicers.toReversed()].map(
          (slicer_ids) => declare({ scope: 'specific', slicer_ids }).resources[0]?.fields,
        );
        expect(one).toEqual(other);
        expect(one?.slicer_ids).toHaveLength(slicers.length);
      }),
    );
  });

  test('reports `specific` without slicers at the section', () => {
    expect(onlyItem(declare({ scope: 'specific' }).findings)).toEqual({
      severity: 'error',
      code: 'slicers-missing',
      path: ['static_key'],
      address: 'static-key',
      summary: 'scope specific needs slicer_ids',
      hint: 'list the slicers under slicer_ids, or write scope: none',
    });
  });

  test.each(['all', 'none'])('reports `%s` with slicers at the list', (scope) => {
    expect(onlyItem(declare({ scope, slicer_ids: ['a'] }).findings)).toEqual({
      severity: 'error',
      code: 'slicers-without-use',
      path: ['static_key', 'slicer_ids'],
      address: 'static-key',
      summary: `scope ${scope} takes no slicer_ids`,
      hint: 'leave slicer_ids out, or write scope: specific',
    });
  });
});

describe('comparing a desired with a live scope', () => {
  const leftover = liveSetting({ scope: 'all', slicer_ids: ['a'] });

  test('leaves the slicers out under a desired `all`', () => {
    const desired = onlyItem(declare({ scope: 'all' }).resources);
    expect(staticKey.toComparable?.(desired, leftover, 0)).toEqual({ before: { scope: 'all' }, after: { scope: 'all' } });
    expect(staticKey.toComparable?.(desired, liveSetting({ scope: 'none', slicer_ids: [] }), 0).before).toEqual({ scope: 'none' });
  });

  test.each([{ scope: 'none' }, { scope: 'specific', slicer_ids: ['b'] }])('includes the slicers under $scope', (declared) => {
    const desired = onlyItem(declare(declared).resources);
    expect(staticKey.toComparable?.(desired, leftover, 0)).toEqual({ before: leftover.fields, after: desired.fields });
  });
});

describe('the export of the static key', () => {
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
  ])('of %j, declared again, equals the live scope', (fields, value) => {
    const object = liveSetting(fields);
    const { entries, notDeclarable } = staticKey.toConfig([object]);
    expect(notDeclarable).toEqual([]);
    expect(onlyItem(entries)).toEqual({ section: 'static_key', key: null, value, adopt: {}, objects: [object] });
    const { resources, findings } = staticKey.declare({ static_key: value }, declareServices);
    expect(findings).toEqual([]);
    const sides = staticKey.toComparable?.(onlyItem(resources), object, 0);
    expect(sides?.after).toEqual(sides?.before);
  });
});

describe('the edits of the static key that declare a live scope', () => {
  const specific: StaticKeyFields = { scope: 'specific', slicer_ids: ['b', 'a'] };
  const slicers = (value: readonly string[] | undefined) => ({ path: ['static_key', 'slicer_ids'], value });
  const scope = (value: string) => ({ path: ['static_key', 'scope'], value });

  test.each<[string, JsonObject, StaticKeyFields, readonly unknown[]]>([
    ['new slicers after those that stay', specific, { scope: 'specific', slicer_ids: ['0', 'a', 'b'] }, [slicers(['b', 'a', '0'])]],
    ['one slicer less', specific, { scope: 'specific', slicer_ids: ['a'] }, [slicers(['a'])]],
    ['an empty list where the live list is empty', specific, { scope: 'specific', slicer_ids: [] }, [slicers([])]],
    ['`all`, and no slicers', specific, { scope: 'all', slicer_ids: ['a', 'b'] }, [scope('all'), slicers(undefined)]],
    ['`none`, and no slicers', specific, { scope: 'none', slicer_ids: [] }, [scope('none'), slicers(undefined)]],
    ['`specific` with slicers instead of `all`', { scope: 'all' }, specific, [scope('specific'), slicers(['b', 'a'])]],
    ['only the slicers where the scope is equal', { scope: 'none' }, { scope: 'none', slicer_ids: [] }, [slicers(undefined)]],
  ])('write %s', (_name, static_key, fields, edits) => {
    expect(staticKey.configEdits?.(onlyItem(declare(static_key).resources), liveSetting(fields), { static_key })).toStrictEqual(edits);
  });

  test('do not depend on whether the section is absent, null or without slicers', () => {
    const desired = onlyItem(declare({ scope: 'none' }).resources);
    const found = [{}, { static_key: null }, { static_key: {} }].map((sections) =>
      staticKey.configEdits?.(desired, liveSetting(specific), sections),
    );
    expect(found).toStrictEqual(found.map(() => [scope('specific'), slicers(['b', 'a'])]));
  });
});
