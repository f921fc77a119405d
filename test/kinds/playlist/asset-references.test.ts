import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assetReferences } from '../../../src/kinds/playlist/asset-references.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { answering, expectMalformed, theOnly } from '../answers.ts';
import { beam, declared, id } from './fixtures.ts';

const ASK = 'GET /api2/asset/get';
const LIST = 'GET /api/v4/assets';

/** What one look-up of these IDs makes of an answer. */
function known(answer: Json, ids: readonly string[], api: 'v2' | 'v4' = 'v2') {
  const { service } = answering({ [api === 'v2' ? ASK : LIST]: answer });
  return theOnly(assetReferences.lookups(ids, api)).ask(service);
}

describe('where assets are named', () => {
  test('is each beam, with the name that the catalogue has for it', () => {
    const { resources } = declared({
      assets: { intro: { id: id(1) } },
      playlists: { evening: { playlist: [{ beam: 'intro' }, { ad: 9 }, beam(2)] } },
    });
    const [evening] = resources.values();
    expect(evening && assetReferences.references(evening)).toEqual([
      { id: id(1), path: ['playlists', 'evening', 'playlist', 0, 'beam', 'id'], alias: { name: 'intro', path: ['assets', 'intro', 'id'] } },
      { id: id(2), path: ['playlists', 'evening', 'playlist', 2, 'beam', 'id'] },
    ]);
  });

  test('is the item of a group, or the line of its file', () => {
    const groups = { a: { assets: [id(3), id(1)] }, b: { assets_file: 'b.txt' } };
    const { resources } = declared({ smart_starts: groups }, { 'b.txt': `# b\n  ${id(2)}` });
    expect([...resources.values()].flatMap((each) => assetReferences.references(each))).toEqual([
      { id: id(3), path: ['smart_starts', 'a', 'assets', 0] },
      { id: id(1), path: ['smart_starts', 'a', 'assets', 1] },
      { id: id(2), path: ['smart_starts', 'b', 'assets_file'], inFile: { file: 'config/b.txt', line: 2, column: 3 } },
    ]);
  });
});

describe('a look-up', () => {
  test.each([0, 1, 1000, 1001, 2500])('of %i assets takes as few requests as may be', (count) => {
    const ids = Array.from({ length: count }, (_, index) => id(index));
    const batches = assetReferences.lookups(ids, 'v2');
    expect(batches).toHaveLength(Math.ceil(count / 1000));
    expect(batches.flatMap((batch) => batch.ids)).toEqual(ids);
    expect(assetReferences.lookups(ids, 'v4').map((batch) => batch.ids.length)).toEqual(count === 0 ? [] : [count]);
  });

  test('asks by ID, and reads only', async () => {
    const { service, sent } = answering({ [ASK]: { error: 0, assets: [] } });
    await theOnly(assetReferences.lookups(['a'], 'v2')).ask(service);
    expect(sent).toEqual([{ method: 'GET', path: '/api2/asset/get', body: { ids: ['a'] }, repeatable: true }]);
  });

  test.each<readonly [string, Json]>([
    ['a list', { assets: [{ id: 'a', desc: 'Intro' }, { id: 'b' }] }],
    ['a list with gaps', { assets: [{ id: 'a', desc: 'Intro' }, null, { id: 'b', desc: null }] }],
    ['an object by ID', { assets: { a: { desc: 'Intro' }, b: { id: 'B' } } }],
    ['an object by ID with gaps', { assets: { a: { desc: 'Intro' }, c: null, b: {} } }],
  ])('understands %s', async (_name, answer) => {
    expect([...(await known(answer, ['a', 'b', 'c']))]).toEqual([
      ['a', 'Intro'],
      ['b', ''],
    ]);
  });

  test('understands a single asset, and an empty answer', async () => {
    expect([...(await known({ asset: { id: 'a' } }, ['a']))]).toEqual([['a', '']]);
    expect((await known({ assets: [] }, ['a'])).size).toBe(0);
    expect((await known({ assets: {} }, ['a'])).size).toBe(0);
  });

  test.each<readonly [string, Json, string]>([
    ['nothing that it knows', { items: [] }, 'no `assets`'],
    ['no object', null, 'no `assets`'],
    ['a text', { assets: 'none' }, 'no `assets`'],
    ['texts', { assets: ['a'] }, 'no ID'],
    ['pairs', { assets: [['a', {}]] }, 'no ID'],
    ['numbers', { assets: [{ id: 7 }] }, 'no ID'],
    ['words by ID', { assets: { a: 'gone' } }, 'no ID'],
    ['what was not asked', { assets: [{ id: 'x' }] }, 'x, which was not asked for'],
  ])('concludes nothing from %s', async (_name, answer, why) => {
    await expectMalformed(known(answer, ['a', 'b']), why);
  });

  test('through the list of v4 keeps what was asked, and believes only a whole list', async () => {
    const items = [{ id: 'a', desc: 'Intro' }, { id: 'x' }];
    expect([...(await known({ items, total_items: '2' }, ['a', 'b'], 'v4'))]).toEqual([['a', 'Intro']]);
    await expectMalformed(known({ items, total_items: 3 }, ['a'], 'v4'), 'holds 2 of 3');
    await expectMalformed(known({ items }, ['a'], 'v4'), '`total_items` is missing or not an integer');
    await expectMalformed(known({ total_items: 0 }, ['a'], 'v4'), '`items` is missing or not a list');
    await expectMalformed(known({ items: [{}], total_items: 1 }, ['a'], 'v4'), 'an element of it has no ID');
  });
});

describe('the catalogue', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('Intro', 'intro', '', id(1), id(2), `É${id(3).slice(1)}`, 'constructor', 'x-2', 'x'),
  );
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

  function catalogue(entries: readonly { readonly id: string; readonly desc: string | null }[]): JsonObject {
    const found = new Map(entries.flatMap(({ id: each, desc }) => (desc === null ? [] : [[each, desc] as const])));
    return (
      assetReferences.aliasSection?.(
        entries.map((entry) => entry.id),
        found,
      ).value ?? {}
    );
  }

  test('names every asset once, reads back without a finding, and does not depend on the order', () => {
    fc.assert(
      fc.property(things, (entries) => {
        const value = catalogue(entries);
        expect(
          Object.values(value)
            .map((each) => JSON.stringify(each))
            .sort(),
        ).toEqual(entries.map((each) => JSON.stringify({ id: each.id })).sort());
        for (const name of Object.keys(value)) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
        expect(declared({ assets: value }).findings).toEqual([]);
        expect(JSON.stringify(catalogue(entries.toReversed()))).toBe(JSON.stringify(value));
      }),
    );
  });
});
