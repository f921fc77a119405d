/** Tests what the truth tables of playlists do not contain: the field, the text and the assets of each risk. */
import { describe, expect, test } from 'vitest';
import type { DesiredResource, LiveObject } from '../../../../src/core/kinds/kind.ts';
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import { DEFAULTS, type PlaylistFields } from '../../../../src/core/kinds/playlist/model.ts';
import { assessRisk, phase } from '../../../../src/core/kinds/playlist/risk.ts';
import type { RiskAssessment } from '../../../../src/core/model/change.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { diffResources } from '../../../../src/core/plan/diff-resources.ts';
import { beam, declare, defaults, id, live } from './fixtures.ts';

/** Returns the risk of each field that is not neutral. Without `before` the change is a create, without `after` a delete. */
function assess(before: LiveObject | null, after: DesiredResource | null): { readonly [path: string]: RiskAssessment } {
  const match = {
    liveByAddress: new Map(before && after ? [[after.address, before]] : []),
    identityProblems: new Map(),
    unclaimed: [],
    warnings: [],
  };
  const toDelete = before && !after ? [{ live: before }] : [];
  const [planned] = diffResources(playlist, after ? [after] : [], match, toDelete, 0);
  const fields = planned?.change.fields.filter(({ effect }) => effect !== 'neutral') ?? [];
  return Object.fromEntries(fields.map(({ path, effect, reasons = [] }) => [path, { effect, reasons }]));
}

function formatReasons(assessments: { readonly [path: string]: RiskAssessment }): readonly string[] {
  return Object.entries(assessments).flatMap(([path, { reasons }]) => reasons.map(({ effect, text }) => `${path} ${effect} ${text}`));
}

/**
 * Returns a declared playlist `x`. The section `assets` marks A and B, but not c, for studio DRM. Lists contain each asset twice, so that
 * none is a single-asset list.
 */
function desired(fields: JsonObject): DesiredResource {
  const assets = { A: { id: id(1), studio_drm: true }, B: { id: id(2), studio_drm: true }, c: { id: id(3), studio_drm: false } };
  const found = declare({ assets, playlists: { x: { playlist: [beam(3), beam(3)], ...fields } } }).resources.get('playlist/x');
  if (!found) throw new Error('not declared');
  return { ...found, fields: { ...found.fields, ...fields } };
}

function livePlaylist(fields: JsonObject): LiveObject {
  return live({ id: id(9), ...defaults, desc: 'x', playlist: [beam(3), beam(3)], ...fields });
}

describe('the risk of a list with `studio_drm_required: 0` that holds assets marked for studio DRM (A and B, not c)', () => {
  const ASSETS = { A: 1, B: 2, c: 3 };
  const list = (names: string): JsonObject => ({
    playlist: Object.entries(ASSETS).flatMap(([name, number]) => (names.includes(name) ? [beam(number), beam(number)] : [])),
  });

  test('is assessed at the list even where the setting changes too', () => {
    const [closed, open] = [{ studio_drm_required: 1 }, { studio_drm_required: 0 }];
    const paths = (before: JsonObject, after: JsonObject) =>
      Object.entries(assess(livePlaylist(before), desired(after))).map(([path, { effect }]) => `${path} ${effect}`);
    expect(paths({ ...closed, ...list('c') }, { ...open, ...list('cA') })).toEqual(['/playlist weakens', '/studio_drm_required weakens']);
    expect(paths({ ...open, ...list('cA') }, { ...closed, ...list('c') })).toEqual([
      '/playlist strengthens',
      '/studio_drm_required strengthens',
    ]);
    expect(paths({ ...open, ...list('c') }, { ...closed, ...list('cA') })).toEqual(['/studio_drm_required strengthens']);
    expect(paths({ ...closed, ...list('cA') }, { ...open, ...list('c') })).toEqual(['/studio_drm_required weakens']);
  });

  test('names each asset once, and only those that need studio DRM', () => {
    expect(formatReasons(assess(null, desired(list('cAB'))))).toEqual([
      `/playlist weakens \`studio_drm_required\` 0 overrides the setting of ${id(1)}, ${id(2)}, which the catalog marks for studio DRM`,
    ]);
    expect(formatReasons(assess(livePlaylist(list('A')), desired(list('c'))))).toEqual([
      expect.stringContaining(`will no longer override the setting of ${id(1)}, which`),
    ]);
  });

  test('is assessed for a smart start too', () => {
    const sections = { assets: { A: { id: id(1), studio_drm: true } }, smart_starts: { vod: { assets: ['A'] } } };
    const [smart = null] = declare(sections).resources.values();
    expect(formatReasons(assess(null, smart))).toEqual([expect.stringContaining(`/playlist weakens`)]);
  });

  test('does not mistake an asset with an unusual name for another asset', () => {
    const sections = (studioDrm: boolean) => ({
      assets: { odd: { id: '__proto__', studio_drm: studioDrm }, film: { id: id(5), studio_drm: true } },
      playlists: { x: { playlist: [{ beam: { id: '__proto__' } }, { beam: { id: 'constructor' } }] } },
    });
    const assessCreate = (studioDrm: boolean) => assess(null, declare(sections(studioDrm)).resources.get('playlist/x') ?? null);
    expect([formatReasons(assessCreate(true)).length, formatReasons(assessCreate(false)).length]).toEqual([1, 0]);
  });
});

