/** The endpoints of api-notes section 7, requested by a client that shares no code with upkeep. */
import { describe, expect, test } from 'vitest';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import { account, raw, start, v2, v2Get, v4 } from '../independent-client.ts';

const library = [{ id: 'a', desc: 'Intro' }, { id: 'b' }];
const seed = {
  playlist: { playlists: [{ id: 'p', playlist: [{ beam: { id: 'c' } }] }], assets: library },
  'static-key': { live_slicers: ['studio-a', 'Studio-A'] },
};

test('the lookup endpoints are three for assets and two for slicers, those of v2 also as GET', async () => {
  const paths = emulatedKinds.flatMap(({ lookups = [] }) => lookups.map(({ method, path }) => `${method} ${path}`));
  expect(paths).toEqual([
    'POST /api2/slicer/status',
    'GET /api2/slicer/status',
    'GET /api/v4/ingest/cloud-slicers/live/slicers',
    'POST /api2/asset/get',
    'GET /api2/asset/get',
    'POST /api2/asset/list',
    'GET /api2/asset/list',
    'GET /api/v4/assets',
  ]);
  const emulator = await start();
  expect((await raw(emulator, '/api2/asset/get', { method: 'POST' })).json).toMatchObject({ error: 1 });
  expect(await raw(emulator, '/api2/nothing')).toMatchObject({ status: 404, json: { error: 1 } });
});

describe('a v2 request as GET with the signature in the query', () => {
  test('gets the same answer as the form', async () => {
    const emulator = await start({ seed });
    for (const [path, data] of [
      ['/asset/get', { ids: ['a', 'x'] }],
      ['/asset/get', { id: 'a' }],
      ['/asset/list', {}],
      ['/slicer/status', { slicer_ids: ['x'] }],
    ] as const) {
      const { status, json } = await v2Get(emulator, path, data);
      expect([path, status, json]).toEqual([path, 200, (await v2(emulator, path, data)).json]);
      expect(json.error).toBe(0);
    }
  });

  test('is refused with a wrong signature', async () => {
    const emulator = await start({ seed });
    const { json } = await raw(emulator, '/api2/asset/list?msg=e30%3D&sig=00');
    expect(json).toMatchObject({ error: 1, msg: 'the signature does not match' });
  });
});

describe('the lookup of assets', () => {
  test('by one ID returns that asset, or an error', async () => {
    const emulator = await start({ seed });
    expect((await v2(emulator, '/asset/get', { id: 'a' })).json).toEqual({ asset: library[0], error: 0 });
    expect((await v2(emulator, '/asset/get', { id: 'x' })).json).toEqual({ error: 1, msg: 'asset x does not exist' });
  });

  test('without IDs lists the library', async () => {
    expect((await v2(await start({ seed }), '/asset/list', {})).json.assets).toHaveLength(library.length);
  });

  test('returns each requested asset of the library once', async () => {
    const emulator = await start({ seed });
    expect((await v2(emulator, '/asset/get', { ids: ['b', 'x', 'a', 'a', 'c'] })).json).toEqual({
      assets: [{ id: 'b' }, library[0]],
      error: 0,
    });
    expect(emulator.requests()[0]).toMatchObject({ owner: account.owner, body: { ids: ['b', 'x', 'a', 'a', 'c'] } });
    expect((await v4(emulator, 'GET', '/assets')).json).toMatchObject({ '@type': 'Collection', total_items: 2, items: library });
  });

  test('may return an object by ID', async () => {
    const emulator = await start({ seed, quirks: { lookUps: 'object' } });
    expect((await v2(emulator, '/asset/get', { ids: ['a', 'x'] })).json).toEqual({ assets: { a: library[0], x: null }, error: 0 });
  });

  test('returns the assets that playlists play if no library was seeded', async () => {
    const emulator = await start({ seed: { playlist: seed.playlist.playlists } });
    expect((await v2(emulator, '/asset/get', { ids: ['a', 'c'] })).json).toMatchObject({ assets: [{ id: 'c' }] });
  });

  test.each([[{}], [{ ids: 'a' }], [{ ids: Array.from({ length: 1001 }, String) }]])('rejects %j', async (data) => {
    expect((await v2(await start({ seed }), '/asset/get', data)).json).toMatchObject({ error: 1, msg: expect.stringContaining('ids') });
  });

  test('returns the same assets after a dump was loaded as a seed', async () => {
    const emulator = await start({ seed });
    const again = await start({ seed: emulator.dump() });
    expect(again.dump()).toEqual(emulator.dump());
    expect((await v4(again, 'GET', '/assets')).json.total_items).toBe(2);
  });

  test.each([{ assets: 'a' }, { assets: [{}] }, { assets: [], other: 1 }, 'list'])('rejects the seed %j', async (playlist) => {
    await expect(start({ seed: { playlist } })).rejects.toThrow('seed: playlist: ');
  });
});

describe('the lookup of slicers', () => {
  test('returns the requested live slicers, case-sensitively', async () => {
    const emulator = await start({ seed });
    const { json } = await v2(emulator, '/slicer/status', { slicer_ids: ['Studio-A', 'STUDIO-A'] });
    expect(json).toEqual({ slicers: [{ id: 'Studio-A', slicer_id: 'Studio-A' }], error: 0 });
    const { json: all } = await v4(emulator, 'GET', '/ingest/cloud-slicers/live/slicers');
    expect(all).toMatchObject({ total_items: 2, items: [{ id: 'studio-a' }, { id: 'Studio-A' }] });
  });

  test('returns the slicers that use the static key if none were seeded', async () => {
    const emulator = await start({ seed: { 'static-key': { static_key_slicer_ids: ['x'] } } });
    expect((await v2(emulator, '/slicer/status', { slicer_ids: ['x', 'y'] })).json.slicers).toEqual([{ id: 'x', slicer_id: 'x' }]);
  });
});
