import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import type { LivePlaylist } from '../../../../src/core/kinds/playlist/model.ts';
import { type Titled, uniqueKeys } from '../../../../src/core/kinds/playlist/source-keys.ts';
import { toConfig } from '../../../../src/core/kinds/playlist/to-config.ts';
import { type Json, type JsonObject, stableJson } from '../../../../src/core/model/json.ts';
import { matchResources } from '../../../../src/core/plan/match.ts';
import { rounds } from '../../../support/figures.ts';
import { assertProperty } from '../../../support/property.ts';
import { beam, declare, defaults, id, items, live } from './fixtures.ts';

function sectionsOf(objects: readonly LivePlaylist[]) {
  const { entries } = toConfig(objects);
  const section = (name: string): Json =>
    Object.fromEntries(entries.flatMap(({ section: own, key, value }) => (own === name && key !== null ? [[key, value]] : [])));
  return { assets: section('assets'), playlists: section('playlists'), smart_starts: section('smart_starts') };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

const reason = 'it holds an asset whose ID is not plain text without spaces and slashes';

function reasonsOf(...list: readonly JsonObject[]) {
  return toConfig(list.map(live)).notDeclarable.map(({ object, reason }) => [object.id, reason]);
}

describe('the export of playlists', () => {
  test('has short forms, leaves out defaults, and the description where it equals the key', () => {
    const objects = [
      live({ id: id(8), desc: 'Evening block', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] }),
      live({ id: id(9), desc: 'news', playlist: [beam(2), beam(3)] }),
    ];
    expect(toConfig(objects)).toEqual({
      entries: [
        {
          section: 'playlists',
          key: 'evening-block',
          value: { desc: 'Evening block', repeat: -1, playlist: [{ beam: id(1) }, { ad: 60 }] },
          adopt: {},
          objects: [objects[0]],
        },
        { section: 'playlists', key: 'news', value: { playlist: [{ beam: id(2) }, { beam: id(3) }] }, adopt: {}, objects: [objects[1]] },
      ],
      notDeclarable: [],
    });
  });

  test('groups asset-ID playlists of equal settings, and names each group by them', () => {
    const own = (number: number, settings: JsonObject) => live({ id: id(number), ...settings, playlist: [beam(number)] });
    const { entries } = toConfig([
      own(3, {}),
      own(2, { repeat: 1 }),
      own(5, { repeat: -1, skip_drm: 1 }),
      own(1, {}),
      own(4, { desc: 'VOD' }),
      own(6, { desc: 'VOD', active: 0 }),
    ]);
    expect(entries.map(({ section, key, value, adopt }) => [section, key, value, adopt])).toEqual([
      ['smart_starts', 'VOD', { desc: 'VOD', assets: [id(4)] }, {}],
      ['smart_starts', 'smart-start', { assets: [id(1), id(3)] }, {}],
      ['smart_starts', 'smart-start-repeat-1', { repeat: 1, assets: [id(2)] }, {}],
      ['smart_starts', 'smart-start-repeat-minus-1-skip-drm-1', { repeat: -1, skip_drm: 1, assets: [id(5)] }, {}],
      ['smart_starts', 'vod-active-0', { desc: 'VOD', active: 0, assets: [id(6)] }, {}],
    ]);
  });

  test('adopts playlists that would not be matched otherwise', () => {
    const nameless = live({ id: id(8), playlist: [beam(1), beam(2)] });
    const other = live({ id: id(9), playlist: [beam(2), beam(1)] });
    const otherSolo = live({ id: id(7), desc: 'solo', playlist: [beam(6)] });
    const shadow = live({ id: id(6), desc: 'wide', playlist: [beam(1), beam(3)] });
    const { entries, notDeclarable } = toConfig([shadow, other, otherSolo, nameless]);
    expect(notDeclarable).toEqual([]);
    expect(entries.map(({ key, value, adopt }) => [key, Object(value).desc, adopt])).toEqual([
      [`playlist-${hashOf(id(9))}`, '', { [`playlist/playlist-${hashOf(id(9))}`]: id(9) }],
      [`playlist-${hashOf(id(8))}`, '', { [`playlist/playlist-${hashOf(id(8))}`]: id(8) }],
      ['solo', undefined, { 'playlist/solo': id(7) }],
      ['wide', undefined, {}],
    ]);
  });

  test('adopts each of several playlists with the same description', () => {
    const list = [1, 2, 3].map((number) => live({ id: id(number), desc: 'twin', playlist: [beam(8), beam(9)] }));
    const { entries, notDeclarable } = toConfig(list);
    expect(entries.map(({ adopt, value }) => [adopt, Object(value).desc])).toEqual([
      [{ [`playlist/twin-${hashOf(id(3))}`]: id(3) }, 'twin'],
      [{ [`playlist/twin-${hashOf(id(2))}`]: id(2) }, 'twin'],
      [{ [`playlist/twin-${hashOf(id(1))}`]: id(1) }, 'twin'],
    ]);
    expect(notDeclarable).toEqual([]);
  });

  test('adopts a playlist even where the other one of the same description cannot be declared', () => {
    const { entries } = toConfig([
      live({ id: id(1), desc: 'twin', playlist: [] }),
      live({ id: id(2), desc: 'twin', playlist: [beam(8), beam(9)] }),
    ]);
    expect(entries.map(({ adopt }) => adopt)).toEqual([{ 'playlist/twin': id(2) }]);
  });

  test('adopts every other playlist of one asset beside its smart start, and each of two where it has none', () => {
    const other = (number: number, asset: number) => live({ id: id(number), desc: `p${number}`, playlist: [beam(asset)] });
    const { entries, notDeclarable } = toConfig([other(7, 1), other(1, 1), other(8, 2), other(9, 2), other(10, 3)]);
    expect(entries.map(({ section, key, adopt }) => [section, key, adopt])).toEqual([
      ['smart_starts', 'p1', {}],
      ['playlists', 'p10', {}],
      ['playlists', 'p7', { 'playlist/p7': id(7) }],
      ['playlists', 'p8', { 'playlist/p8': id(8) }],
      ['playlists', 'p9', { 'playlist/p9': id(9) }],
    ]);
    expect(notDeclarable).toEqual([]);
  });

  test('calls assets by their names in the catalog', () => {
    const objects = [live({ id: id(8), desc: 'a', playlist: [beam(1), beam(2)] }), live({ id: id(1), playlist: [beam(1)] })];
    expect(toConfig(objects, new Map([[id(1), 'intro']])).entries.map(({ key, value }) => [key, value])).toEqual([
      ['a', { playlist: [{ beam: 'intro' }, { beam: id(2) }] }],
      ['smart-start', { assets: ['intro'] }],
    ]);
  });

  test('names assets in the catalog whose IDs do not have the form of one, without which validation would warn', () => {
    const beams = ['short', 'odd:1', 'short'].map((asset) => ({ beam: { id: asset } }));
    const objects = [live({ id: id(8), desc: 'a', playlist: beams }), live({ id: 'short', playlist: [{ beam: { id: 'short' } }] })];
    expect(toConfig(objects).entries.map(({ section, key, value, objects: own }) => [section, key, value, own.length])).toEqual([
      ['playlists', 'a', { playlist: [{ beam: 'short' }, { beam: 'odd-1' }, { beam: 'short' }] }, 1],
      ['assets', 'odd-1', { id: 'odd:1' }, 0],
      ['assets', 'short', { id: 'short' }, 0],
      ['smart_starts', 'smart-start', { assets: ['short'] }, 1],
    ]);
    expect(declare(sectionsOf(objects)).findings).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ['no asset', { playlist: [{ ad: { dur: 5 } }] }, 'it holds no asset'],
    ['over 100 assets', { playlist: Array.from({ length: 101 }, (_, index) => beam(index)) }, 'it holds 101 assets; the maximum is 100'],
    ['an unknown switch', { active: 2, playlist: [beam(1)] }, '`active` is 2, which the API documents do not define'],
    [
      'a negative duration',
      { beam_break_duration: -1, playlist: [beam(1)] },
      '`beam_break_duration` is -1, which the API documents do not define',
    ],
    ['an unknown repeat', { repeat: -2, playlist: [beam(1)] }, '`repeat` is -2, which the API documents do not define'],
    ['an ad of no time', { playlist: [beam(1), { ad: { dur: 0 } }] }, 'it holds an ad break of less than a second'],
    ['an ID with a space', { playlist: [{ beam: { id: 'a b' } }] }, reason],
    ['an ID of two segments among others', { playlist: [beam(1), { beam: { id: 'a/b' } }] }, reason],
    ['half a character', { desc: '\udc00', playlist: [beam(1)] }, 'its description is not Unicode text'],
  ])('gives a reason where a playlist contains %s', (_name, item, reason) => {
    expect(reasonsOf({ id: id(7), desc: 'x', ...item })).toEqual([[id(7), reason]]);
  });

  test('gives no reason at the limits of the documented values', () => {
    const most = Array.from({ length: 100 }, (_, index) => beam(index));
    expect(reasonsOf({ id: id(200), desc: 'x', active: 1, repeat: -1, playlist: [...most, { ad: { dur: 1 } }] })).toEqual([]);
  });

  test('lists playlists that cannot be declared by their description, then by their ID', () => {
    const empty = (number: number, desc: string): JsonObject => ({ id: id(number), desc, playlist: [] });
    const reports = reasonsOf(empty(1, 'zebra'), empty(4, 'alpha'), empty(2, 'alpha'), empty(3, 'beta'));
    expect(reports.map(([object]) => object)).toEqual([id(2), id(4), id(3), id(1)]);
  });

  test('lists the assets of a group by their names', () => {
    const objects = [1, 2].map((number) => live({ id: id(number), playlist: [beam(number)] }));
    const names = new Map([
      [id(1), 'zebra'],
      [id(2), 'alpha'],
    ]);
    expect(toConfig(objects, names).entries).toStrictEqual([
      { section: 'smart_starts', key: 'smart-start', value: { assets: ['alpha', 'zebra'] }, adopt: {}, objects },
    ]);
  });

  test('names an asset by a hash where its ID has no letter or digit', () => {
    const objects = [live({ id: id(8), desc: 'a', playlist: [{ beam: { id: '___' } }, beam(1)] })];
    expect(toConfig(objects).entries.map(({ key }) => key)).toEqual(['a', `asset-${hashOf('___')}`]);
  });

  test('names groups whose descriptions make no name by a hash of all their settings, so that a name does not change with its assets', () => {
    const start = (number: number, desc: string) => live({ id: id(number), desc, playlist: [beam(number)] });
    const keyOf = (...objects: readonly LivePlaylist[]) => toConfig(objects).entries.map(({ key }) => key);
    const name = `smart-start-${hashOf(stableJson({ ...defaults, desc: '夜' }))}`;
    expect(keyOf(start(1, '夜'))).toEqual([name]);
    expect(keyOf(start(2, '夜'), start(3, '夜'))).toEqual([name]);
  });

  test('is sorted by key, lists and groups together', () => {
    const objects = [
      live({ id: id(8), desc: 'zebra', playlist: [beam(1), beam(2)] }),
      live({ id: id(9), desc: 'alpha', playlist: [beam(2), beam(1)] }),
      live({ id: id(3), playlist: [beam(3)] }),
    ];
    expect(toConfig(objects).entries.map(({ key }) => key)).toEqual(['alpha', 'smart-start', 'zebra']);
  });

  test('does not depend on the order of the objects', () => {
    assertProperty(
      fc.property(items, fc.func(fc.integer()), (list, weight) => {
        const objects = list.map(live);
        const shuffled = [...objects].sort((a, b) => weight(a.id) - weight(b.id));
        expect(toConfig(shuffled)).toEqual(toConfig(objects));
      }),
    );
  });

  test('declares the same fields for the same objects again, without an error', () => {
    assertProperty(
      fc.property(items, (list) => {
        const objects = list.map(live);
        const { entries, notDeclarable } = toConfig(objects);
        const adopt = new Map(entries.flatMap((entry) => Object.entries(entry.adopt)));
        const { resources, findings } = declare(sectionsOf(objects), {}, Object.fromEntries(adopt));
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        const { liveByAddress, identityProblems } = matchResources(playlist, [...resources.values()], objects, adopt);
        expect([...identityProblems]).toEqual([]);
        for (const [address, desired] of resources) expect(desired.fields).toEqual(liveByAddress.get(address)?.fields);
        expect(resources.size + notDeclarable.length).toBe(objects.length);
        expect(new Set([...liveByAddress.values()].map((object) => object.id)).size).toBe(resources.size);
      }),
      { numRuns: rounds(100, 1_000) },
    );
  });
});

