/** Tests what the playback tables of playlists do not contain: the texts, and that one reason stands for a whole change. */
import { describe, expect, test } from 'vitest';
import type { RiskInput } from '../../../../src/core/kinds/kind.ts';
import { DEFAULTS, type PlaylistFields } from '../../../../src/core/kinds/playlist/model.ts';
import { assessPlayback } from '../../../../src/core/kinds/playlist/playback.ts';
import { diffFields } from '../../../../src/core/plan/diff-fields.ts';

type Settings = Partial<Omit<PlaylistFields, 'playlist'>>;

/** Returns the reasons of a change between these settings, where the rest is at its defaults; null is a playlist that does not exist. */
function reasonsOf(before: Settings | null, after: Settings | null) {
  const [fieldsBefore, fieldsAfter] = [before, after].map((settings): PlaylistFields => ({ ...DEFAULTS, ...settings }));
  const input: RiskInput<PlaylistFields> = {
    action: before === null ? 'create' : after === null ? 'delete' : 'update',
    before: before && { id: 'p', fields: { ...DEFAULTS, ...before } },
    after: after && { fields: { ...DEFAULTS, ...after } },
    fields: diffFields(fieldsBefore ?? DEFAULTS, fieldsAfter ?? DEFAULTS),
  };
  return assessPlayback(input);
}

function undocumented(name: string, value: string) {
  return { playback: 'unknown', text: `the API documents do not say what \`${name}\` ${value} means` };
}

describe('the reason why a change of a playlist affects playback', () => {
  test.each<[string, Settings | null, Settings | null]>([
    ['a delete', { repeat: 5 }, null],
    ['an update that switches it off', { skip_drm: 1 }, { active: 0, skip_drm: 0 }],
  ])('is that it goes off air, alone, for %s', (_name, before, after) => {
    expect(reasonsOf(before, after)).toStrictEqual([{ playback: 'stops', text: 'it goes off air', offAir: true }]);
  });

  test.each<[string, Settings | null, Settings | null]>([
    ['a create', null, { skip_drm: 1 }],
    ['an update that switches it on', { active: 0 }, { skip_drm: 1, repeat: 3 }],
  ])('is that it goes on air, alone, for %s', (_name, before, after) => {
    expect(reasonsOf(before, after)).toStrictEqual([{ playback: 'gains', text: 'it goes on air' }]);
  });

  test.each<[string, Settings | null, Settings | null]>([
    ['a create', null, { active: 2, skip_drm: 1 }],
    ['an update of a playlist that was off', { active: 0 }, { active: 2, skip_drm: 1, repeat: 3 }],
  ])('is the undocumented value of `active`, alone, for %s', (_name, before, after) => {
    expect(reasonsOf(before, after)).toStrictEqual([undocumented('active', '2')]);
  });

  test.each<[string, Settings, Settings]>([
    ['active', {}, { active: 2 }],
    ['active', { active: 2 }, {}],
    ['skip_drm', {}, { skip_drm: 2 }],
    ['skip_drm', { skip_drm: 2 }, {}],
    ['studio_drm_required', { studio_drm_required: 2 }, { studio_drm_required: 1 }],
    ['repeat', {}, { repeat: -2 }],
  ])('is an undocumented value of `%s` while it stays on air', (name, before, after) => {
    expect(reasonsOf(before, after)).toStrictEqual([undocumented(name, name === 'repeat' ? '-2' : '2')]);
  });

  test.each<[Settings, Settings, string, string]>([
    [{ skip_drm: 1 }, {}, 'reduces', 'players need a digital signature'],
    [{}, { skip_drm: 1 }, 'gains', 'players need no digital signature any more'],
    [{ studio_drm_required: 1 }, {}, 'gains', 'players need no DRM any more'],
    [{}, { studio_drm_required: 1 }, 'reduces', 'players need DRM'],
    [{ repeat: -1 }, { repeat: 1 }, 'reduces', 'it repeats 1 time instead of for ever'],
    [{ repeat: 1 }, { repeat: -1 }, 'gains', 'it repeats for ever instead of 1 time'],
    [{ repeat: 3 }, { repeat: 0 }, 'reduces', 'it repeats 0 times instead of 3 times'],
  ])('says what the change from %j to %j does', (before, after, playback, text) => {
    expect(reasonsOf(before, after)).toStrictEqual([{ playback, text }]);
  });

  test('is one for each field that affects playback', () => {
    expect(reasonsOf({}, { skip_drm: 1, desc: 'News', repeat: 2 }).map(({ text }) => text)).toEqual([
      'it repeats 2 times instead of 0 times',
      'players need no digital signature any more',
    ]);
  });
});
