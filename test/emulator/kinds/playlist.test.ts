import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertAsyncProperty } from '../../support/property.ts';
import { start, v4 } from '../independent-client.ts';

const beam = (id: string) => ({ beam: { id } });

describe('create of a playlist', () => {
  test('sets a new ID, the defaults and an empty profile', async () => {
    const emulator = await start();
    const { status, json } = await v4(emulator, 'POST', '/linear-playlist', { playlist: [beam('a1')] });
    expect(status).toBe(201);
    expect(json.id).toMatch(/^[0-9a-f]{32}$/);
    expect(json).toEqual({
      '@id': `/api/v4/linear-playlist/${json.id}`,
      '@type': 'LinearPlaylist',
      id: json.id,
      desc: '',
      active: 1,
      ad_slate_fill: 0,
      beam_break_duration: 0,
      repeat: 0,
      skip_drm: 0,
      studio_drm_required: 0,
      profile: '',
      playlist: [beam('a1')],
    });
  });

  test('reads integers from numeric strings, and accepts an ad as the first entry', async () => {
    const emulator = await start();
    const sent = { repeat: '-1', beam_break_duration: '30', playlist: [{ ad: { dur: '60' } }, beam('a1'), { ad: { dur: 90 } }] };
    const { json } = await v4(emulator, 'POST', '/linear-playlist/', sent);
    expect(json).toMatchObject({ repeat: -1, beam_break_duration: 30, playlist: [{ ad: { dur: 60 } }, beam('a1'), { ad: { dur: 90 } }] });
  });

  test('ignores unknown members', async () => {
    const emulator = await start();
    const { json } = await v4(emulator, 'POST', '/linear-playlist', {
      id: 'mine',
      profile: 'x',
      other: 1,
      playlist: [{ ...beam('a'), note: 1 }],
    });
    expect(json.id).not.toBe('mine');
    expect(json).not.toHaveProperty('other');
    expect(json).toMatchObject({ profile: '', playlist: [beam('a')] });
  });

  test.each([
    ['101 assets', { playlist: Array.from({ length: 101 }, (_, index) => beam(`a${index}`)) }, 'more than 100'],
    ['no beam', { playlist: [{ ad: { dur: 30 } }] }, 'at least one beam'],
    ['no playlist', {}, 'playlist must be a list'],
    ['both beam and ad', { playlist: [{ ...beam('a'), ad: { dur: 1 } }] }, 'playlist[0] needs either'],
    ['neither beam nor ad', { playlist: [beam('a'), {}] }, 'playlist[1] needs either'],
    ['beam without id', { playlist: [{ beam: {} }] }, 'playlist[0].beam.id'],
    ['beam that is a string', { playlist: [{ beam: 'a' }] }, 'dictionary'],
    ['ad of 0 seconds', { playlist: [beam('a'), { ad: { dur: 0 } }] }, 'playlist[1].ad.dur'],
    ['active 2', { active: 2, playlist: [beam('a')] }, 'active'],
    ['active true', { active: true, playlist: [beam('a')] }, 'active'],
    ['repeat -2', { repeat: -2, playlist: [beam('a')] }, 'repeat'],
    ['repeat 1.5', { repeat: 1.5, playlist: [beam('a')] }, 'repeat'],
    ['negative break', { beam_break_duration: -1, playlist: [beam('a')] }, 'beam_break_duration'],
    ['desc number', { desc: 5, playlist: [beam('a')] }, 'desc'],
    ['desc null', { desc: null, playlist: [beam('a')] }, 'desc'],
    ['a list', [], 'JSON object'],
  ])('rejects %s', async (_name, body, reason) => {
    const emulator = await start();
    const { status, json } = await v4(emulator, 'POST', '/linear-playlist', body);
    expect([status, json['@type'], json.code, json.status_code]).toEqual([400, 'Error', 'bad_request', 400]);
    expect(json.title).toContain(reason);
    expect((await v4(emulator, 'GET', '/linear-playlist')).json.total_items).toBe(0);
  });

  test('accepts exactly 100 assets with ads between them', async () => {
    const emulator = await start();
    const playlist = Array.from({ length: 100 }, (_, index) => [beam(`a${index}`), { ad: { dur: 5 } }]).flat();
    expect((await v4(emulator, 'POST', '/linear-playlist', { playlist })).json.playlist).toEqual(playlist);
  });
});

