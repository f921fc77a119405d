/** What the sources have to say so that a playlist is declared as it is live. */
import { describe, expect, test } from 'vitest';
import type { Sections } from '../../../src/kinds/kind.ts';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { beam, declared, id, live } from './fixtures.ts';

function restated(sections: Sections, address: string, item: JsonObject, told: Sections = sections) {
  const desired = declared(sections).resources.get(address);
  return desired && playlist.configEdits?.(desired, live(item), told);
}

describe('settings', () => {
  const list = { playlist: [beam(1), beam(2)] };
  const at = (name: string, value: unknown) => ({ path: ['playlists', 'news', name], value });
  const told = (written: JsonObject, item: JsonObject) =>
    restated({ playlists: { news: { ...list, ...written } } }, 'playlist/news', { id: id(9), desc: 'news', ...list, ...item });

  test.each<[string, JsonObject, JsonObject, readonly unknown[]]>([
    ['that agree are not told', { active: true, repeat: -1 }, { repeat: '-1' }, []],
    ['are told by their value', {}, { skip_drm: 1, repeat: 5 }, [at('repeat', 5), at('skip_drm', 1)]],
    ['are told at their default too', { beam_break_duration: 30 }, {}, [at('beam_break_duration', 0)]],
    [
      'as switches where they are written so',
      { active: true, skip_drm: false },
      { active: 0, skip_drm: 1 },
      [at('active', false), at('skip_drm', true)],
    ],
    ['by the value that a switch cannot say', { repeat: true }, { repeat: -1 }, [at('repeat', -1)]],
    ['as numbers where they are written so', { active: 1 }, { active: 0 }, [at('active', 0)]],
    ['among them the description that the key stood for', {}, { desc: 'Late' }, [at('desc', 'Late')]],
    ['among them the description that is empty', { desc: 'Late', active: 0 }, { desc: '' }, [at('desc', ''), at('active', 1)]],
  ])('%s', (_name, written, item, statements) => {
    expect(told(written, item)).toStrictEqual(statements);
  });

  test('that the documents do not know have no words', () => {
    expect(told({}, { skip_drm: 2 })).toEqual({ reason: '`skip_drm` is 2, which the documents do not know' });
  });

  test('come before the list, where both differ', () => {
    expect(told({}, { active: 0, playlist: [beam(2)] })).toStrictEqual([at('active', 0), at('playlist', [{ beam: { id: id(2) } }])]);
  });

  test('and the list are told in plain words where the section is gone', () => {
    const item = { id: id(9), desc: 'news', active: 0, playlist: [beam(3), { ad: { dur: 5 } }] };
    for (const sections of [{}, { playlists: null }, { playlists: { news: null } }, { playlists: { news: {} } }])
      expect(restated({ playlists: { news: { ...list, active: true } } }, 'playlist/news', item, sections)).toStrictEqual([
        at('active', 0),
        at('playlist', [{ beam: id(3) }, { ad: 5 }]),
      ]);
  });
});

describe('a smart start', () => {
  const sections = { smart_starts: { vod: { active: true, assets: ['one'] } }, assets: { one: { id: id(1) } } };
  const told = (item: JsonObject) => restated(sections, `smart-start/vod/${id(1)}`, { id: id(1), playlist: [beam(1)], ...item });

  test('tells what differs at its group', () => {
    expect(told({ active: 0, desc: 'VOD' })).toStrictEqual([
      { path: ['smart_starts', 'vod', 'desc'], value: 'VOD' },
      { path: ['smart_starts', 'vod', 'active'], value: false },
    ]);
    expect(told({})).toStrictEqual([]);
  });

  test.each([[[beam(1), beam(1)]], [[beam(1), { ad: { dur: 5 } }]], [[beam(2)]]])('has no words for %j', (list) => {
    expect(told({ playlist: list, active: 0 })).toEqual({ reason: 'it no longer holds its own asset and nothing else' });
  });

  test('that nothing could declare says so first', () => {
    expect(told({ playlist: [] })).toEqual({ reason: 'it holds no asset' });
  });
});

