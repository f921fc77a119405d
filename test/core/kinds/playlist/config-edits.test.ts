/** The edits of the configuration that make it declare a live playlist. */
import { describe, expect, test } from 'vitest';
import type { Sections } from '../../../../src/core/kinds/kind.ts';
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { beam, declare, id, live, onlyResource } from './fixtures.ts';

function configEditsOf(sections: Sections, address: string, item: JsonObject, sectionsToEdit: Sections = sections) {
  const desired = declare(sections).resources.get(address);
  return desired && playlist.configEdits?.(desired, live(item), sectionsToEdit);
}

describe('the edits of playlist settings', () => {
  const list = { playlist: [beam(1), beam(2)] };
  const at = (name: string, value: unknown) => ({ path: ['playlists', 'news', name], value });
  const editsOf = (written: JsonObject, item: JsonObject) =>
    configEditsOf({ playlists: { news: { ...list, ...written } } }, 'playlist/news', { id: id(9), desc: 'news', ...list, ...item });

  test.each<[string, JsonObject, JsonObject, readonly unknown[]]>([
    ['are none where the values are equal', { active: true, repeat: -1 }, { repeat: '-1' }, []],
    ['write values that differ', {}, { skip_drm: 1, repeat: 5 }, [at('repeat', 5), at('skip_drm', 1)]],
    ['write default values too', { beam_break_duration: 30 }, {}, [at('beam_break_duration', 0)]],
    [
      'write booleans where the configuration has booleans',
      { active: true, skip_drm: false },
      { active: 0, skip_drm: 1 },
      [at('active', false), at('skip_drm', true)],
    ],
    ['write a number where a boolean cannot express it', { repeat: true }, { repeat: -1 }, [at('repeat', -1)]],
    ['write numbers where the configuration has numbers', { active: 1 }, { active: 0 }, [at('active', 0)]],
    ['add a description that differs from the key', {}, { desc: 'Late' }, [at('desc', 'Late')]],
    ['write an empty description', { desc: 'Late', active: 0 }, { desc: '' }, [at('desc', ''), at('active', 1)]],
  ])('%s', (_name, written, item, expected) => {
    expect(editsOf(written, item)).toStrictEqual(expected);
  });

  test('do not exist for values that the API documents do not define', () => {
    expect(editsOf({}, { skip_drm: 2 })).toEqual({ reason: '`skip_drm` is 2, which the API documents do not define' });
  });

  test('come before the edit of the list, where both differ', () => {
    expect(editsOf({}, { active: 0, playlist: [beam(2)] })).toStrictEqual([at('active', 0), at('playlist', [{ beam: { id: id(2) } }])]);
  });

  test('come with a list in short form where the section is gone', () => {
    const item = { id: id(9), desc: 'news', active: 0, playlist: [beam(3), { ad: { dur: 5 } }] };
    for (const sections of [{}, { playlists: null }, { playlists: { news: null } }, { playlists: { news: {} } }])
      expect(configEditsOf({ playlists: { news: { ...list, active: true } } }, 'playlist/news', item, sections)).toStrictEqual([
        at('active', 0),
        at('playlist', [{ beam: id(3) }, { ad: 5 }]),
      ]);
  });
});

describe('the edits of a smart start', () => {
  const sections = { smart_starts: { vod: { active: true, assets: ['one'] } }, assets: { one: { id: id(1) } } };
  const editsOf = (item: JsonObject) => configEditsOf(sections, `smart-start/vod/${id(1)}`, { id: id(1), playlist: [beam(1)], ...item });

  test('change the settings of its group', () => {
    expect(editsOf({ active: 0, desc: 'VOD' })).toStrictEqual([
      { path: ['smart_starts', 'vod', 'desc'], value: 'VOD' },
      { path: ['smart_starts', 'vod', 'active'], value: false },
    ]);
    expect(editsOf({})).toStrictEqual([]);
  });

  test.each([[[beam(1), beam(1)]], [[beam(1), { ad: { dur: 5 } }]], [[beam(2)]]])('do not exist where its list is %j', (list) => {
    expect(editsOf({ playlist: list, active: 0 })).toEqual({ reason: 'its list no longer holds exactly its own asset' });
  });

  test('give as first reason that it cannot be declared', () => {
    expect(editsOf({ playlist: [] })).toEqual({ reason: 'it holds no asset' });
  });
});

/**
 * Reads an entry: `one` and `#1` are an asset by its name and ID, `#two` is the ID `two`, `60s` is an ad break; `{#1}` and `{60s}` are the
 * long forms.
 */
