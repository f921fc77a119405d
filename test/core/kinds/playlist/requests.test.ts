import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import { parseWriteResponse, requests } from '../../../../src/core/kinds/playlist/requests.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { beam, declare, entries, id, live, onlyResource, settings } from './fixtures.ts';

const batch = { bulkLimit: 40 };

const evening = onlyResource({ playlists: { evening: { repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] } } });
const solo = onlyResource({ playlists: { solo: { skip_drm: 1, playlist: [beam(1)] } } });
const asset = onlyResource({ smart_starts: { vod: { assets: [id(1)] } } });
const plain = { active: 1, ad_slate_fill: 0, beam_break_duration: 0, repeat: 0, skip_drm: 0, studio_drm_required: 0 };

describe('the request that creates a playlist', () => {
  test('contains every setting and is not repeatable', () => {
    expect(requests({ desired: evening, live: null }, batch)).toEqual([
      {
        method: 'POST',
        path: '/api/v4/linear-playlist',
        body: { ...plain, desc: 'evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] },
        repeatable: false,
      },
    ]);
  });

  test('is the bulk operation for a list of one asset, wherever that is declared', () => {
    expect(requests({ desired: solo, live: null }, batch)).toEqual([
      {
        method: 'POST',
        path: '/api/v4/smart-start',
        body: { ...plain, desc: 'solo', skip_drm: 1, assets: [id(1)] },
        bulk: { member: 'assets', item: id(1), limit: 40 },
        repeatable: false,
      },
    ]);
    expect(requests({ desired: asset, live: null }, batch)).toMatchObject([
      { path: '/api/v4/smart-start', body: { ...plain, assets: [id(1)] } },
    ]);
  });

  test('leaves an empty description out', () => {
    const [write] = requests({ desired: asset, live: null }, batch);
    expect(write?.body).not.toHaveProperty('desc');
    expect(write?.body).not.toHaveProperty('playlist');
  });

  test('groups smart starts of equal settings, which differ only in their asset', () => {
    const { resources } = declare({ smart_starts: { a: { assets: [id(1)], repeat: 2 }, b: { assets: [id(2)], repeat: 2 } } });
    const [first, second] = [...resources.values()].map((desired) => requests({ desired, live: null }, batch)[0]);
    expect(first?.bulk?.item).toBe(id(1));
    expect({ ...second, body: { ...Object(second?.body), assets: [] }, bulk: null }).toEqual({
      ...first,
      body: { ...Object(first?.body), assets: [] },
      bulk: null,
    });
  });
});

describe('the request that updates a playlist', () => {
  test('contains only the fields that differ', () => {
    const object = live({ id: id(7), desc: 'evening', repeat: 3, playlist: [beam(1), { ad: { dur: 60 } }] });
    expect(requests({ desired: evening, live: object }, batch)).toEqual([
      { method: 'PATCH', path: `/api/v4/linear-playlist/${id(7)}`, body: { repeat: -1 }, repeatable: true },
    ]);
  });

  test('contains the whole list', () => {
    const object = live({ id: 'a/b', desc: 'evening', repeat: -1, playlist: [beam(1)] });
    expect(requests({ desired: evening, live: object }, batch)).toMatchObject([
      { path: '/api/v4/linear-playlist/a%2Fb', body: { playlist: [beam(1), { ad: { dur: 60 } }] } },
    ]);
  });

  test('gives any object the desired fields, and is absent where nothing differs', () => {
    assertProperty(
      fc.property(entries, settings, entries, settings, (list, values, otherList, otherValues) => {
        const desired = declare({ playlists: { a: { ...values, playlist: list } } }).resources.get('playlist/a') ?? null;
        const object = live({ id: id(99), desc: 'a', ...otherValues, playlist: otherList });
        const [write] = requests({ desired, live: object }, batch);
        const after = live({ id: id(99), ...object.fields, ...Object(write?.body) });
        expect(after.fields).toEqual(desired?.fields);
        expect(requests({ desired, live: after }, batch)).toEqual([]);
      }),
    );
  });
});

test('the request that deletes a playlist names the object and is not repeatable', () => {
  const object = live({ id: 'a b', playlist: [] });
  const [write, ...more] = requests({ desired: null, live: object }, batch);
  expect(write).toEqual({ method: 'DELETE', path: '/api/v4/linear-playlist/a%20b', repeatable: false });
  expect(more).toEqual([]);
  expect(write && parseWriteResponse({ desired: null, live: object }, write, undefined)).toEqual({ state: 'done' });
});

test('a change with neither a desired nor a live playlist has no request: its type refuses it, and nothing is built', () => {
  // @ts-expect-error One of the two is needed.
  expect(() => requests({ desired: null, live: null }, batch)).toThrow(TypeError);
});

describe('the response to a create', () => {
  const [write] = requests({ desired: evening, live: null }, batch);
  const parse = (body: Json) => write && parseWriteResponse({ desired: evening, live: null }, write, body);

  test('gives the ID', () => {
    expect(parse({ id: id(7), desc: 'evening', profile: '' })).toEqual({ state: 'done', id: id(7) });
  });

  test('fails the change where it shows another playlist than the one sent', () => {
    const returned = { id: id(7), desc: 'evening', ...plain, repeat: '-1', playlist: [beam(1), { ad: { dur: 60 } }] };
    expect(parse(returned)).toEqual({ state: 'done', id: id(7) });
    expect(parse({ ...returned, skip_drm: 1 })).toEqual({
      state: 'failed',
      reason: expect.stringContaining('/skip_drm reads 1'),
      id: id(7),
    });
    expect(parse({ ...returned, playlist: [beam(1)] })).toEqual({
      state: 'failed',
      reason: expect.stringContaining('/playlist reads'),
      id: id(7),
    });
  });

  test.each([[null], [[]], [{}], [{ id: 5 }], [{ id: id(7), error: 5 }]])('is malformed as %j, and the write may have happened', (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ category: 'malformed', mayHaveWritten: 'maybe' }));
  });
});

