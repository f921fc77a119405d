import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/kinds/kind.ts';
import { find, get, read } from '../../../src/kinds/playlist/api.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { absent, beam, collection, defaults, id, items, live, only, serviceOf } from './fixtures.ts';

async function objectsOf(answer: Json) {
  return (await read(serviceOf(() => answer))).objects;
}

const shown: JsonObject = { id: id(7), desc: 'Evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] };

describe('a playlist of an answer', () => {
  test('is read with every default, and without what the documents do not name', () => {
    const item = {
      ...shown,
      '@id': '/x',
      profile: '',
      colour: 'blue',
      active: null,
      playlist: [{ ...beam(1), ad: null, note: 'x' }, { ad: { dur: '60', kind: 'x' } }],
    };
    expect(live(item)).toEqual({
      id: id(7),
      label: 'Evening',
      fields: { ...defaults, desc: 'Evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] },
      matchableByName: true,
      configSection: 'playlists',
      unknown: [],
    });
  });

  test('reads numeric strings as integers, and absent and null as the default', () => {
    fc.assert(
      fc.property(items, fc.constantFrom(null, undefined), (list, nothing) => {
        for (const item of list) {
          const texts = Object.entries(item).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]);
          const sparse = Object.entries({ ...defaults, ...item }).map(([name, value]) => [
            name,
            value === defaults[name] ? nothing : value,
          ]);
          expect(live(Object.fromEntries(texts))).toEqual(live(item));
          expect(live({ ...Object.fromEntries(sparse), id: item.id ?? '' })).toEqual(live(item));
        }
      }),
    );
  });

  test('reads the same when its canonical form is read again', () => {
    fc.assert(
      fc.property(items, (list) => {
        for (const item of list) {
          const first = live(item);
          expect(live({ id: first.id, ...first.fields })).toEqual(first);
        }
      }),
    );
  });

  test('bears the ID of its one asset: no clue by description, declared as a smart start', () => {
    const own = { ...shown, playlist: [beam(7)] };
    expect(live(own)).toMatchObject({ matchableByName: false, configSection: 'smart_starts', label: 'Evening' });
    expect(live({ ...own, playlist: [beam(7), { ad: { dur: 1 } }] })).toMatchObject({ matchableByName: true, configSection: 'playlists' });
    expect(live({ ...own, playlist: [beam(8)] })).toMatchObject({ matchableByName: true, configSection: 'playlists' });
  });

  test('without a description cannot be named', () => {
    expect(live({ ...shown, desc: null })).toMatchObject({ label: '', matchableByName: false, configSection: 'playlists' });
  });

  test.each(['...', '..a', 'a..', '.a', 'a.b'])('may bear the ID %s, which leads nowhere else', (one) => {
    expect(live({ ...shown, id: one }).id).toBe(one);
  });

  test.each<[string, Json, string]>([
    ['no object', 'x', 'a playlist is not an object'],
    ['no id', { desc: 'x' }, 'a playlist has no usable `id`'],
    ['an empty id', { id: '' }, 'a playlist has no usable `id`'],
    ['an id that walks up a path', { id: '..' }, 'a playlist has no usable `id`'],
    ['an id that stays in its path', { id: '.' }, 'a playlist has no usable `id`'],
    ['an id that is half a character', { id: 'a\ud800' }, 'a playlist has no usable `id`'],
    ['a description that is no text', { ...shown, desc: 5 }, `\`desc\` of playlist ${id(7)} is not a text`],
    ['a setting that is no integer', { ...shown, repeat: 'often' }, `\`repeat\` of playlist ${id(7)} is not an integer`],
    ['a setting that is a fraction', { ...shown, active: 0.5 }, '`active`'],
    ['a list that is none', { ...shown, playlist: {} }, '`playlist`'],
    ['a list that is null', { ...shown, playlist: null }, '`playlist`'],
    ['no list', { id: id(7), desc: 'Evening' }, '`playlist`'],
    ['an entry that is neither', { ...shown, playlist: [beam(1), {}] }, 'entry 2'],
    ['an entry that is both', { ...shown, playlist: [{ ...beam(1), ad: { dur: 1 } }] }, 'entry 1'],
    ['an entry that is a text', { ...shown, playlist: ['x'] }, 'entry 1'],
    ['a beam without id', { ...shown, playlist: [{ beam: {} }] }, 'entry 1'],
    ['a beam that is a text', { ...shown, playlist: [{ beam: id(1) }] }, 'entry 1'],
    ['an ad without length', { ...shown, playlist: [{ ad: {} }] }, 'entry 1'],
    ['an ad that is a number', { ...shown, playlist: [{ ad: 60 }] }, 'entry 1'],
  ])('is malformed with %s', async (_name, item, named) => {
    const reading = objectsOf(collection([item]));
    await expect(reading).rejects.toThrow(named);
    await expect(reading).rejects.toMatchObject({ kind: 'malformed', mayHaveWritten: 'no' });
  });
});

