/** What the account at a glance shows of the playlists. */
import { describe, expect, it } from 'vitest';
import { DEFAULTS, type LivePlaylist, type PlaylistFields } from '../../../src/core/kinds/playlist/model.ts';
import { overview as playlists } from '../../../src/core/kinds/playlist/overview.ts';

describe('the overview of playlists', () => {
  const live = (fields: Partial<PlaylistFields>): LivePlaylist => ({
    id: 'p',
    remoteName: 'P',
    fields: { ...DEFAULTS, ...fields },
    isMatchableByRemoteName: true,
    configSection: 'playlists',
    unknownMembers: [],
  });
  const only = (fields: Partial<PlaylistFields>) => {
    const overview = playlists([live(fields)]);
    return overview.type === 'playlists' ? overview.playlists[0] : undefined;
  };

  it.each([
    [{}, true, false, ['quiet no DRM required']],
    [{ studio_drm_required: 1 }, true, true, ['good DRM required']],
    [{ studio_drm_required: 2 }, true, null, ['warning studio_drm_required is 2']],
    [{ active: 0, skip_drm: 1 }, false, false, ['quiet off air', 'quiet no DRM required', 'alarm plays without a signature']],
    [{ active: 'x' }, true, false, ['warning active is "x"', 'quiet no DRM required']],
    [
      { ad_slate_fill: 1, beam_break_duration: 30 },
      true,
      false,
      ['quiet no DRM required', 'quiet fills ad breaks with slate', 'quiet ad breaks within assets: 30 s each'],
    ],
  ] as const)('of %j says whether it is on air, requires DRM, and what else is set', (fields, isOnAir, requiresDrm, marks) => {
    const shown = only(fields);
    expect([shown?.isOnAir, shown?.requiresDrm]).toEqual([isOnAir, requiresDrm]);
    expect(shown?.marks.map(({ style, text }) => `${style} ${text}`)).toEqual(marks);
  });

  it('keeps an entry that is neither an asset nor an ad break', () => {
    expect(only({ playlist: [{ beam: { id: 'a' } }, { ad: { dur: 30 } }, { odd: { x: 1 } }], repeat: -1 })?.content).toEqual({
      entries: [
        { type: 'beam', id: 'a' },
        { type: 'ad', seconds: 30 },
        { type: 'odd', text: '{"x":1}' },
      ],
      breakSeconds: 0,
      repeat: -1,
    });
  });
});