describe('the response to a bulk create', () => {
  const [bulk] = requests({ desired: asset, live: null }, batch);
  const parse = (body: Json) =>
    bulk && parseWriteResponse({ desired: asset, live: null }, { ...bulk, body: { assets: [id(1), id(2)] } }, body);
  const empty = { ss_created: [], ss_not_created: [], ss_errored: [] };

  test.each<[string, JsonObject]>([
    ['as an ID', { ...empty, ss_created: [id(2), id(1)] }],
    ['as an object', { ...empty, ss_created: [{ id: id(1) }] }],
    ['without the empty lists', { ss_created: [id(1)] }],
    ['beside null lists', { ss_created: [id(1)], ss_not_created: null, ss_errored: null }],
    ['beside the failure of another', { ss_created: [id(1)], ss_errored: [{ id: id(2), msg: 'no' }] }],
    ['beside elements that say nothing', { ss_created: [5, null, {}, id(1)], ss_errored: [{}] }],
  ])('lists the asset as created %s', (_name, body) => {
    expect(parse(body)).toEqual({ state: 'done', id: id(1) });
  });

  test.each<[string, JsonObject]>([
    ['as an ID', { ss_not_created: [id(1)] }],
    ['as an object', { ss_not_created: [{ id: id(1) }] }],
    ['although also created', { ss_created: [id(1)], ss_not_created: [id(1)] }],
  ])('lists the asset as existing %s', (_name, body) => {
    expect(parse(body)).toEqual({ state: 'exists' });
  });

  test.each<[string, Json, string]>([
    ['an ID', id(1), 'without a reason'],
    ['an object without words', { id: id(1), msg: '' }, 'without a reason'],
    ['an object with msg', { id: id(1), msg: 'asset is not ready' }, 'asset is not ready'],
    ['an object with title', { id: id(1), title: 'Not Found' }, 'Not Found'],
  ])('lists the asset as failed by %s', (_name, element, words) => {
    expect(parse({ ss_created: [id(1)], ss_errored: [element] })).toEqual({ state: 'failed', reason: expect.stringContaining(words) });
  });

  test('is shortened where its text is long', () => {
    const result = parse({ ss_errored: [{ id: id(1), msg: 'x'.repeat(9_000) }] });
    expect(result?.state === 'failed' && result.reason.length).toBeLessThan(530);
  });

  test('is malformed for an asset that none of its lists names', () => {
    expect(() => parse({ ...empty, ss_created: [id(2)] })).toThrow(/names \S+ neither as created nor as refused/);
  });

  test.each([
    [null],
    ['x'],
    [[]],
    [{ ss_created: 'x' }],
    [{ ss_errored: {} }],
    [{ ss_created: [id(1)], error: 5 }],
    [{ ss_created: [id(1)], '@type': 'Error' }],
  ])('is malformed as %j', (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ category: 'malformed', mayHaveWritten: 'maybe' }));
  });
});