describe('the list', () => {
  test('is one request, and gives every object', async () => {
    const service = serviceOf(() => collection([shown, { ...shown, id: id(8) }]));
    const observation = await read(service);
    expect(observation.objects.map((object) => object.id)).toEqual([id(7), id(8)]);
    expect(observation.notes).toEqual([]);
    expect(service.asked).toEqual([{ method: 'GET', path: '/api/v4/linear-playlist', repeatable: true }]);
  });

  test.each([0, '0', null])('may say that there was no error: %j', async (error) => {
    expect(await objectsOf({ ...Object(collection([shown])), error })).toHaveLength(1);
  });

  test('may be empty, and count itself by a numeric string or too low', async () => {
    expect(await objectsOf({ items: [], total_items: '0' })).toEqual([]);
    expect(await objectsOf({ items: [shown], total_items: 0 })).toHaveLength(1);
  });

  test.each<[string, Json, string]>([
    ['no items', { total_items: 0 }, '`items`'],
    ['items that are null', { items: null, total_items: 0 }, '`items`'],
    ['items that are an object', { items: {}, total_items: 0 }, '`items`'],
    ['no body', null, 'not an object'],
    ['a list at the top', [], 'not an object'],
    ['an error beside them', { ...Object(collection([shown])), error: 5 }, 'error'],
    ['an error in words beside them', { ...Object(collection([shown])), error: 'no' }, 'error'],
    ['the type of an error', { ...Object(collection([shown])), '@type': 'Error' }, 'error'],
    ['no count', { items: [shown] }, '`total_items`'],
    ['more objects than it shows', { items: [shown], total_items: 2 }, '1 of 2'],
    ['one object twice', { items: [shown, shown], total_items: 2 }, 'twice'],
  ])('is incomplete with %s', async (_name, answer, named) => {
    const reading = objectsOf(answer);
    await expect(reading).rejects.toThrow(named);
    await expect(reading).rejects.toMatchObject({ kind: 'malformed' });
  });
});

describe('one playlist', () => {
  test('is read by its ID, percent-encoded', async () => {
    const service = serviceOf(() => ({ ...shown, id: 'a/b?c' }));
    expect((await get(service, 'a/b?c'))?.label).toBe('Evening');
    expect(service.asked).toEqual([{ method: 'GET', path: '/api/v4/linear-playlist/a%2Fb%3Fc', repeatable: true }]);
  });

  test('is null where the service has none', async () => {
    const service = serviceOf((request) => {
      throw absent(request);
    });
    expect(await get(service, id(7))).toBeNull();
  });

  test.each<[string, JsonObject]>([
    ['an error', { ...shown, error: 5 }],
    ['the type of an error', { ...shown, '@type': 'Error' }],
    ['no list', { id: id(7), desc: 'Evening' }],
  ])('is malformed with %s', async (_name, answer) => {
    const service = serviceOf(() => answer);
    await expect(get(service, id(7))).rejects.toMatchObject({ kind: 'malformed' });
  });

  test('is malformed where another is shown', async () => {
    await expect(
      get(
        serviceOf(() => shown),
        id(8),
      ),
    ).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringMatching(new RegExp(`it shows playlist ${id(7)} instead of the one asked for$`)),
    });
  });

  test('passes every other fault on', async () => {
    const error = new ApiError({ kind: 'credentials', operation: 'GET', what: 'no', advice: '', mayHaveWritten: 'no' });
    const service = serviceOf(() => {
      throw error;
    });
    await expect(get(service, id(7))).rejects.toBe(error);
  });
});

