import { describe, expect, test } from 'vitest';
import { externalReferences } from '../../../src/kinds/playlist/external-ids.ts';
import type { Json } from '../../../src/model/json.ts';
import { expectMalformed, fakeService, onlyItem } from '../fixtures.ts';
import { beam, declare, id, onlyResource } from './fixtures.ts';

const V2 = 'GET /api2/asset/get';
const V4 = 'GET /api/v4/assets';

/** Looks up these external IDs in a response. */
function lookUp(response: Json, externalIds: readonly string[], api: 'v2' | 'v4' = 'v2') {
  const { service, sent } = fakeService({ [api === 'v2' ? V2 : V4]: response });
  return { found: onlyItem(externalReferences.lookups(externalIds, api)).find(service), sent };
}

describe('the lookup of external IDs', () => {
  test.each([0, 1, 1000, 1001])('needs as few requests as possible for %i IDs', (count) => {
    const ids = Array.from({ length: count }, (_, index) => `ep-${index}`);
    expect(externalReferences.lookups(ids, 'v2').map((each) => each.ids.length)).toEqual(
      count > 1000 ? [1000, count - 1000] : count === 0 ? [] : [count],
    );
    expect(externalReferences.lookups(ids, 'v4')).toHaveLength(count === 0 ? 0 : 1);
  });

  test.each([
    [
      'a list',
      [
        { id: id(1), external_id: 'a' },
        { id: id(2), external_id: 'b' },
        { id: id(3), external_id: 'b' },
        { id: id(3), external_id: 'b' },
      ],
    ],
    ['a map', { x: { id: id(1), external_id: 'a' }, y: { id: id(2), external_id: 'b' }, z: { id: id(3), external_id: 'b' }, none: null }],
  ])('finds every asset with an ID, each once, in %s', async (_name, assets) => {
    const { found, sent } = lookUp({ assets }, ['a', 'b', 'c']);
    expect(await found).toEqual(
      new Map([
        ['a', [id(1)]],
        ['b', [id(2), id(3)]],
      ]),
    );
    expect(sent).toEqual([{ method: 'GET', path: '/api2/asset/get', body: { external_ids: ['a', 'b', 'c'] }, repeatable: true }]);
  });

  test('leaves out the assets of a list that have other external IDs, or none', async () => {
    const items = [{ id: id(1), external_id: 'a' }, { id: id(2), external_id: 'z' }, { id: id(3) }];
    expect(await lookUp({ items, total_items: 3 }, ['a'], 'v4').found).toEqual(new Map([['a', [id(1)]]]));
    await expectMalformed(lookUp({ items, total_items: 4 }, ['a'], 'v4').found, 'holds 3 of 4');
  });

  test.each([
    ['no list', {}, 'no `assets`'],
    ['an element without external ID', { assets: [{ id: id(1) }] }, 'no external ID that was asked for'],
    ['an element with another external ID', { assets: [{ id: id(1), external_id: 'z' }] }, 'no external ID that was asked for'],
    ['an element without ID', { assets: [{ external_id: 'a' }] }, 'has no ID'],
    ['a text', { assets: ['a'] }, 'no external ID that was asked for'],
  ])('refuses an answer with %s', async (_name, response, why) => {
    await expectMalformed(lookUp(response, ['a']).found, why);
  });
});

describe('a playlist with external IDs', () => {
  const sections = {
    assets: { final: { external_id: 'ep-2', studio_drm: true } },
    playlists: { evening: { playlist: [{ beam: { external_id: 'ep-1' } }, { ad: 30 }, { beam: 'final' }, beam(7)] } },
  };

  test('names each at its place', () => {
    expect(externalReferences.referencesIn(onlyResource(sections)).map(({ id: externalId, path }) => [externalId, path.join('/')])).toEqual(
      [
        ['ep-1', 'playlists/evening/playlist/0/beam/id'],
        ['ep-2', 'playlists/evening/playlist/2/beam/id'],
      ],
    );
    expect(externalReferences.referencesIn(onlyResource({ playlists: { a: { playlist: [beam(1)] } } }))).toEqual([]);
  });

  test('gets the assets that are known, with what the catalog says of them, and remembers its references', () => {
    const declared = onlyResource(sections);
    const resolver = externalReferences.resolver();
    const resolved = resolver.resolve(declared, (externalId) => (externalId === 'ep-2' ? id(2) : undefined));
    expect(resolved).toMatchObject({
      fields: { playlist: [{ beam: { id: '~ep-1' } }, { ad: { dur: 30 } }, beam(2), beam(7)] },
      kindData: { studio_drm: { [id(2)]: true }, names: { [id(2)]: 'final' }, facts: { [id(2)]: { name: 'final' } } },
      externalIds: { 'ep-2': id(2) },
    });
    expect(resolved.beforeResolving).toBe(declared);
    expect(resolver.resolve(declared, () => undefined)).toBe(declared);
  });

  test('of one asset is matched by the ID of that asset', () => {
    const declared = onlyResource({ playlists: { solo: { playlist: [{ beam: { external_id: 'ep-1' } }] } } });
    expect(externalReferences.resolver().resolve(declared, () => id(1)).matchKeys).toEqual([{ id: id(1) }, { remoteName: 'solo' }]);
  });

  test('claims the single-asset list of a reference once', () => {
    const list = { playlist: [{ beam: { external_id: 'ep-1' } }] };
    const { findings } = declare({ playlists: { a: list, b: { desc: 'b', ...list } } });
    expect(findings.map(({ code }) => code)).toEqual(['asset-claimed-twice']);
  });
});

test('a member of `assets` needs an ID or an external ID', () => {
  const { findings } = declare({ assets: { a: { codec: 'AVC' }, b: { external_id: '' }, c: { external_id: 'ep-3' } } });
  expect(findings.map(({ code, path }) => [code, path.join('/')])).toEqual([
    ['missing-key', 'assets/a'],
    ['missing-key', 'assets/b'],
  ]);
});
