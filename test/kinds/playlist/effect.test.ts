import { describe, expect, test } from 'vitest';
import type { Comparison, Desired, Live } from '../../../src/kinds/kind.ts';
import { effects, phase } from '../../../src/kinds/playlist/effect.ts';
import type { Json } from '../../../src/model/json.ts';
import { beam, declared, id, live, only } from './fixtures.ts';

const evening = only({ playlists: { evening: { playlist: [beam(1)] } } });
const object = live({ id: id(7), desc: 'evening', playlist: [beam(1)] });

function of(
  action: Comparison['action'],
  path: string,
  before: Json,
  after: Json,
  desired: Desired | null = evening,
  on: Live | null = object,
): { effect: string; reason?: string } {
  const [judged] = effects({ action, fields: [{ path, before, after }], desired, live: on });
  const [reason] = judged?.reasons ?? [];
  return { effect: judged?.effect ?? '', ...(reason ? { reason: reason.text } : {}) };
}

describe('an update', () => {
  test.each<[string, Json, Json, string]>([
    ['/skip_drm', 0, 1, 'loosens'],
    ['/skip_drm', 1, 0, 'tightens'],
    ['/skip_drm', 2, 0, 'tightens'],
    ['/skip_drm', 0, 2, 'loosens'],
    ['/studio_drm_required', 0, 1, 'tightens'],
    ['/studio_drm_required', 1, 0, 'loosens'],
    ['/studio_drm_required', 1, 2, 'loosens'],
  ])('of %s from %j to %j %4$s', (path, before, after, expected) => {
    const verdict = of('update', path, before, after);
    expect(verdict.effect).toBe(expected);
    expect(verdict.reason).toMatch(/playback will .* \(running sessions keep the old setting\)$/);
  });

  test.each(['/desc', '/active', '/repeat', '/beam_break_duration', '/ad_slate_fill', '/playlist'])('of %s is neutral', (path) => {
    expect(of('update', path, 0, 1)).toEqual({ effect: 'neutral' });
  });
});

describe('a create', () => {
  test('is compared with the documented defaults', () => {
    expect(of('create', '/skip_drm', null, 1, evening, null)).toEqual({
      effect: 'loosens',
      reason: 'playback will be allowed without a digital signature',
    });
    expect(of('create', '/studio_drm_required', null, 1, evening, null)).toMatchObject({ effect: 'tightens' });
    expect(of('create', '/playlist', null, [beam(1)], evening, null)).toEqual({ effect: 'neutral' });
  });
});

describe('assets that the catalogue wants under studio DRM', () => {
  const assets = { film: { id: id(1), studio_drm: true }, show: { id: id(2), studio_drm: false } };
  const playing = (settings: { readonly [name: string]: Json }) =>
    declared({ assets, playlists: { evening: { ...settings, playlist: [{ beam: 'film' }, { beam: 'show' }] } } }).resources.get(
      'playlist/evening',
    ) ?? null;

  test('lose it in a new playlist that does not ask for it', () => {
    const verdict = of('create', '/playlist', null, [beam(1), beam(2)], playing({}), null);
    expect(verdict).toMatchObject({ effect: 'loosens', reason: expect.stringContaining(id(1)) });
    expect(verdict.reason).not.toContain(id(2));
  });

  test('keep it in one that does', () => {
    expect(of('create', '/playlist', null, [beam(1)], playing({ studio_drm_required: 1 }), null)).toEqual({ effect: 'neutral' });
  });

  test('lose it when they come into a list, not when they stay in it', () => {
    expect(of('update', '/playlist', [beam(2)], [beam(1), beam(2)], playing({}), live({ id: id(7), playlist: [beam(2)] }))).toMatchObject({
      effect: 'loosens',
    });
    expect(of('update', '/playlist', [beam(1)], [beam(1), beam(2)], playing({}), object)).toEqual({ effect: 'neutral' });
  });

  test('lose it in a smart start too', () => {
    const smart = only({ assets: { film: { id: id(1), studio_drm: true } }, smart_starts: { vod: { assets: ['film'] } } });
    expect(of('create', '/playlist', null, [beam(1)], smart, null)).toMatchObject({ effect: 'loosens' });
  });
});

describe('a delete', () => {
  test('of an ordinary playlist is neutral', () => {
    expect(of('delete', '/studio_drm_required', 1, null, null, live({ id: id(7), studio_drm_required: 1, playlist: [beam(1)] }))).toEqual({
      effect: 'neutral',
    });
    expect(of('delete', '/playlist', [beam(1)], null, null)).toEqual({ effect: 'neutral' });
  });

  test.each<[string, number, number, string, string]>([
    ['both protect', 0, 1, 'loosens', 'loosens'],
    ['the signature protects', 0, 0, 'loosens', 'neutral'],
    ['DRM protects', 1, 1, 'neutral', 'loosens'],
    ['nothing protects', 1, 0, 'neutral', 'neutral'],
  ])('of an asset-ID playlist where %s', (_name, skip, drm, list, studio) => {
    const own = live({ id: id(1), skip_drm: skip, studio_drm_required: drm, playlist: [beam(1)] });
    expect(of('delete', '/playlist', [beam(1)], null, null, own).effect).toBe(list);
    expect(of('delete', '/studio_drm_required', drm, null, null, own).effect).toBe(studio);
    expect(of('delete', '/skip_drm', skip, null, null, own).effect).toBe('neutral');
  });

  test('says why', () => {
    const own = live({ id: id(1), playlist: [beam(1)] });
    expect(of('delete', '/playlist', [beam(1)], null, null, own).reason).toContain('falls back to its own settings');
  });
});

test('what tightens goes first, what loosens last, and creates before deletes', () => {
  expect([phase('update', 'tightens'), phase('update', 'neutral'), phase('update', 'loosens')]).toEqual([1, 2, 4]);
  for (const overall of ['tightens', 'neutral', 'loosens'] as const)
    expect([phase('create', overall), phase('delete', overall)]).toEqual([2, 3]);
});