function entry(word: string): JsonObject {
  const isLong = word.startsWith('{');
  const text = isLong ? word.slice(1, -1) : word;
  if (/^\d+s$/.test(text)) return { ad: isLong ? { dur: Number.parseInt(text, 10) } : Number.parseInt(text, 10) };
  const asset = text.replace(/^#(\d+)$/, (_all, number) => id(Number(number))).replace(/^#/, '');
  return { beam: isLong ? { id: asset } : asset };
}

/** Reads a list of such entries. */
function list(words: string): readonly JsonObject[] {
  return words.split(' ').map(entry);
}

describe("the edit of a playlist's list", () => {
  const assets = { one: { id: id(1) }, two: { id: id(2) }, three: { id: id(3) }, other: { id: 'three' } };
  const editsOf = (written: readonly unknown[], item: string) => {
    const sections = { playlists: { news: { playlist: JSON.parse(JSON.stringify(written)) } }, assets };
    return configEditsOf(sections, 'playlist/news', { id: id(9), desc: 'news', playlist: list(item) });
  };
  const listEdit = (value: readonly JsonObject[]) => [{ path: ['playlists', 'news', 'playlist'], value }];

  test.each([
    ['keeps each entry as it is written', 'one #2 {#3} 60s {90s}', '{#3} {90s} {#1} {60s} {#2}', '{#3} {90s} one 60s #2'],
    ['removes entries that are no longer live', 'one 60s {#2} #3', '{#1} {#2}', 'one {#2}'],
    ['removes entries at its end', 'one 60s {#2} #3', '{#1} {60s}', 'one 60s'],
    ['adds a new asset by its name where it has one', 'one', '{#1} {#2} {#5}', 'one two #5'],
    ['writes a new entry in the form of the entry it replaces', 'one {#2} {60s} 90s', '{#1} {#5} {61s} {91s}', 'one {#5} {61s} 91s'],
    [
      'writes a new entry in the form of the entry it replaces, even of another type',
      'one {#2} {60s} 90s #7',
      '{#1} {5s} {#5} {#6} {4s}',
      'one {5s} {#5} #6 4s',
    ],
    ['adds a new entry at its end in the form of its first entry', '{#1} two', '{#1} {#2} {#3} {5s}', '{#1} two {#3} {5s}'],
    ['adds a new entry at its end in the short form of its first entry', 'one {#2}', '{#1} {#2} {#3} {5s}', 'one {#2} three 5s'],
    ['uses no short form for an ID that is the name of another asset', 'one', '{#1} {#two}', 'one {#two}'],
    ['uses the short form where the asset has another name', 'one', '{#1} {#three}', 'one other'],
    ['keeps its end as it is written', 'one #1 two three', '{#9} {#1} {#2} {#3}', '#9 #1 two three'],
    ['keeps its end as it is written, and nothing else', 'two one #1 three', '{#1} {#3}', '#1 three'],
    ['keeps its end as it is written, also to the first entry', '{#1} two', '{#3} {#1} {#1} {#2}', '{#3} one {#1} two'],
    ['keeps its end where it begins later', 'one #1 {#1}', '{#2} {#1} {#1} {#1}', 'two one #1 {#1}'],
    ['keeps its end where it begins earlier', 'one #1 {#1} #2', '{#1} {#1} {#2}', 'one #1 #2'],
    ['keeps its beginning, and uses no entry twice', 'one #1', '{#1} {#1} {#1}', 'one #1 one'],
    ['keeps its beginning, whatever else is the same', 'one #2 #1 {#1}', '{#1} {#1} {#1}', 'one #1 {#1}'],
    ['keeps entries that move, each once', 'one #1 two', '{#2} {#1} {#1}', 'two one #1'],
    ['keeps entries that move in its middle', 'one {#2} #3 two', '{#1} {#3} {#2} {#2}', 'one #3 {#2} two'],
    ['keeps a repeated entry once', '{#1} #2', '{#2} {#1} {#2} {#1}', '#2 {#1} {#2} {#1}'],
  ])('%s: %s', (_name, written, item, expected) => {
    expect(editsOf(list(written), item)).toStrictEqual(listEdit(list(expected)));
  });

  test.each([[null], ['one'], [[]]])('skips %j, which is not an entry', (other) => {
    expect(editsOf([other, entry('{#1}')], '{#5} {#1}')).toStrictEqual(listEdit(list('{#5} {#1}')));
  });

  test('keeps the list of the sources where that is the live one already', () => {
    const written = (words: string): Sections => ({ playlists: { news: { playlist: list(words) } } });
    const item = { id: id(9), desc: 'news', playlist: list('{#1} {60s} {#2}') };
    expect(configEditsOf(written('#1'), 'playlist/news', item, written('#1 60s {#2}'))).toStrictEqual(listEdit(list('#1 60s {#2}')));
  });

  test('keeps external IDs that name the live assets, and replaces those that are not resolved', () => {
    const named = { beam: 'pilot' };
    const external = (externalId: string) => ({ beam: { external_id: externalId } });
    const written = [named, external('ep-2'), external('ep-3'), external('constructor'), { ad: 60 }];
    const sections: Sections = { assets: { pilot: { external_id: 'ep-1' } }, playlists: { news: { playlist: written } } };
    const desired = { ...onlyResource(sections), externalIds: { 'ep-1': id(1), 'ep-2': id(2) } };
    const item = live({ id: id(9), desc: 'news', playlist: [{ ad: { dur: 60 } }, beam(2), beam(3), beam(1)] });
    expect(playlist.configEdits?.(desired, item, sections)).toStrictEqual(listEdit([{ ad: 60 }, external('ep-2'), beam(3), named]));
  });
});