describe('the response to a PATCH', () => {
  const before = live({ id: id(7), desc: 'evening', repeat: -1, playlist: [beam(5)] });
  const [listed] = requests({ desired: evening, live: before }, batch);
  const after: JsonObject = { id: id(7), desc: 'evening', repeat: '-1', playlist: [beam(1), { ad: { dur: '60' } }] };

  const parseListResponse = (body: Json) => listed && parseWriteResponse({ desired: evening, live: before }, listed, body);

  test('completes the change where it shows the list as sent', () => {
    expect(parseListResponse(after)).toEqual({ state: 'done', id: id(7) });
  });

  test('fails the change where the service merged the lists', () => {
    const merged = { ...after, playlist: [beam(5), beam(1), { ad: { dur: 60 } }] };
    expect(parseListResponse(merged)).toEqual({ state: 'failed', reason: expect.stringContaining('merged') });
  });

  test.each<[string, Json]>([
    ['no list', { id: id(7) }],
    ['another playlist', { ...after, id: id(8) }],
    ['no object', null],
  ])('is malformed with %s', (_name, body) => {
    expect(() => parseListResponse(body)).toThrow(expect.objectContaining({ category: 'malformed', mayHaveWritten: 'maybe' }));
  });

  test('needs no list where none was sent', () => {
    const repeated = live({ id: id(7), desc: 'evening', playlist: [beam(1), { ad: { dur: 60 } }] });
    const [write] = requests({ desired: evening, live: repeated }, batch);
    const parse = (body: Json) => write && parseWriteResponse({ desired: evening, live: repeated }, write, body);
    expect(parse({ id: id(7), repeat: '-1', playlist: [beam(9)] })).toEqual({ state: 'done', id: id(7) });
    expect(parse({ id: id(7), repeat: -1 })).toEqual({ state: 'done', id: id(7) });
  });

  test('fails the change where it shows the playlist as before', () => {
    const fields = fc.record({ desc: fc.string(), list: entries, values: settings });
    assertProperty(
      fc.property(fields, fields, (one, other) => {
        const desired = declare({ playlists: { a: { desc: one.desc, ...one.values, playlist: one.list } } }).resources.get('playlist/a');
        const object = live({ id: id(99), desc: other.desc, ...other.values, playlist: other.list });
        if (!desired) throw new Error('it is declared');
        const plan = { desired, live: object };
        for (const write of requests(plan, batch)) {
          const [first] = Object.keys(Object(write.body));
          const message = first === 'playlist' ? 'merged' : `/${first} reads `;
          expect(parseWriteResponse(plan, write, { id: object.id, ...object.fields })).toEqual({
            state: 'failed',
            reason: expect.stringContaining(message),
          });
          expect(parseWriteResponse(plan, write, { id: object.id, ...desired?.fields })).toEqual({ state: 'done', id: object.id });
        }
      }),
    );
  });

  test('means the default where it shows no value', () => {
    const secured = live({ id: id(7), desc: 'evening', repeat: -1, skip_drm: 1, playlist: [beam(1), { ad: { dur: 60 } }] });
    const plan = { desired: evening, live: secured };
    const [write] = requests(plan, batch);
    expect(write?.body).toEqual({ skip_drm: 0 });
    expect(write && parseWriteResponse(plan, write, { ...after, skip_drm: null })).toEqual({ state: 'done', id: id(7) });
    expect(write && parseWriteResponse(plan, write, { ...after, skip_drm: '1' })).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('/skip_drm reads 1 in the answer, not 0'),
    });
  });
});

describe('a playlist with the ID of its only asset', () => {
  const assetIdPlaylist = live({ id: id(1), playlist: [beam(1)] });

  test('accepts its one beam and no other list', () => {
    expect(playlist.whyNotBindable?.(solo, assetIdPlaylist)).toBeUndefined();
    expect(playlist.whyNotBindable?.(asset, assetIdPlaylist)).toBeUndefined();
    expect(playlist.whyNotBindable?.(evening, assetIdPlaylist)).toContain(id(1));
    expect(playlist.whyNotBindable?.(onlyResource({ playlists: { other: { playlist: [beam(2)] } } }), assetIdPlaylist)).toContain(
      'playlist/other',
    );
  });

  test('can be changed back after its list was changed', () => {
    expect(playlist.whyNotBindable?.(asset, live({ id: id(1), playlist: [beam(1), beam(2)] }))).toBeUndefined();
  });

  test('has an address with its ID while the configuration does not declare it', () => {
    expect(playlist.idAddress(assetIdPlaylist)).toBe(`playlist/~${id(1)}`);
  });
});
