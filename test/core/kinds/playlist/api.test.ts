import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, type ApiService } from '../../../../src/core/kinds/kind.ts';
import { find, get, read } from '../../../../src/core/kinds/playlist/api.ts';
import { DEFAULTS } from '../../../../src/core/kinds/playlist/model.ts';
import { toConfig } from '../../../../src/core/kinds/playlist/to-config.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { beam, collection, defaults, fakeService, id, items, live, notFound, onlyResource } from './fixtures.ts';

async function objectsOf(answer: Json) {
  return (await read(fakeService(() => answer))).objects;
}

const item: JsonObject = { id: id(7), desc: 'Evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] };

describe('a playlist in a response', () => {
  test('is read with every default, and without undocumented members except those of its entries', () => {
    const withExtras = {
      ...item,
      '@id': '/x',
      profile: '',
      colour: 'blue',
      active: null,
      playlist: [
        { ...beam(1), ad: null, note: 'x' },
        { '@type': 'Ad', ad: { dur: '60', kind: 'x', none: null } },
      ],
    };
    expect(live(withExtras)).toEqual({
      id: id(7),
      remoteName: 'Evening',
      fields: { ...defaults, desc: 'Evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] },
      isMatchableByRemoteName: true,
      configSection: 'playlists',
      unknownMembers: [
        { path: '/playlist/0/note', value: 'x' },
        { path: '/playlist/1/ad/kind', value: 'x' },
      ],
    });
  });

  test('is read with numeric strings as integers, and with absent and null as the default', () => {
    assertProperty(
      fc.property(items, fc.constantFrom(null, undefined), (list, absent) => {
        for (const item of list) {
          const strings = Object.entries(item).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]);
          const sparse = Object.entries({ ...defaults, ...item }).map(([name, value]) => [name, value === defaults[name] ? absent : value]);
          expect(live(Object.fromEntries(strings))).toEqual(live(item));
          expect(live({ ...Object.fromEntries(sparse), id: item.id ?? '' })).toEqual(live(item));
        }
      }),
    );
  });

  test('gives the same fields when its canonical form is read again', () => {
    assertProperty(
      fc.property(items, (list) => {
        for (const item of list) {
          const first = live(item);
          expect(live({ id: first.id, ...first.fields })).toEqual(first);
        }
      }),
    );
  });

  test('that has the ID of its only asset is not matched by description, and is declared as a smart start', () => {
    const assetIdPlaylist = { ...item, playlist: [beam(7)] };
    expect(live(assetIdPlaylist)).toMatchObject({ isMatchableByRemoteName: false, configSection: 'smart_starts', remoteName: 'Evening' });
    expect(live({ ...assetIdPlaylist, playlist: [beam(7), { ad: { dur: 1 } }] })).toMatchObject({
      isMatchableByRemoteName: true,
      configSection: 'playlists',
    });
    expect(live({ ...assetIdPlaylist, playlist: [beam(8)] })).toMatchObject({ isMatchableByRemoteName: true, configSection: 'playlists' });
  });

  test('without a description cannot be matched by name', () => {
    expect(live({ ...item, desc: null })).toMatchObject({ remoteName: '', isMatchableByRemoteName: false, configSection: 'playlists' });
  });

  test.each([`/api/v4/linear-playlist/${id(7)}`, '/other/form/x', '', 5, null])('may have the `@id` %j', (path) => {
    expect(live({ ...item, '@id': path }).id).toBe(id(7));
  });

  test.each(['...', '..a', 'a..', '.a', 'a.b'])('may have the ID %s, which stays one path segment', (id) => {
    expect(live({ ...item, id }).id).toBe(id);
  });

  test.each<[string, Json, string]>([
    ['no object', 'x', 'a playlist is not an object'],
    ['no id', { desc: 'x' }, 'a playlist has no usable `id`'],
    ['an empty id', { id: '' }, 'a playlist has no usable `id`'],
    ['an id that walks up a path', { id: '..' }, 'a playlist has no usable `id`'],
    ['an id that stays in its path', { id: '.' }, 'a playlist has no usable `id`'],
    ['an id that is half a character', { id: 'a\ud800' }, 'a playlist has no usable `id`'],
    [
      'the path of another playlist',
      { ...item, '@id': '/api/v4/linear-playlist/other' },
      `playlist ${id(7)} has the \`@id\` of another one`,
    ],
    ['a description that is no text', { ...item, desc: 5 }, `\`desc\` of playlist ${id(7)} is not a text`],
    ['a list that is null', { ...item, playlist: null }, '`playlist`'],
    ['no list', { id: id(7), desc: 'Evening' }, '`playlist`'],
  ])('is malformed with %s', async (_name, item, message) => {
    const read = objectsOf(collection([item]));
    await expect(read).rejects.toThrow(message);
    await expect(read).rejects.toMatchObject({ category: 'malformed', mayHaveWritten: 'no' });
  });
});

