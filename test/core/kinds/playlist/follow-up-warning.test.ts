/** The warning that live channels keep what they have scheduled. */
import { describe, expect, test } from 'vitest';
import type { AddressedChange } from '../../../../src/core/kinds/kind.ts';
import { followUpWarnings } from '../../../../src/core/kinds/playlist/follow-up-warning.ts';
import { DEFAULTS, type PlaylistFields } from '../../../../src/core/kinds/playlist/model.ts';

const playlist = { id: 'p', fields: DEFAULTS };

/** Returns a change of the playlist with this key; `paths` are the fields that differ. */
function change(key: string, action: 'create' | 'update' | 'delete', ...paths: readonly string[]): AddressedChange<PlaylistFields> {
  return {
    address: `playlist/${key}`,
    action,
    before: action === 'create' ? null : playlist,
    after: action === 'delete' ? null : playlist,
    fields: paths.map((path) => ({ path, before: 0, after: 1 })),
  };
}

function warningOf(addresses: string) {
  return {
    code: 'scheduled-entries',
    address: 'playlist/a',
    summary: `what live channels have already scheduled from ${addresses} stays in their schedules, which this plan does not change`,
    hint: 'Where a channel should follow, fill its schedule from the playlist again.',
  };
}

describe('the warning about entries that live channels have scheduled', () => {
  test.each([
    ['the update of a list', change('a', 'update', '/playlist')],
    ['the update of a setting', change('a', 'update', '/repeat')],
    ['the update of a list together with the description', change('a', 'update', '/desc', '/playlist')],
    ['a delete', change('a', 'delete', '/desc', '/playlist')],
    ['the delete of a playlist with nothing but a description', change('a', 'delete', '/desc')],
  ])('is given for %s', (_name, one) => {
    expect(followUpWarnings([one])).toStrictEqual([warningOf('playlist/a')]);
  });

  test.each([
    ['no change', []],
    ['a new playlist, which no channel has scheduled', [change('a', 'create', '/desc', '/playlist')]],
    ['a new description, which is no part of an entry', [change('a', 'update', '/desc')]],
  ])('is not given for %s', (_name, changes) => {
    expect(followUpWarnings(changes)).toEqual([]);
  });

  test('names the playlists that change, and no others', () => {
    const changes = [
      change('new', 'create', '/playlist'),
      change('a', 'update', '/playlist'),
      change('renamed', 'update', '/desc'),
      change('b', 'delete', '/playlist'),
    ];
    expect(followUpWarnings(changes)).toStrictEqual([warningOf('playlist/a, playlist/b')]);
  });
});