describe('list of playlists', () => {
  const seed = {
    playlist: [
      { id: 'one', desc: 'Evening block', playlist: [beam('a')] },
      { id: 'two', desc: 'evening block', active: 0, playlist: [beam('b')] },
      { id: 'three', desc: 'Evening block', active: 0, playlist: [beam('c')] },
    ],
  };
  const ids = (json: { readonly [member: string]: unknown }) =>
    Array.isArray(json.items) ? json.items.map((item: { id: string }) => item.id) : [];

  test('returns a collection of all playlists', async () => {
    const { json } = await v4(await start({ seed }), 'GET', '/linear-playlist/');
    expect(json).toMatchObject({ '@id': '/api/v4/linear-playlist', '@type': 'Collection', total_items: 3 });
    expect(ids(json)).toEqual(['one', 'two', 'three']);
  });

  test('filters by exact desc and by active, and repeats the filters in @id', async () => {
    const emulator = await start({ seed });
    const byDesc = await v4(emulator, 'GET', '/linear-playlist', undefined, { desc: 'Evening block' });
    expect(ids(byDesc.json)).toEqual(['one', 'three']);
    expect(byDesc.json).toMatchObject({ '@id': '/api/v4/linear-playlist?desc=Evening+block', total_items: 2 });
    expect(ids((await v4(emulator, 'GET', '/linear-playlist', undefined, { active: '1' })).json)).toEqual(['one']);
    const both = await v4(emulator, 'GET', '/linear-playlist', undefined, { desc: 'Evening block', active: '0', other: 'x' });
    expect(ids(both.json)).toEqual(['three']);
    expect(both.json['@id']).toBe('/api/v4/linear-playlist?desc=Evening+block&active=0');
    expect((await v4(emulator, 'GET', '/linear-playlist', undefined, { active: '2' })).status).toBe(400);
  });

  test.each(['reversed', 'shuffled'] as const)('may be %s, with the same items', async (listOrder) => {
    const many = Array.from({ length: 40 }, (_, index) => ({ id: `p${String(index).padStart(2, '0')}`, playlist: [beam('a')] }));
    const { json } = await v4(await start({ seed: { playlist: many }, quirks: { listOrder } }), 'GET', '/linear-playlist');
    expect(ids(json)).not.toEqual(many.map(({ id }) => id));
    expect(ids(json).sort()).toEqual(many.map(({ id }) => id));
  });
});

describe('the endpoint of one playlist', () => {
  const seed = { playlist: [{ id: 'one', desc: 'Morning', repeat: 2, playlist: [beam('a'), beam('b')] }] };

  test('returns the playlist with and without a trailing slash', async () => {
    const emulator = await start({ seed });
    expect((await v4(emulator, 'GET', '/linear-playlist/one/')).json).toEqual((await v4(emulator, 'GET', '/linear-playlist/one')).json);
  });

  test('sets the members of a PATCH, replaces the list, and returns the whole playlist', async () => {
    const emulator = await start({ seed });
    const { status, json } = await v4(emulator, 'PATCH', '/linear-playlist/one', { active: 0, playlist: [beam('c')] });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: 'one', desc: 'Morning', repeat: 2, active: 0, playlist: [beam('c')] });
    expect((await v4(emulator, 'PATCH', '/linear-playlist/one', {})).json).toEqual(json);
  });

  test('appends to the list of a PATCH with the quirk patchMerges', async () => {
    const emulator = await start({ seed, quirks: { patchMerges: true } });
    const { json } = await v4(emulator, 'PATCH', '/linear-playlist/one', { playlist: [beam('c')] });
    expect(json.playlist).toEqual([beam('a'), beam('b'), beam('c')]);
  });

  test('changes nothing for a PATCH that is rejected', async () => {
    const emulator = await start({ seed });
    const before = emulator.dump();
    expect((await v4(emulator, 'PATCH', '/linear-playlist/one', { active: 0, repeat: 'often' })).status).toBe(400);
    expect((await v4(emulator, 'PATCH', '/linear-playlist/one', { playlist: [] })).status).toBe(400);
    expect(emulator.dump()).toEqual(before);
  });

  test('returns 204 without a body for a DELETE, then 404', async () => {
    const emulator = await start({ seed });
    const first = await v4(emulator, 'DELETE', '/linear-playlist/one');
    expect([first.status, first.text]).toEqual([204, '']);
    const second = await v4(emulator, 'DELETE', '/linear-playlist/one');
    expect(second.json).toEqual({ '@type': 'Error', code: 'not_found', status_code: 404, title: 'Not Found' });
  });

  test.each(['GET', 'PATCH', 'DELETE'])('returns 404 for a %s of an unknown ID', async (method) => {
    expect((await v4(await start(), method, '/linear-playlist/none', method === 'PATCH' ? {} : undefined)).status).toBe(404);
  });
});

