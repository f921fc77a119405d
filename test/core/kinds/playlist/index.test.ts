import { expect, test } from 'vitest';
import schema from '../../../../schemas/playlist.schema.json' with { type: 'json' };
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import { beam, defaults, id, live, onlyResource } from './fixtures.ts';

test('playlists and smart starts are one kind with two forms of address, and the `assets` section declares no resource', () => {
  expect(playlist.name).toBe('playlist');
  expect(playlist.sections).toEqual([
    { key: 'playlists', addressPrefix: 'playlist/', singular: 'playlist', entriesField: 'playlist' },
    { key: 'smart_starts', addressPrefix: 'smart-start/', singular: 'smart_start' },
    { key: 'assets', addressPrefix: null, singular: 'asset' },
  ]);
  expect(playlist.schema).toEqual({ properties: schema.properties, definitions: schema.definitions });
});

test('playlists may share a description, and an update sends only the fields that differ', () => {
  const { type, hasUniqueRemoteNames, hasPartialUpdates, spotChecksPerPlan } = playlist;
  expect([type, hasUniqueRemoteNames, hasPartialUpdates, spotChecksPerPlan]).toEqual(['collection', false, true, 20]);
  expect(playlist.defaults()).toEqual(defaults);
  expect(playlist.idAddress(live({ id: id(7), playlist: [beam(1)] }))).toBe(`playlist/~${id(7)}`);
});

test('a playlist with the ID of its only asset is never changed to another list', () => {
  const assetIdPlaylist = live({ id: id(1), desc: 'x', playlist: [beam(1)] });
  const other = onlyResource({ playlists: { x: { playlist: [beam(1), beam(2)] } } });
  expect(playlist.whyNotBindable?.(onlyResource({ playlists: { x: { playlist: [beam(1)] } } }), assetIdPlaylist)).toBeUndefined();
  expect(playlist.whyNotBindable?.(other, live({ id: id(1), desc: 'x', playlist: [beam(2)] }))).toBeUndefined();
  expect(playlist.whyNotBindable?.(other, assetIdPlaylist)).toBe(
    `playlist ${id(1)} has the ID of its only asset, but playlist/x declares a different list`,
  );
});

test('playlists are recognized by `desc`, and what they play stands in `playlist`', () => {
  expect([playlist.remoteNameField, playlist.contentFields]).toEqual(['desc', ['playlist']]);
});