describe('the risk of an undocumented `active`', () => {
  test('is none where the playlist goes off, which strengthens', () => {
    expect(formatReasons(assess(livePlaylist({ active: 3 }), desired({ active: 0 })))).toEqual([
      '/active strengthens it can no longer be played, whatever `active` 3 means (running sessions keep the old setting)',
    ]);
  });

  const both: JsonObject = { skip_drm: 1, studio_drm_required: 0, playlist: [beam(1), beam(1)] };
  const question = (value: number) =>
    `/active weakens the API documents do not say what \`active\` ${value} means (running sessions keep the old setting)`;

  test('is one open question, however many settings the playlist overrides', () => {
    expect(formatReasons(assess(livePlaylist({ ...both, active: 1 }), desired({ ...both, active: 2 })))).toEqual([question(2)]);
    expect(formatReasons(assess(livePlaylist({ ...both, active: 2 }), desired({ ...both, active: 1 })))).toEqual([question(2)]);
  });

  test('is a reason of a new playlist beside the one at its list', () => {
    const list = { active: 2, playlist: [beam(1), beam(1)] };
    expect(formatReasons(assess(null, desired(list)))).toEqual([
      '/active weakens the API documents do not say what `active` 2 means',
      `/playlist weakens \`studio_drm_required\` 0 overrides the setting of ${id(1)}, which the catalog marks for studio DRM`,
    ]);
  });
});

test('the risk of a list counts no asset as marked for studio DRM where nothing is known of the catalog, as in a drift report', () => {
  const [before, after] = [[], [beam(1)]].map((list): PlaylistFields => ({ ...DEFAULTS, playlist: list }));
  if (!before || !after) throw new Error('no fields');
  const fields = [{ path: '/playlist', before: before.playlist, after: after.playlist }];
  const risksOf = (kindData?: JsonObject) =>
    assessRisk({
      action: 'update',
      before: { id: id(9), fields: before },
      after: { fields: after, ...(kindData && { kindData }) },
      fields,
    });
  expect(risksOf()).toEqual([{ effect: 'neutral', reasons: [] }]);
  expect(risksOf({})).toEqual([{ effect: 'neutral', reasons: [] }]);
  expect(risksOf({ studio_drm: { [id(1)]: true } })).toMatchObject([{ effect: 'weakens' }]);
});