describe('looking for what a create would make', () => {
  const account = (list: readonly JsonObject[]) =>
    serviceOf((request) => {
      if (request.query) return collection(list);
      const one = list.find((item) => request.path.endsWith(`/${item.id}`));
      if (!one) throw absent(request);
      return one;
    });

  test('goes by ID only for a smart start', async () => {
    const service = account([{ id: id(1), desc: 'other', playlist: [beam(1)] }]);
    const found = await find(service, only({ smart_starts: { vod: { assets: [id(1)] } } }));
    expect(found.map((object) => object.id)).toEqual([id(1)]);
    expect(service.asked.map(({ path, query }) => [path, query])).toEqual([[`/api/v4/linear-playlist/${id(1)}`, undefined]]);
  });

  test('goes by ID and description for a list of one asset, and tells each object once', async () => {
    const desired = only({ playlists: { solo: { playlist: [beam(1)] } } });
    const own = { id: id(1), desc: 'solo', playlist: [beam(1), beam(2)] };
    const named = { id: id(5), desc: 'solo', playlist: [beam(1)] };
    expect((await find(account([own, named]), desired)).map((object) => object.id)).toEqual([id(1), id(5)]);
    expect((await find(account([named]), desired)).map((object) => object.id)).toEqual([id(5)]);
  });

  test('goes by description for other lists, exactly, whatever the filter lets through', async () => {
    const list = [
      { ...shown, id: id(3), desc: 'evening' },
      { ...shown, id: id(4), desc: 'Evening ' },
      { ...shown, id: id(6), desc: 'Evening', playlist: [beam(6)] },
      shown,
    ];
    const service = account(list);
    const found = await find(service, only({ playlists: { e: { desc: 'Evening', playlist: [beam(1), beam(2)] } } }));
    expect(found.map((object) => object.id)).toEqual([id(7)]);
    expect(service.asked).toEqual([{ method: 'GET', path: '/api/v4/linear-playlist', query: { desc: 'Evening' }, repeatable: true }]);
  });

  test('without a description finds only what equals the resource', async () => {
    const desired = {
      ...only({ playlists: { e: { playlist: [beam(1), beam(2)] } } }),
      label: '',
      fields: { ...defaults, playlist: [beam(1), beam(2)] },
    };
    const list = [
      { id: id(8), playlist: [beam(1), beam(2)] },
      { id: id(9), playlist: [beam(2), beam(1)] },
    ];
    expect((await find(account(list), desired)).map((object) => object.id)).toEqual([id(8)]);
  });

  test('does not take a playlist without a list for an empty one', async () => {
    const desired = only({ playlists: { e: { playlist: [beam(1), beam(2)] } } });
    await expect(find(account([{ id: id(8), desc: 'e' }]), desired)).rejects.toMatchObject({ kind: 'malformed' });
  });

  test('does not take a cut list for an answer', async () => {
    const service = serviceOf(() => ({ items: [], total_items: 1 }));
    await expect(find(service, only({ playlists: { e: { playlist: [beam(1), beam(2)] } } }))).rejects.toMatchObject({ kind: 'malformed' });
  });
});
