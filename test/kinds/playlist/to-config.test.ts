import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import type { LivePlaylist } from '../../../src/kinds/playlist/model.ts';
import { uniqueKeys } from '../../../src/kinds/playlist/source-keys.ts';
import { toConfig } from '../../../src/kinds/playlist/to-config.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { matchResources } from '../../../src/plan/match.ts';
import { assertProperty } from '../../support/property.ts';
import { beam, declare, id, items, live } from './fixtures.ts';

function sectionsOf(objects: readonly LivePlaylist[]) {
  const { entries } = toConfig(objects);
  const section = (name: string): Json =>
    Object.fromEntries(entries.flatMap(({ section: own, key, value }) => (own === name && key !== null ? [[key, value]] : [])));
  return { playlists: section('playlists'), smart_starts: section('smart_starts') };
}

const reason = 'it holds an asset whose ID is not plain text without spaces and slashes';

function reasonsOf(...list: readonly JsonObject[]) {
  return toConfig(list.map(live)).notExportable.map(({ object, reason }) => [object.id, reason]);
}

describe('the export of playlists', () => {
  test('leaves out defaults, and the description where it equals the key', () => {
    const objects = [
      live({ id: id(8), desc: 'Evening block', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] }),
      live({ id: id(9), desc: 'news', playlist: [beam(2), beam(3)] }),
    ];
    expect(toConfig(objects)).toEqual({
      entries: [
        {
          section: 'playlists',
          key: 'evening-block',
          value: { desc: 'Evening block', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }] },
          adopt: {},
          objects: [objects[0]],
        },
        { section: 'playlists', key: 'news', value: { playlist: [beam(2), beam(3)] }, adopt: {}, objects: [objects[1]] },
      ],
      notExportable: [],
    });
  });

  test('groups asset-ID playlists of equal settings', () => {
    const own = (number: number, settings: JsonObject) => live({ id: id(number), ...settings, playlist: [beam(number)] });
    const { entries } = toConfig([own(3, {}), own(2, { repeat: 1 }), own(1, {}), own(4, { desc: 'VOD' })]);
    expect(entries.map(({ section, key, value, adopt }) => [section, key, value, adopt])).toEqual([
      ['smart_starts', 'smart-start-1', { assets: [id(1), id(3)] }, {}],
      ['smart_starts', 'smart-start-2', { repeat: 1, assets: [id(2)] }, {}],
      ['smart_starts', 'smart-start-3', { desc: 'VOD', assets: [id(4)] }, {}],
    ]);
  });

  test('adopts playlists that would not be matched otherwise', () => {
    const nameless = live({ id: id(8), playlist: [beam(1), beam(2)] });
    const other = live({ id: id(9), playlist: [beam(2), beam(1)] });
    const otherSolo = live({ id: id(7), desc: 'solo', playlist: [beam(6)] });
    const shadow = live({ id: id(6), desc: 'wide', playlist: [beam(1), beam(3)] });
    const { entries, notExportable } = toConfig([shadow, other, otherSolo, nameless]);
    expect(notExportable).toEqual([]);
    expect(entries.map(({ key, value, adopt }) => [key, Object(value).desc, adopt])).toEqual([
      ['playlist', '', { 'playlist/playlist': id(8) }],
      ['playlist-2', '', { 'playlist/playlist-2': id(9) }],
      ['solo', undefined, { 'playlist/solo': id(7) }],
      ['wide', undefined, {}],
    ]);
  });

  test('adopts each of several playlists with the same description', () => {
    const list = [1, 2, 3].map((number) => live({ id: id(number), desc: 'twin', playlist: [beam(8), beam(9)] }));
    const { entries, notExportable } = toConfig(list);
    expect(entries.map(({ adopt, value }) => [adopt, Object(value).desc])).toEqual([
      [{ 'playlist/twin': id(1) }, undefined],
      [{ 'playlist/twin-2': id(2) }, 'twin'],
      [{ 'playlist/twin-3': id(3) }, 'twin'],
    ]);
    expect(notExportable).toEqual([]);
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
    const { entries, notExportable } = toConfig([other(7, 1), other(1, 1), other(8, 2), other(9, 2), other(10, 3)]);
    expect(entries.map(({ section, key, adopt }) => [section, key, adopt])).toEqual([
      ['playlists', 'p10', {}],
      ['playlists', 'p7', { 'playlist/p7': id(7) }],
      ['playlists', 'p8', { 'playlist/p8': id(8) }],
      ['playlists', 'p9', { 'playlist/p9': id(9) }],
      ['smart_starts', 'smart-start-1', {}],
    ]);
    expect(notExportable).toEqual([]);
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

  test('is sorted by key, lists and groups together', () => {
    const objects = [
      live({ id: id(8), desc: 'zebra', playlist: [beam(1), beam(2)] }),
      live({ id: id(9), desc: 'alpha', playlist: [beam(2), beam(1)] }),
      live({ id: id(3), playlist: [beam(3)] }),
    ];
    expect(toConfig(objects).entries.map(({ key }) => key)).toEqual(['alpha', 'smart-start-1', 'zebra']);
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
        const { entries, notExportable } = toConfig(objects);
        const adopt = new Map(entries.flatMap((entry) => Object.entries(entry.adopt)));
        const { resources, findings } = declare(sectionsOf(objects), {}, Object.fromEntries(adopt));
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        const { liveByAddress, identityProblems } = matchResources(playlist, [...resources.values()], objects, adopt);
        expect([...identityProblems]).toEqual([]);
        for (const [address, desired] of resources) expect(desired.fields).toEqual(liveByAddress.get(address)?.fields);
        expect(resources.size + notExportable.length).toBe(objects.length);
        expect(new Set([...liveByAddress.values()].map((object) => object.id)).size).toBe(resources.size);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the keys of exported playlists', () => {
  test('are the description where it can be a key, else a slug, with a number where the key is in use', () => {
    expect(uniqueKeys(['a b', 'a-b', 'A B!', 'a-b-2', 'Café ☕', '☕', '', 'constructor', '.x', 'x'.repeat(80)])).toEqual([
      'a-b-3',
      'a-b',
      'a-b-4',
      'a-b-2',
      'cafe',
      'playlist',
      'playlist-2',
      'constructor-2',
      'x',
      'x'.repeat(60),
    ]);
  });

  test('are valid and unique for any descriptions, even for many equal ones', () => {
    assertProperty(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', 'a', 'a b', 'a-b', '-'))), (texts) => {
        const keys = uniqueKeys(texts);
        expect(new Set(keys).size).toBe(texts.length);
        for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
      }),
    );
    expect(new Set(uniqueKeys(Array.from({ length: 50_000 }, () => 'a b'))).size).toBe(50_000);
  });
});
