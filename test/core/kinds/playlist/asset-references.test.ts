import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assetReferences, listReferences } from '../../../../src/core/kinds/playlist/asset-references.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { anyText, assertProperty } from '../../../support/property.ts';
import { fakeService, onlyItem } from '../fixtures.ts';
import { beam, declare, id, onlyResource } from './fixtures.ts';

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

  test.each<[JsonObject | undefined]>([[undefined], [{}], [{ names: null }], [{ names: {} }]])(
    'have no name where its data is %j',
    (data) => {
      const { kindData: _, ...declared } = onlyResource({ playlists: { evening: { playlist: [beam(1)] } } });
      expect(listReferences({ ...declared, ...(data === undefined ? {} : { kindData: data }) })).toStrictEqual([
        { id: id(1), path: ['playlists', 'evening', 'playlist', 0, 'beam', 'id'] },
      ]);
    },
  );
});

describe('the lookup of assets', () => {
  test('is switched on as `check.assets`, and reports an asset that does not exist as `asset-not-found`', () => {
    const { name, noun, code } = assetReferences;
    expect({ name, noun, code }).toEqual({ name: 'assets', noun: 'asset', code: 'asset-not-found' });
  });

  test.each<[string, JsonObject]>([
    ['a list of assets', { assets: [{ id: 'a', desc: 'Pilot' }] }],
    ['assets by ID', { assets: { a: { desc: 'Pilot' } } }],
    ['a single asset', { asset: { id: 'a', desc: 'Pilot' } }],
  ])('reads %s', async (_name, body) => {
    const { service } = fakeService({ [ASK]: body });
    const found = await onlyItem(assetReferences.lookups(['a'], 'v2')).findExisting(service);
    expect([...found]).toEqual([['a', { name: 'Pilot', facts: {} }]]);
  });

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
    expect(sent).toEqual([{ method: 'GET', path: '/api2/asset/get', body: { ids: ['a'] }, repeatable: true, isList: true }]);
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

  /** The key that `id` gets where `readable` does not tell it apart. */
  function hashed(readable: string, assetId: string): string {
    return `${readable}-${createHash('sha256').update(assetId).digest('hex').slice(0, 8)}`;
  }

  test.each([
    ['its description', id(1), 'Kids Club', 'kids-club'],
    ['its ID, where it has no description', id(1), '', id(1)],
    ['its ID, where its description has no letter or digit', id(1), '!!!', id(1)],
    ['its ID, where its description looks like the ID of another asset', id(1), `É${id(3).slice(1)}`, id(1)],
    ['its ID, where that has another form', 'odd-1', '', 'odd-1'],
    ['a hash, where neither its ID nor its description has a letter or digit', '___', '!!!', hashed('asset', '___')],
  ])('names an asset by %s', (_name, assetId, description, name) => {
    expect(assetReferences.buildCatalogSection?.([assetId], new Map([[assetId, { name: description }]]))).toStrictEqual({
      section: 'assets',
      comment:
        'The service does not report codecs. Add `codec: AVC` or `codec: HEVC` where you know it, so that upkeep finds playlists with mixed codecs.',
      value: { [name]: { id: assetId } },
      names: new Map([[assetId, name]]),
    });
  });

  test('names an asset that the service does not know by its ID', () => {
    expect(assetsSection([{ id: id(1), desc: null }])).toEqual({ [id(1)]: { id: id(1) } });
  });

  test('adds a hash to a description that is the ID of another asset', () => {
    const described = [
      { id: 'short', desc: 'Film' },
      { id: id(1), desc: 'short' },
    ];
    expect(assetsSection(described)).toEqual({ Film: { id: 'short' }, [hashed('short', id(1))]: { id: id(1) } });
  });
});
