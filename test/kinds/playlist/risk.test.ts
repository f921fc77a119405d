/** What the truth tables of playlists do not say: at which field a verdict stands, in which words, and for which assets. */
import { describe, expect, test } from 'vitest';
import type { DesiredResource, LiveObject } from '../../../src/kinds/kind.ts';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import { phase } from '../../../src/kinds/playlist/risk.ts';
import type { RiskAssessment } from '../../../src/model/change.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { diffResources } from '../../../src/plan/diff-resources.ts';
import { beam, declared, defaults, id, live } from './fixtures.ts';

/** What a change does by field, neutral ones left out: an absent side makes it a create or a delete. */
function judged(before: LiveObject | null, after: DesiredResource | null): { readonly [path: string]: RiskAssessment } {
  const identified = {
    pairs: new Map(before && after ? [[after.address, before]] : []),
    ambiguous: new Map(),
    unmatched: [],
    warnings: [],
  };
  const doomed = before && !after ? [{ live: before }] : [];
  const [draft] = diffResources(playlist, after ? [after] : [], identified, doomed, 0);
  const fields = draft?.fields.filter(({ effect }) => effect !== 'neutral') ?? [];
  return Object.fromEntries(fields.map(({ path, effect, reasons = [] }) => [path, { effect, reasons }]));
}

function said(verdicts: { readonly [path: string]: RiskAssessment }): readonly string[] {
  return Object.entries(verdicts).flatMap(([path, { reasons }]) => reasons.map(({ effect, text }) => `${path} ${effect} ${text}`));
}

/** A playlist `x` as the user declares it, over the catalogue of the tables: A and B must be under studio DRM, c need not. */
function desired(fields: JsonObject): DesiredResource {
  const assets = { A: { id: id(1), studio_drm: true }, B: { id: id(2), studio_drm: true }, c: { id: id(3), studio_drm: false } };
  const found = declared({ assets, playlists: { x: { playlist: [beam(3), beam(3)], ...fields } } }).resources.get('playlist/x');
  if (!found) throw new Error('not declared');
  return { ...found, fields: { ...found.fields, ...fields } };
}

function object(fields: JsonObject): LiveObject {
  return live({ id: id(9), ...defaults, desc: 'x', playlist: [beam(3), beam(3)], ...fields });
}

describe('the list, without studio DRM over assets that the catalogue wants under it (A, B; c may do without)', () => {
  const ASSETS = { A: 1, B: 2, c: 3 };
  const list = (word: string): JsonObject => ({
    playlist: Object.entries(ASSETS).flatMap(([name, number]) => (word.includes(name) ? [beam(number), beam(number)] : [])),
  });

  test('takes part where the setting changes beside it', () => {
    const [closed, open] = [{ studio_drm_required: 1 }, { studio_drm_required: 0 }];
    const paths = (before: JsonObject, after: JsonObject) =>
      Object.entries(judged(object(before), desired(after))).map(([path, { effect }]) => `${path} ${effect}`);
    expect(paths({ ...closed, ...list('c') }, { ...open, ...list('cA') })).toEqual(['/playlist loosens', '/studio_drm_required loosens']);
    expect(paths({ ...open, ...list('cA') }, { ...closed, ...list('c') })).toEqual(['/playlist tightens', '/studio_drm_required tightens']);
    expect(paths({ ...open, ...list('c') }, { ...closed, ...list('cA') })).toEqual(['/studio_drm_required tightens']);
    expect(paths({ ...closed, ...list('cA') }, { ...open, ...list('c') })).toEqual(['/studio_drm_required loosens']);
  });

  test('names the assets once each, and not the others', () => {
    expect(said(judged(null, desired(list('cAB'))))).toEqual([
      `/playlist loosens \`studio_drm_required\` 0 goes before the setting of ${id(1)}, ${id(2)}, which the catalogue wants under studio DRM`,
    ]);
    expect(said(judged(object(list('A')), desired(list('c'))))).toEqual([
      expect.stringContaining(`will no longer go before the setting of ${id(1)}, which`),
    ]);
  });

  test('counts for a smart start too', () => {
    const sections = { assets: { A: { id: id(1), studio_drm: true } }, smart_starts: { vod: { assets: ['A'] } } };
    const [smart = null] = declared(sections).resources.values();
    expect(said(judged(null, smart))).toEqual([expect.stringContaining(`/playlist loosens`)]);
  });

  test('an asset with an awkward name is no other asset', () => {
    const sections = (marked: boolean) => ({
      assets: { odd: { id: '__proto__', studio_drm: marked }, film: { id: id(5), studio_drm: true } },
      playlists: { x: { playlist: [{ beam: { id: '__proto__' } }, { beam: { id: 'constructor' } }] } },
    });
    const made = (marked: boolean) => judged(null, declared(sections(marked)).resources.get('playlist/x') ?? null);
    expect([said(made(true)).length, said(made(false)).length]).toEqual([1, 0]);
  });
});

describe('a delete of an asset-ID playlist', () => {
  const settings = (skip: number, drm: number): JsonObject => ({
    id: id(1),
    playlist: [beam(1)],
    skip_drm: skip,
    studio_drm_required: drm,
  });

  test('is one only where the list is its own asset and nothing else', () => {
    expect(judged(object({ ...settings(0, 1), id: id(2) }), null)).toEqual({});
    expect(judged(object({ ...settings(0, 1), playlist: [beam(1), beam(1)] }), null)).toEqual({});
  });

  test('says what goes', () => {
    expect(said(judged(object(settings(0, 1)), null))).toEqual([
      `/playlist loosens asset ${id(1)} falls back to its own settings: \`skip_drm\` 0 goes`,
      `/studio_drm_required loosens asset ${id(1)} falls back to its own settings: \`studio_drm_required\` 1 goes`,
    ]);
  });
});

describe('in words', () => {
  const LATE = '(running sessions keep the old setting)';

  test('an update reaches new sessions only, and says so', () => {
    expect(said(judged(object({ skip_drm: 0, studio_drm_required: 0 }), desired({ skip_drm: 1, studio_drm_required: 1 })))).toEqual([
      `/skip_drm loosens playback will be allowed without a digital signature ${LATE}`,
      `/studio_drm_required tightens playback will be secured by DRM ${LATE}`,
    ]);
    expect(said(judged(object({ skip_drm: 1, studio_drm_required: 1 }), desired({ skip_drm: 0, studio_drm_required: 0 })))).toEqual([
      `/skip_drm tightens playback will need a digital signature ${LATE}`,
      `/studio_drm_required loosens playback will no longer be secured by DRM ${LATE}`,
    ]);
  });

  test('a create does not, and an unknown value is named', () => {
    expect(said(judged(null, desired({ skip_drm: 1 })))).toEqual([
      '/skip_drm loosens playback will be allowed without a digital signature',
    ]);
    expect(said(judged(object({ skip_drm: 2 }), desired({ skip_drm: 1 })))).toEqual([
      `/skip_drm loosens the documents do not say what \`skip_drm\` 2 means ${LATE}`,
    ]);
  });
});

test('what tightens goes first, what loosens last, and creates before deletes', () => {
  expect([phase('update', 'tightens'), phase('update', 'neutral'), phase('update', 'loosens')]).toEqual(['tighten', 'update', 'loosen']);
  for (const overall of ['tightens', 'neutral', 'loosens'] as const)
    expect([phase('create', overall), phase('delete', overall)]).toEqual(['update', 'delete']);
});
