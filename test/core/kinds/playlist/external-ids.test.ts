import { describe, expect, test } from 'vitest';
import { externalReferences } from '../../../../src/core/kinds/playlist/external-ids.ts';
import { fakeService, onlyItem } from '../fixtures.ts';
import { beam, declare, id, onlyResource } from './fixtures.ts';

test('external IDs are looked up in the assets', async () => {
  const responses = {
    'GET /api2/asset/get': { assets: [{ id: id(1), external_id: 'a' }] },
    'GET /api/v4/assets': { items: [], total_items: 0 },
  };
  const { service, sent } = fakeService(responses);
  expect(await onlyItem(externalReferences.lookups(['a'], 'v2')).find(service)).toEqual(new Map([['a', [id(1)]]]));
  expect(await onlyItem(externalReferences.lookups(['a'], 'v4')).find(service)).toEqual(new Map());
  expect(sent).toEqual([
    { method: 'GET', path: '/api2/asset/get', body: { external_ids: ['a'] }, repeatable: true, isList: true },
    { method: 'GET', path: '/api/v4/assets', repeatable: true, isList: true },
  ]);
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

  test('names it where its list holds no other asset', () => {
    const solo = onlyResource({ playlists: { solo: { playlist: [{ beam: { external_id: 'ep-1' } }] } } });
    expect(externalReferences.referencesIn(solo)).toEqual([{ id: 'ep-1', path: ['playlists', 'solo', 'playlist', 0, 'beam', 'id'] }]);
  });

  test('gets the assets that are known, with what the catalog says of them, and remembers its references', () => {
    const declared = onlyResource({ ...sections, assets: { ...sections.assets, jingle: { id: id(7) } } });
    const resolver = externalReferences.resolver();
    const resolved = resolver.resolve(declared, (externalId) => (externalId === 'ep-2' ? id(2) : undefined));
    const list = [{ beam: { id: '~ep-1' } }, { ad: { dur: 30 } }, beam(2), beam(7)];
    const final = { name: 'final', externalId: 'ep-2', studioDrm: true };
    expect(resolved).toStrictEqual({
      ...declared,
      fields: { ...declared.fields, playlist: list },
      declaredFields: { playlist: list },
      kindData: {
        studio_drm: { '~ep-2': true, [id(2)]: true },
        names: { '~ep-2': 'final', [id(2)]: 'final', [id(7)]: 'jingle' },
        facts: { '~ep-2': final, [id(2)]: final, [id(7)]: { name: 'jingle' } },
      },
      externalIds: { 'ep-2': id(2) },
      beforeResolving: declared,
    });
    expect(resolved.beforeResolving).toBe(declared);
    expect(resolver.resolve(declared, () => undefined)).toBe(declared);
  });

  test('asks for external IDs only', () => {
    const asked = new Set<string>();
    const declared = onlyResource({ ...sections, assets: { ...sections.assets, jingle: { id: id(7) } } });
    externalReferences.resolver().resolve(declared, (externalId) => {
      asked.add(externalId);
      return id(2);
    });
    expect([...asked]).toEqual(['ep-1', 'ep-2']);
  });

  test('shares the resolved data of the catalog with the other playlists of its configuration', () => {
    const list = { playlist: sections.playlists.evening.playlist };
    const { resources } = declare({ ...sections, playlists: { a: list, b: list } });
    const resolver = externalReferences.resolver();
    const [first, second] = [...resources.values()].map((each) => resolver.resolve(each, () => id(2)));
    expect(first?.kindData).toMatchObject({ names: { [id(2)]: 'final' } });
    expect(second?.kindData).toBe(first?.kindData);
  });

  test.each(['__proto__', 'constructor'])('may be called %s', (externalId) => {
    const declared = onlyResource({
      playlists: { a: { playlist: [{ beam: { external_id: externalId } }, { beam: { external_id: 'toString' } }] } },
    });
    const resolved = externalReferences.resolver().resolve(declared, (each) => (each === externalId ? id(1) : undefined));
    expect(resolved.fields).toMatchObject({ playlist: [beam(1), { beam: { id: '~toString' } }] });
    expect(Object.entries(resolved.externalIds ?? {})).toEqual([[externalId, id(1)]]);
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
