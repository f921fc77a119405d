/** What reports draw of playlists. */
import { describe, expect, it } from 'vitest';
import { DEFAULTS, type LivePlaylist, type PlaylistFields } from '../../../../src/core/kinds/playlist/model.ts';
import { playlistViews } from '../../../../src/core/kinds/playlist/views.ts';
import type { FieldChange } from '../../../../src/core/model/change.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { change, field } from '../../../report/documents.ts';

const diagramOf = (...fields: readonly FieldChange[]) => playlistViews.diagram(change('playlist/a', { fields }));

describe('the diagram of a playlist', () => {
  it('contains the assets and ad breaks of the list, before and after', () => {
    const list = field('/playlist', [{ beam: { id: 'a' } }], [{ beam: { id: 'a' } }, { ad: { dur: 90 } }]);
    const a = { type: 'beam', label: 'a' };
    const break90 = { type: 'ad', label: '90 s', seconds: 90 };
    expect(diagramOf(field('/desc', 'x', 'y'), list)).toEqual({ type: 'playlist', field: list, before: [a], after: [a, break90] });
  });

  it('has an empty list where the field is null or empty', () => {
    const list = [{ beam: { id: 'a' } }];
    expect(diagramOf(field('/playlist', null, list))).toMatchObject({ before: [], after: [{ label: 'a' }] });
    expect(diagramOf(field('/playlist', list, []))).toMatchObject({ before: [{ label: 'a' }], after: [] });
  });

  it.each([
    [null, null],
    [[], []],
    ['x', 'y'],
    [['x'], []],
    [[{ beam: { id: 1 } }], []],
    [{ beam: 1 }, null],
    [[{ beam: { id: 'a', more: 1 } }], []],
    [[{ beam: { id: 'a' }, ad: { dur: 1 } }], []],
    [[{ track_type: 'HD' }], []],
  ])('does not exist for a list that is %j before and %j after', (before, after) => {
    expect(diagramOf(field('/playlist', before, after))).toBeNull();
  });

  it('does not exist where the list does not change', () => {
    expect(diagramOf(field('/desc', [{ beam: { id: 'a' } }], null))).toBeNull();
    expect(diagramOf()).toBeNull();
  });
});

describe('what a playlist plays', () => {
  it('is its list, with the seconds of breaks within assets, and how often it is repeated', () => {
    const playlist = [{ beam: { id: 'a' } }, { ad: { dur: 60 } }, { odd: ['x'] }];
    expect(playlistViews.contentOf({ ...DEFAULTS, beam_break_duration: 30, repeat: 2, playlist })).toStrictEqual({
      entries: [
        { type: 'beam', id: 'a' },
        { type: 'ad', seconds: 60 },
        { type: 'odd', text: '["x"]' },
      ],
      breakSeconds: 30,
      repeat: 2,
    });
  });

  it.each<[Json, Json]>([
    ['often', 'x'],
    [null, true],
  ])('has the defaults where a setting is no integer, such as %j', (beam_break_duration, repeat) => {
    expect(playlistViews.contentOf({ ...DEFAULTS, beam_break_duration, repeat })).toStrictEqual({
      entries: [],
      breakSeconds: 0,
      repeat: 0,
    });
  });

  it('counts a negative length of a break as no time', () => {
    expect(playlistViews.contentOf({ ...DEFAULTS, beam_break_duration: -30, playlist: [{ ad: { dur: -1 } }] })).toStrictEqual({
      entries: [{ type: 'ad', seconds: 0 }],
      breakSeconds: 0,
      repeat: 0,
    });
  });
});

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
    const overview = playlistViews.overview([live(fields)]);
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