describe('a playlist with an odd part', () => {
  test.each<[string, Json]>([
    ['that is neither a beam nor an ad', {}],
    ['that is both', { ...beam(1), ad: { dur: 1 } }],
    ['that is a text', 'x'],
    ['that is null', null],
    ['of a beam without id', { beam: {} }],
    ['of a beam that is a text', { beam: id(1) }],
    ['of an ad without length', { ad: {} }],
    ['of an ad whose length is a fraction', { ad: { dur: 30.5 } }],
    ['of an ad that is a number', { ad: 60 }],
    ['of another type', { slate: { id: 'x' } }],
  ])('keeps an entry %s as it is, and cannot be declared', (_name, odd) => {
    const object = live({ ...item, playlist: [beam(1), odd] });
    expect(object.fields.playlist).toEqual([beam(1), { odd }]);
    expect(object.unknownMembers).toEqual([{ path: '/playlist/1', value: odd }]);
    expect(toConfig([object])).toMatchObject({
      entries: [],
      notDeclarable: [{ reason: 'entry 2 of its list is neither an asset nor an ad break of whole seconds' }],
    });
  });

  test.each([
    ['repeat', 'often'],
    ['active', 0.5],
    ['skip_drm', 'yes'],
    ['repeat', true],
  ] as const)('keeps %s %j as it is, and cannot be declared', (name, odd) => {
    const object = live({ ...item, [name]: odd });
    expect(object.fields[name]).toBe(odd);
    expect(object.unknownMembers).toEqual([{ path: `/${name}`, value: odd }]);
    expect(toConfig([object]).notDeclarable).toMatchObject([
      { reason: `\`${name}\` is ${JSON.stringify(odd)}, which the API documents do not define` },
    ]);
  });

  test('is no switch that is true or false, which are 1 and 0', () => {
    const object = live({ ...item, active: false, ad_slate_fill: true, skip_drm: true, studio_drm_required: false });
    expect(object.fields).toMatchObject({ active: 0, ad_slate_fill: 1, skip_drm: 1, studio_drm_required: 0 });
    expect([object.unknownMembers, toConfig([object]).notDeclarable]).toEqual([[], []]);
  });

  test.each<[string, Json]>([
    ['an object', {}],
    ['one entry', { beam: { id: id(7) } }],
    ['a text', 'none'],
  ])('keeps a list that is %s as it is, and cannot be declared', (_name, odd) => {
    const object = live({ ...item, playlist: odd });
    expect(object).toMatchObject({ configSection: 'playlists', unknownMembers: [{ path: '/playlist/0', value: odd }] });
    expect(toConfig([object])).toMatchObject({ entries: [], notDeclarable: [{ object }] });
  });

  test('can be read however deep it is nested', () => {
    let deep: Json = 0;
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(live({ ...item, playlist: [deep] }).fields.playlist).toEqual([{ odd: 'nested too deep' }]);
  });

  test('leaves the other playlists of the list as they are', async () => {
    const odd = { ...item, id: id(8), playlist: [{ ad: {} }] };
    expect((await objectsOf(collection([odd, item])))[1]).toEqual(live(item));
  });
});