describe('the keys of exported playlists', () => {
  /** The key of each title, of objects whose IDs are `id1`, `id2` and so on. */
  const keysOf = (...titles: readonly string[]) =>
    uniqueKeys(
      titles.map((title, index) => ({ title, id: `id${index + 1}` })),
      'playlist',
    );
  const [hash1, hash2] = [hashOf('id1'), hashOf('id2')];

  test.each([
    ['a valid key', 'Kids.01_a-b', 'Kids.01_a-b'],
    ['words', 'Kids 01', 'kids-01'],
    ['punctuation', '  News: the "Evening" (HD)!', 'news-the-evening-hd'],
    ['accents', 'Café Ümläut', 'cafe-umlaut'],
    ['an emoji beside words', 'Café ☕ 🎬', 'cafe'],
    ['Japanese', '夜のニュース', `playlist-${hash1}`],
    ['Japanese and digits', '天気 24', `24-${hash1}`],
    ['Arabic', 'أخبار المساء', `playlist-${hash1}`],
    ['Cyrillic', 'Новости', `playlist-${hash1}`],
    ['Cyrillic and Latin words', 'Новости HD', `hd-${hash1}`],
    ['emoji', '🎬🎬', `playlist-${hash1}`],
    ['nothing', '', `playlist-${hash1}`],
    ['only punctuation', '...', `playlist-${hash1}`],
    ['a word with a meaning in JavaScript', 'constructor', `constructor-${hash1}`],
    ['more than 60 characters', 'x'.repeat(80), 'x'.repeat(60)],
  ])('a title of %s', (_what, title, key) => {
    expect(keysOf(title)).toEqual([key]);
  });

  test.each([
    ['are equal', 'twin', 'twin', 'twin'],
    ['differ in case', 'Kids Club', 'KIDS club', 'kids-club'],
    ['differ in punctuation', 'Kids: Club', 'Kids, Club!', 'kids-club'],
    ['differ in accents', 'Cafe bar', 'Café bar', 'cafe-bar'],
    ['differ after 60 characters', `${'x'.repeat(70)}a`, `${'x'.repeat(70)}b`, 'x'.repeat(60)],
  ])('titles that %s', (_what, first, second, readable) => {
    expect(keysOf(first, second)).toEqual([`${readable}-${hash1}`, `${readable}-${hash2}`]);
  });

  test('titles that are keys already and differ in case keep both', () => {
    expect(keysOf('News', 'news')).toEqual(['News', 'news']);
  });

  test('a title that looks like the key of another object gets a key of its own', () => {
    const keys = keysOf('夜', `playlist-${hash1}`);
    expect(new Set(keys).size).toBe(2);
  });

  const title = fc.oneof(fc.string(), fc.constantFrom('', 'a', 'A', 'a b', 'a-b', 'A B!', '-', '夜', '夜のニュース', '☕', 'Новости 1'));
  const objects = fc.uniqueArray(fc.record({ title, id: fc.string({ minLength: 1 }) }), { selector: (each) => each.id });
  const keyed = (list: readonly Titled[]) => new Map(uniqueKeys(list, 'playlist').map((key, index) => [list[index]?.id, key]));

  test('are valid and unique for any titles, even for many equal ones', () => {
    assertProperty(
      fc.property(objects, (list) => {
        const keys = uniqueKeys(list, 'playlist');
        expect(new Set(keys).size).toBe(list.length);
        for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
      }),
    );
    const many = Array.from({ length: 50_000 }, (_, index) => ({ title: 'a b', id: String(index) }));
    expect(new Set(uniqueKeys(many, 'playlist')).size).toBe(50_000);
  });

  test('do not change when another object is added, unless it is the second one with the same readable key', () => {
    assertProperty(
      fc.property(objects, (list) => {
        const [added, ...others] = list;
        if (!added) return;
        const [before, after] = [keyed(others), keyed(list)];
        const changed = others.filter(({ id: other }) => before.get(other) !== after.get(other));
        const [alone] = uniqueKeys([added], 'playlist');
        expect(changed.map(({ id: other }) => before.get(other))).toEqual(changed.length === 0 ? [] : [alone]);
        // A key never becomes that of another object.
        for (const [other, key] of before) for (const [id, later] of after) if (key === later) expect(id).toBe(other);
      }),
    );
  });
});
