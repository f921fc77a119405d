import { describe, expect, test } from 'vitest';
import {
  addressKey,
  addressPrefixes,
  declaresResources,
  isAddressOf,
  kindOfAddress,
  mayMatchPrefix,
  prefixOfAddress,
  sectionOfAddress,
} from '../../../src/core/model/address.ts';

const playlist = {
  name: 'playlist',
  sections: [
    { key: 'playlists', addressPrefix: 'playlist/' },
    { key: 'smart_starts', addressPrefix: 'smart-start/' },
    { key: 'assets', addressPrefix: null },
  ],
};
const staticKey = { name: 'static-key', sections: [{ key: 'static_key', addressPrefix: 'static-key' }] };
const kinds = [playlist, staticKey];

describe('the address of a resource', () => {
  test.each([
    ['playlist/evening', 'playlist', 'playlists', 'playlist/', 'evening'],
    ['smart-start/a/b', 'playlist', 'smart_starts', 'smart-start/', 'a/b'],
    ['static-key', 'static-key', 'static_key', 'static-key', 'static-key'],
  ])('%s belongs to the kind %s and the section %s', (address, kind, section, prefix, key) => {
    const owner = kindOfAddress(kinds, address);
    expect(owner?.name).toBe(kind);
    expect(owner && sectionOfAddress(owner, address)).toBe(section);
    expect([prefixOfAddress(address), addressKey(address)]).toEqual([prefix, key]);
  });

  test.each(['static-key/x', 'static-keys', 'playlist', 'assets', ''])('`%s` belongs to no kind and no section', (address) => {
    expect(kindOfAddress(kinds, address)).toBeUndefined();
    expect(kinds.map((kind) => [isAddressOf(kind, address), sectionOfAddress(kind, address)])).toEqual(kinds.map(() => [false, undefined]));
  });

  test('has one of the prefixes of its kind; a section that only serves others has none', () => {
    expect(addressPrefixes(playlist)).toEqual(['playlist/', 'smart-start/']);
    expect(playlist.sections.filter(declaresResources).map(({ key }) => key)).toEqual(['playlists', 'smart_starts']);
  });
});

test.each([
  ['play*', 'playlist/', true],
  ['playlist/evening', 'playlist/', true],
  ['drm-policy/*', 'playlist/', false],
  ['static-*', 'static-key', true],
  ['static-key/*', 'static-key', false],
])('the glob %s may match an address that begins with %s: %s', (glob, prefix, may) => {
  expect(mayMatchPrefix(glob, prefix)).toBe(may);
});