describe('the list of playlists', () => {
  test('takes one request and contains every object', async () => {
    const service = fakeService(() => collection([item, { ...item, id: id(8) }]));
    const observation = await read(service);
    expect(observation.objects.map((object) => object.id)).toEqual([id(7), id(8)]);
    expect(observation.warnings).toEqual([]);
    expect(service.requests).toEqual([{ method: 'GET', path: '/api/v4/linear-playlist', repeatable: true, isList: true }]);
  });

  test.each([0, '0', null])('may contain an error of %j, which means none', async (error) => {
    expect(await objectsOf({ ...Object(collection([item])), error })).toHaveLength(1);
  });

  test('may be empty, and its count may be a numeric string or too low', async () => {
    expect(await objectsOf({ items: [], total_items: '0' })).toEqual([]);
    expect(await objectsOf({ items: [item], total_items: 0 })).toHaveLength(1);
  });

  test.each<[string, Json, string]>([
    ['no items', { total_items: 0 }, '`items`'],
    ['items that are null', { items: null, total_items: 0 }, '`items`'],
    ['items that are an object', { items: {}, total_items: 0 }, '`items`'],
    ['no body', null, 'not an object'],
    ['a list at the top', [], 'not an object'],
    ['an error beside them', { ...Object(collection([item])), error: 5 }, 'error'],
    ['an error in words beside them', { ...Object(collection([item])), error: 'no' }, 'error'],
    ['the type of an error', { ...Object(collection([item])), '@type': 'Error' }, 'error'],
    ['no count', { items: [item] }, '`total_items`'],
    ['more objects than it shows', { items: [item], total_items: 2 }, '1 of 2'],
    ['one object twice', { items: [item, item], total_items: 2 }, 'twice'],
  ])('is malformed with %s', async (_name, answer, message) => {
    const read = objectsOf(answer);
    await expect(read).rejects.toThrow(message);
    await expect(read).rejects.toMatchObject({ category: 'malformed' });
  });
});

describe('reading one playlist', () => {
  test('requests it by its ID, percent-encoded', async () => {
    const service = fakeService(() => ({ ...item, id: 'a/b?c' }));
    expect((await get(service, 'a/b?c'))?.remoteName).toBe('Evening');
    expect(service.requests).toEqual([{ method: 'GET', path: '/api/v4/linear-playlist/a%2Fb%3Fc', repeatable: true }]);
  });

  test('gives null where the service has none', async () => {
    const service = fakeService((request) => {
      throw notFound(request);
    });
    expect(await get(service, id(7))).toBeNull();
  });

  test.each<[string, JsonObject]>([
    ['an error', { ...item, error: 5 }],
    ['the type of an error', { ...item, '@type': 'Error' }],
    ['no list', { id: id(7), desc: 'Evening' }],
  ])('fails as malformed with %s', async (_name, answer) => {
    const service = fakeService(() => answer);
    await expect(get(service, id(7))).rejects.toMatchObject({ category: 'malformed' });
  });

  test('fails as malformed where the response shows another playlist', async () => {
    await expect(
      get(
        fakeService(() => item),
        id(8),
      ),
    ).rejects.toMatchObject({
      category: 'malformed',
      message: expect.stringMatching(new RegExp(`it shows playlist ${id(7)} instead of the one asked for$`)),
    });
  });

  test('passes on every other error', async () => {
    const error = new ApiError({ category: 'credentials', operation: 'GET', what: 'no', advice: '', mayHaveWritten: 'no' });
    const service = fakeService(() => {
      throw error;
    });
    await expect(get(service, id(7))).rejects.toBe(error);
  });
});