describe('smart-start of playlists', () => {
  test('creates one playlist per asset with its ID, and reports duplicates and invalid IDs', async () => {
    const emulator = await start({ seed: { playlist: [{ id: 'old', playlist: [beam('old')] }] } });
    const { status, json } = await v4(emulator, 'POST', '/smart-start', { assets: ['new', 'old', 'no/id', 'new'], desc: 'VOD', repeat: 3 });
    expect(status).toBe(201);
    expect(json).toEqual({
      '@id': '/api/v4/smart-start',
      '@type': 'SmartStart',
      ss_created: ['new'],
      ss_not_created: ['old', 'new'],
      ss_errored: ['no/id'],
    });
    const created = await v4(emulator, 'GET', '/linear-playlist/new');
    expect(created.json).toMatchObject({ id: 'new', desc: 'VOD', repeat: 3, active: 1, playlist: [beam('new')] });
  });

  test('responds as the quirks define', async () => {
    const emulator = await start({ quirks: { createdStatus: 200, emptyLists: 'missing', smartStartElements: 'objects' } });
    const { status, json } = await v4(emulator, 'POST', '/smart-start', { assets: ['a', 'b'] });
    expect(status).toBe(200);
    expect(json).toEqual({ '@id': '/api/v4/smart-start', '@type': 'SmartStart', ss_created: [{ id: 'a' }, { id: 'b' }] });
  });

  test.each([[{}], [{ assets: [] }], [{ assets: [7] }], [{ assets: 'a' }], [{ assets: ['a'], skip_drm: 3 }]])(
    'rejects %j',
    async (body) => {
      expect((await v4(await start(), 'POST', '/smart-start', body)).status).toBe(400);
    },
  );
});

describe('a seed of playlists', () => {
  test('restores the same playlists from a dump', async () => {
    const entries = fc.array(
      fc.oneof(
        fc.record({ beam: fc.record({ id: fc.string({ minLength: 1 }) }) }),
        fc.record({ ad: fc.record({ dur: fc.integer({ min: 1 }) }) }),
      ),
    );
    const one = fc.record({ desc: fc.string(), active: fc.constantFrom(0, 1), repeat: fc.integer({ min: -1 }), playlist: entries });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(one, { maxLength: 5 }), async (playlists) => {
        const first = await start({ seed: { playlist: playlists } });
        const second = await start({ seed: first.dump() });
        expect(second.dump()).toEqual(first.dump());
        const { json } = await v4(second, 'GET', '/linear-playlist');
        expect(json.items).toMatchObject(playlists);
      }),
      { numRuns: 10 },
    );
  });

  test.each([
    [{}, 'must be a list'],
    [[1], '[0] must be an object'],
    [[{ id: '', playlist: [] }], '[0].id'],
    [
      [
        { id: 'a', playlist: [] },
        { id: 'a', playlist: [] },
      ],
      'occurs twice',
    ],
    [[{ id: 'a' }], '[0].playlist must be a list'],
  ])('rejects %j', async (playlist, reason) => {
    await expect(start({ seed: { playlist } })).rejects.toThrow(reason);
  });
});
