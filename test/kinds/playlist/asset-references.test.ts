import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assetReferences } from '../../../src/kinds/playlist/asset-references.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { anyText, assertProperty } from '../../support/property.ts';
import { fakeService, onlyItem } from '../fixtures.ts';
import { beam, declare, id } from './fixtures.ts';

const ASK = 'GET /api2/asset/get';

describe('the references of a playlist to assets', () => {
  test('are its beams, with their name where the `assets` section has one', () => {
    const { resources } = declare({
      assets: { intro: { id: id(1) } },
      playlists: { evening: { playlist: [{ beam: 'intro' }, { ad: 9 }, beam(2)] } },
    });
    const [evening] = resources.values();
    expect(evening && assetReferences.referencesIn(evening)).toEqual([
      {
        id: id(1),
        path: ['playlists', 'evening', 'playlist', 0, 'beam', 'id'],
        catalogName: { name: 'intro', path: ['assets', 'intro', 'id'] },
      },
      { id: id(2), path: ['playlists', 'evening', 'playlist', 2, 'beam', 'id'] },
    ]);
  });

  test('are located at the item of a smart-start group, or at the line of its file', () => {
    const groups = { a: { assets: [id(3), id(1)] }, b: { assets_file: 'b.txt' } };
    const { resources } = declare({ smart_starts: groups }, { 'b.txt': `# b\n  ${id(2)}` });
    expect([...resources.values()].flatMap((each) => assetReferences.referencesIn(each))).toEqual([
      { id: id(3), path: ['smart_starts', 'a', 'assets', 0] },
      { id: id(1), path: ['smart_starts', 'a', 'assets', 1] },
      { id: id(2), path: ['smart_starts', 'b', 'assets_file'], textFilePosition: { file: 'config/b.txt', line: 2, column: 3 } },
    ]);
  });
});

describe('the lookup of assets', () => {
  test.each([0, 1, 1000, 1001, 2500])('needs as few requests as possible for %i assets', (count) => {
    const ids = Array.from({ length: count }, (_, index) => id(index));
    const chunks = assetReferences.lookups(ids, 'v2');
    expect(chunks).toHaveLength(Math.ceil(count / 1000));
    expect(chunks.flatMap((chunk) => chunk.ids)).toEqual(ids);
    expect(assetReferences.lookups(ids, 'v4').map((chunk) => chunk.ids.length)).toEqual(count === 0 ? [] : [count]);
  });

  test('sends the IDs, and reads only', async () => {
    const { service, sent } = fakeService({ [ASK]: { error: 0, assets: [] } });
    await onlyItem(assetReferences.lookups(['a'], 'v2')).findExisting(service);
    expect(sent).toEqual([{ method: 'GET', path: '/api2/asset/get', body: { ids: ['a'] }, repeatable: true }]);
  });
});

describe('the exported `assets` section', () => {
  const text = fc.oneof(anyText(), fc.constantFrom('Intro', 'intro', '', id(1), id(2), `É${id(3).slice(1)}`, 'constructor', 'x-2', 'x'));
  const anId = fc.oneof(
    fc.integer({ min: 0, max: 9 }).map(id),
    fc.stringMatching(/^[A-Za-z0-9_-][!-.0-[\]-~]{0,9}$/),
    fc.constant(`${id(5)}!`),
  );
  const things = fc.uniqueArray(fc.record({ id: anId, desc: fc.option(text) }), {
    selector: (thing) => thing.id,
    minLength: 1,
    maxLength: 8,
  });

  function assetsSection(entries: readonly { readonly id: string; readonly desc: string | null }[]): JsonObject {
    const found = new Map(entries.flatMap(({ id: each, desc }) => (desc === null ? [] : [[each, { name: desc }] as const])));
    return (
      assetReferences.buildCatalogSection?.(
        entries.map((entry) => entry.id),
        found,
      ).value ?? {}
    );
  }

  test('names every asset once, is valid, and does not depend on the order of the assets', () => {
    assertProperty(
      fc.property(things, (entries) => {
        const value = assetsSection(entries);
        expect(
          Object.values(value)
            .map((each) => JSON.stringify(each))
            .sort(),
        ).toEqual(entries.map((each) => JSON.stringify({ id: each.id })).sort());
        for (const name of Object.keys(value)) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
        expect(declare({ assets: value }).findings).toEqual([]);
        expect(JSON.stringify(assetsSection(entries.toReversed()))).toBe(JSON.stringify(value));
      }),
    );
  });
});