describe('looking for the playlist that a create would make', () => {
  const account = (list: readonly JsonObject[]) =>
    fakeService((request) => {
      if (request.query) return collection(list);
      const id = list.find((item) => request.path.endsWith(`/${item.id}`));
      if (!id) throw notFound(request);
      return id;
    });

  test('looks by ID only for a smart start', async () => {
    const service = account([{ id: id(1), desc: 'other', playlist: [beam(1)] }]);
    const found = await find(service, onlyResource({ smart_starts: { vod: { assets: [id(1)] } } }));
    expect(found.map((object) => object.id)).toEqual([id(1)]);
    expect(service.requests.map(({ path, query }) => [path, query])).toEqual([[`/api/v4/linear-playlist/${id(1)}`, undefined]]);
  });

  test('looks by ID and description for a list of one asset, and gives each object once', async () => {
    const desired = onlyResource({ playlists: { solo: { playlist: [beam(1)] } } });
    const assetIdPlaylist = { id: id(1), desc: 'solo', playlist: [beam(1), beam(2)] };
    const message = { id: id(5), desc: 'solo', playlist: [beam(1)] };
    expect((await find(account([assetIdPlaylist, message]), desired)).map((object) => object.id)).toEqual([id(1), id(5)]);
    expect((await find(account([message]), desired)).map((object) => object.id)).toEqual([id(5)]);
  });

  test('looks by exact description for other lists, whatever the filter of the service lets through', async () => {
    const list = [
      { ...item, id: id(3), desc: 'evening' },
      { ...item, id: id(4), desc: 'Evening ' },
      { ...item, id: id(6), desc: 'Evening', playlist: [beam(6)] },
      item,
    ];
    const service = account(list);
    const found = await find(service, onlyResource({ playlists: { e: { desc: 'Evening', playlist: [beam(1), beam(2)] } } }));
    expect(found.map((object) => object.id)).toEqual([id(7)]);
    expect(service.requests).toEqual([
      { method: 'GET', path: '/api/v4/linear-playlist', query: { desc: 'Evening' }, repeatable: true, isList: true },
    ]);
  });

  test('without a description finds only playlists that equal the resource', async () => {
    const desired = {
      ...onlyResource({ playlists: { e: { playlist: [beam(1), beam(2)] } } }),
      remoteName: '',
      fields: { ...DEFAULTS, playlist: [beam(1), beam(2)] },
    };
    const list = [
      { id: id(8), playlist: [beam(1), beam(2)] },
      { id: id(9), playlist: [beam(2), beam(1)] },
    ];
    expect((await find(account(list), desired)).map((object) => object.id)).toEqual([id(8)]);
  });

  test('does not treat a playlist without a list as an empty one', async () => {
    const desired = onlyResource({ playlists: { e: { playlist: [beam(1), beam(2)] } } });
    await expect(find(account([{ id: id(8), desc: 'e' }]), desired)).rejects.toMatchObject({ category: 'malformed' });
  });

  test('fails where the list is incomplete', async () => {
    const service = fakeService(() => ({ items: [], total_items: 1 }));
    await expect(find(service, onlyResource({ playlists: { e: { playlist: [beam(1), beam(2)] } } }))).rejects.toMatchObject({
      category: 'malformed',
    });
  });
});

test('each read says for the log which resource it is about, unless it reads all or only knows an ID', async () => {
  const logged: (readonly [path: string, addresses: readonly string[] | undefined])[] = [];
  const send: ApiService['send'] = async (request, addresses) => {
    logged.push([request.path, addresses]);
    return { status: 200, body: request.path.endsWith(id(7)) ? { ...item, playlist: [beam(7)] } : collection([]) };
  };
  const solo = onlyResource({ playlists: { solo: { playlist: [beam(7)] } } });
  await read({ send });
  await get({ send }, id(7));
  await get({ send }, id(7), 'playlist/solo');
  await find({ send }, solo);
  const [all, one] = ['/api/v4/linear-playlist', `/api/v4/linear-playlist/${id(7)}`];
  expect(logged).toEqual([
    [all, []],
    [one, []],
    [one, ['playlist/solo']],
    [one, ['playlist/solo']],
    [all, ['playlist/solo']],
  ]);
});
