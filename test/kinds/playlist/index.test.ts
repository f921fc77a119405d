import { expect, test } from 'vitest';
import schema from '../../../schemas/playlist.schema.json' with { type: 'json' };
import { playlist } from '../../../src/kinds/playlist/index.ts';
import { beam, defaults, id, live, only } from './fixtures.ts';

test('lists and smart starts are one kind with two forms of address, and a catalogue that manages nothing', () => {
  expect(playlist.name).toBe('playlist');
  expect(playlist.sections).toEqual([
    { key: 'playlists', declares: 'playlist/' },
    { key: 'smart_starts', declares: 'smart-start/' },
    { key: 'assets', declares: null },
  ]);
  expect(playlist.schema).toEqual({ properties: schema.properties, definitions: schema.definitions });
});

test('descriptions may be shared, and an update sends only what differs', () => {
  const { type, uniqueLabels, partialUpdates, existenceChecksPerPlan } = playlist;
  expect([type, uniqueLabels, partialUpdates, existenceChecksPerPlan]).toEqual(['collection', false, true, 20]);
  expect(playlist.defaults()).toEqual(defaults);
  expect(playlist.unmanagedAddress(live({ id: id(7), playlist: [beam(1)] }))).toBe(`playlist/~${id(7)}`);
});

test('a playlist that bears the ID of its one asset is given nothing else', () => {
  const own = live({ id: id(1), desc: 'x', playlist: [beam(1)] });
  const other = only({ playlists: { x: { playlist: [beam(1), beam(2)] } } });
  expect(playlist.whyNotBindable?.(only({ playlists: { x: { playlist: [beam(1)] } } }), own)).toBeUndefined();
  expect(playlist.whyNotBindable?.(other, live({ id: id(1), desc: 'x', playlist: [beam(2)] }))).toBeUndefined();
  expect(playlist.whyNotBindable?.(other, own)).toBe(
    `playlist ${id(1)} bears the ID of the one asset that it holds, and playlist/x declares another list`,
  );
});