/** An entry: `one` and `#1` for an asset by its name and ID, `60s` for an ad break; in the long form `{#1}` and `{60s}`. */
function entry(word: string): JsonObject {
  const isLong = word.startsWith('{');
  const text = isLong ? word.slice(1, -1) : word;
  if (/^\d+s$/.test(text)) return { ad: isLong ? { dur: Number.parseInt(text, 10) } : Number.parseInt(text, 10) };
  const asset = text.replace(/^#(\d+)$/, (_all, number) => id(Number(number))).replace(/^#/, '');
  return { beam: isLong ? { id: asset } : asset };
}

/** A list in such words. */
function list(words: string): readonly JsonObject[] {
  return words.split(' ').map(entry);
}

describe('a list', () => {
  const named = { one: { id: id(1) }, two: { id: id(2) }, three: { id: id(3) }, other: { id: 'three' } };
  const told = (written: readonly unknown[], item: string) => {
    const sections = { playlists: { news: { playlist: JSON.parse(JSON.stringify(written)) } }, assets: named };
    return restated(sections, 'playlist/news', { id: id(9), desc: 'news', playlist: list(item) });
  };
  const relisted = (value: readonly JsonObject[]) => [{ path: ['playlists', 'news', 'playlist'], value }];

  test.each([
    ['keeps each entry as it is written', 'one #2 {#3} 60s {90s}', '{#3} {90s} {#1} {60s} {#2}', '{#3} {90s} one 60s #2'],
    ['loses what is gone', 'one 60s {#2} #3', '{#1} {#2}', 'one {#2}'],
    ['is cut at its end', 'one 60s {#2} #3', '{#1} {60s}', 'one 60s'],
    ['gets what is new, by its name where it has one', 'one', '{#1} {#2} {#5}', 'one two #5'],
    ['gets what is new, in the form of its place', 'one {#2} {60s} 90s', '{#1} {#5} {61s} {91s}', 'one {#5} {61s} 91s'],
    [
      'gets what is new in the form of its place, whatever stood there',
      'one {#2} {60s} 90s #7',
      '{#1} {5s} {#5} {#6} {4s}',
      'one {5s} {#5} #6 4s',
    ],
    ['gets what is new at its end, in the form of its first entry', '{#1} two', '{#1} {#2} {#3} {5s}', '{#1} two {#3} {5s}'],
    ['gets what is new at its end, in the short form of its first entry', 'one {#2}', '{#1} {#2} {#3} {5s}', 'one {#2} three 5s'],
    ['has no short form for an ID that is the name of another asset', 'one', '{#1} {#two}', 'one {#two}'],
    ['has one where the asset bears another name', 'one', '{#1} {#three}', 'one other'],
    ['keeps its end as it is written', 'one #1 two three', '{#9} {#1} {#2} {#3}', '#9 #1 two three'],
    ['keeps its end as it is written, and nothing else', 'two one #1 three', '{#1} {#3}', '#1 three'],
    ['keeps its end as it is written, also to the first entry', '{#1} two', '{#3} {#1} {#1} {#2}', '{#3} one {#1} two'],
    ['keeps its end where it begins later', 'one #1 {#1}', '{#2} {#1} {#1} {#1}', 'two one #1 {#1}'],
    ['keeps its end where it begins earlier', 'one #1 {#1} #2', '{#1} {#1} {#2}', 'one #1 #2'],
    ['keeps its beginning, and takes nothing twice', 'one #1', '{#1} {#1} {#1}', 'one #1 one'],
    ['keeps its beginning, whatever else is the same', 'one #2 #1 {#1}', '{#1} {#1} {#1}', 'one #1 {#1}'],
    ['keeps what changes places, each once', 'one #1 two', '{#2} {#1} {#1}', 'two one #1'],
    ['keeps what changes places in its middle', 'one {#2} #3 two', '{#1} {#3} {#2} {#2}', 'one #3 {#2} two'],
    ['keeps what comes again, once', '{#1} #2', '{#2} {#1} {#2} {#1}', '#2 {#1} {#2} {#1}'],
  ])('%s: %s', (_name, written, item, expected) => {
    expect(told(list(written), item)).toStrictEqual(relisted(list(expected)));
  });

  test.each([[null], ['one'], [[]]])('passes over %j, which is no entry', (other) => {
    expect(told([other, entry('{#1}')], '{#5} {#1}')).toStrictEqual(relisted(list('{#5} {#1}')));
  });
});