describe('the risk of assets that come under `skip_drm: 1`', () => {
  test('names them, and those that leave', () => {
    const list = (...numbers: readonly number[]): JsonObject => ({ skip_drm: 1, studio_drm_required: 1, playlist: numbers.map(beam) });
    expect(formatReasons(assess(livePlaylist(list(1, 2)), desired(list(2, 3, 3))))).toEqual([
      `/playlist weakens \`skip_drm\` 1 overrides the setting of ${id(3)} (running sessions keep the old setting)`,
      `/playlist strengthens \`skip_drm\` 1 will no longer override the setting of ${id(1)} (running sessions keep the old setting)`,
    ]);
  });

  test('counts while the playlist is active', () => {
    const active = (value: number): JsonObject => ({ skip_drm: 1, studio_drm_required: 1, active: value, playlist: [beam(1)] });
    expect(formatReasons(assess(livePlaylist(active(0)), desired(active(1))))).toEqual([
      expect.stringContaining(`/active weakens \`skip_drm\` 1 overrides the setting of ${id(1)}`),
    ]);
    expect(formatReasons(assess(livePlaylist(active(1)), desired(active(0))))).toEqual([
      expect.stringContaining(`/active strengthens \`skip_drm\` 1 will no longer override the setting of ${id(1)}`),
    ]);
  });
});

describe('the risk of deleting a playlist with the ID of its only asset', () => {
  const settings = (skip: number, drm: number): JsonObject => ({
    id: id(1),
    playlist: [beam(1)],
    skip_drm: skip,
    studio_drm_required: drm,
  });

  test('exists only where the list is that asset and nothing else', () => {
    expect(assess(livePlaylist({ ...settings(0, 1), id: id(2) }), null)).toEqual({});
    expect(assess(livePlaylist({ ...settings(0, 1), playlist: [beam(1), beam(1)] }), null)).toEqual({});
  });

  test('names the settings that no longer apply', () => {
    expect(formatReasons(assess(livePlaylist(settings(0, 1)), null))).toEqual([
      `/playlist weakens asset ${id(1)} falls back to its own settings: \`skip_drm\` 0 no longer applies`,
      `/studio_drm_required weakens asset ${id(1)} falls back to its own settings: \`studio_drm_required\` 1 no longer applies`,
    ]);
  });

  test.each([2, -1])('names a `skip_drm` of %j, a value that no document explains', (skip) => {
    expect(formatReasons(assess(livePlaylist(settings(skip, 0)), null))).toEqual([
      `/playlist weakens asset ${id(1)} falls back to its own settings: \`skip_drm\` ${skip} no longer applies`,
    ]);
  });

  test('does not exist where the settings are those with the least protection', () => {
    expect(assess(livePlaylist(settings(1, 0)), null)).toEqual({});
  });
});

describe("the reason for a playlist's risk", () => {
  const RUNNING_SESSIONS = '(running sessions keep the old setting)';

  test('says of an update that it reaches new sessions only', () => {
    expect(
      formatReasons(assess(livePlaylist({ skip_drm: 0, studio_drm_required: 0 }), desired({ skip_drm: 1, studio_drm_required: 1 }))),
    ).toEqual([
      `/skip_drm weakens playback will be allowed without a digital signature ${RUNNING_SESSIONS}`,
      `/studio_drm_required strengthens playback will be secured by DRM ${RUNNING_SESSIONS}`,
    ]);
    expect(
      formatReasons(assess(livePlaylist({ skip_drm: 1, studio_drm_required: 1 }), desired({ skip_drm: 0, studio_drm_required: 0 }))),
    ).toEqual([
      `/skip_drm strengthens playback will need a digital signature ${RUNNING_SESSIONS}`,
      `/studio_drm_required weakens playback will no longer be secured by DRM ${RUNNING_SESSIONS}`,
    ]);
  });

  test('does not say so of a create, and names an unknown value', () => {
    expect(formatReasons(assess(null, desired({ skip_drm: 1 })))).toEqual([
      '/skip_drm weakens playback will be allowed without a digital signature',
    ]);
    expect(formatReasons(assess(livePlaylist({ skip_drm: 2 }), desired({ skip_drm: 1 })))).toEqual([
      `/skip_drm weakens the API documents do not say what \`skip_drm\` 2 means ${RUNNING_SESSIONS}`,
    ]);
  });
});

test('playlist changes that strengthen come first, those that weaken last, and creates come before deletes', () => {
  expect([phase('update', 'strengthens'), phase('update', 'neutral'), phase('update', 'weakens')]).toEqual([
    'strengthen',
    'update',
    'weaken',
  ]);
  for (const overall of ['strengthens', 'neutral', 'weakens'] as const)
    expect([phase('create', overall), phase('delete', overall)]).toEqual(['update', 'delete']);
});
