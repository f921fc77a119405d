/** Writes that a service confirms without writing, through the whole program: nothing weakens before a strengthening that failed. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { FaultRule } from '../../../src/emulator/server.ts';
import { beams, config, PLAYLISTS } from '../../e2e/accounts.ts';
import { createTestProject } from '../../support/harness.ts';

/** A change that weakens, and comes after all that strengthens. */
const WEAKENING = '/api/v3/drm/policies/create-or-update';

const open = { id: 'live1', desc: 'p1', skip_drm: 1, playlist: beams(1, 2) };

describe('a strengthening write whose response shows the previous value', () => {
  test.each<[string, JsonObject, JsonObject, FaultRule]>([
    [
      'PATCH of a playlist',
      { playlists: { p1: { playlist: beams(1, 2) } } },
      { playlist: [open] },
      { method: 'PATCH', path: `${PLAYLISTS}/live1`, body: open },
    ],
    [
      'the static key',
      { static_key: { scope: 'none' } },
      { 'static-key': { use_static_encryption_key: true } },
      { path: '/api/v3/drm/use-static-encryption-key/update', body: { error: 0, use_static_encryption_key: true } },
    ],
    [
      'the slicers of the static key',
      { static_key: { scope: 'specific', slicer_ids: ['a'] } },
      { 'static-key': { static_key_slicer_ids: ['a', 'b'] } },
      { path: '/api/v3/drm/static-key-slicer-ids/update', body: { error: 0, static_key_slicer_ids: ['a', 'b'] } },
    ],
    [
      'the VMP statuses',
      { vmp_reject_statuses: ['PLATFORM_TAMPERED'] },
      {},
      { path: '/api/v3/drm/vmp-reject-statuses/update', body: { error: 0, vmp_reject_statuses: [] } },
    ],
  ])('fails and holds back everything that weakens: %s', async (_name, sections, seed, rule) => {
    const policies = { drm_policies: { hd: { playready: { license_duration_seconds: 600_000 } } } };
    const project = await createTestProject(config({ ...sections, ...policies }), {
      seed: { ...seed, 'drm-policy': [{ policy_name: 'hd' }] },
    });
    project.emulator.setFaults([rule]);
    const { code, document } = await project.apply('--yes', '--allow', 'weakening');
    expect(code).toBe(5);
    expect(document.summary).toMatchObject({ failed: 1, skipped: 1, updated: 0 });
    expect(document.outcomes.find(({ result }) => result === 'failed')?.error).toMatch(/reads .* in the answer, not /);
    expect(project.writes().filter((write) => write.includes(WEAKENING))).toEqual([]);
  });
});

test('an update of a policy fails where the response shows the policy as before', async () => {
  const project = await createTestProject(config({ drm_policies: { hd: { fairplay: { lease: true } } } }), {
    seed: { 'drm-policy': [{ _id: 'one', policy_name: 'hd' }] },
    target: 'weakening: allow',
  });
  project.emulator.setFaults([{ path: WEAKENING, body: { error: 0, configs: [{ _id: 'one', policy_name: 'hd' }] } }]);
  const { code, document } = await project.apply('--yes');
  expect([code, document.outcomes[0]?.error]).toEqual([5, expect.stringContaining('/fairplay/lease reads false in the answer, not true')]);
});

describe('an incomplete list of policies', () => {
  const names = ['a', 'b', 'c', 'd'];
  const seed = { 'drm-policy': names.map((policy_name) => ({ _id: `id-${policy_name}`, policy_name, created: 1_000 })) };
  const declared = (...more: string[]) =>
    config({ drm_policies: Object.fromEntries([...more, ...names].map((name) => [name, { fairplay: { lease: true } }])) });
  const list: FaultRule = { method: 'GET', path: '/api/v3/drm/policies' };

  test.each([
    ['all declared ones live', []],
    ['beside one that is really new', ['0-new']],
  ])('creates none of the policies that a second read shows: %s', async (_name, more) => {
    const project = await createTestProject(declared(...more), { seed, target: 'weakening: allow' });
    project.emulator.setFaults([{ ...list, truncateList: 2, nth: 1 }]);
    const { code, document } = await project.plan();
    expect([code, document.readStatus['drm-policy'], document.changes]).toEqual([10, 'incomplete', []]);
    project.emulator.setFaults([{ ...list, truncateList: 2, nth: 1 }]);
    expect((await project.run('apply', '--yes')).code).toBe(10);
    expect(project.writes()).toEqual([]);
  });

  test('is checked by one more read, however many creates are planned', async () => {
    const project = await createTestProject(declared('x', 'y', 'z'));
    const { code, document } = await project.plan();
    expect([code, document.summary.create, document.cost.reads]).toEqual([0, 7, 2]);
  });

  test('in every read leads to an error that names the overwritten policy', async () => {
    const project = await createTestProject(declared(), { seed, target: 'weakening: allow' });
    project.emulator.setFaults([{ ...list, truncateList: 3 }]);
    const { code, document } = await project.apply('--yes');
    expect(code).toBe(5);
    const failed = document.outcomes.filter(({ result }) => result === 'failed');
    expect(failed).toMatchObject([{ address: 'drm-policy/d', error: expect.stringContaining('overwritten') }]);
  });
});

test('a list of playlists with an error beside its items is incomplete', async () => {
  const project = await createTestProject(config({ playlists: { p1: { playlist: beams(1, 2) } } }));
  for (const more of [{ error: 5 }, { '@type': 'Error' }]) {
    project.emulator.setFaults([{ method: 'GET', path: PLAYLISTS, body: { items: [], total_items: 0, ...more } }]);
    expect(await project.plan()).toMatchObject({ code: 10, document: { changes: [], readStatus: { playlist: 'incomplete' } } });
  }
});

test('a playlist without its list is not treated as an empty one', async () => {
  const project = await createTestProject(config({ playlists: { p1: { playlist: beams(1, 2) } } }), { seed: { playlist: [open] } });
  for (const item of [
    { id: 'live1', desc: 'p1' },
    { id: 'live1', desc: 'p1', playlist: null },
  ]) {
    project.emulator.setFaults([{ method: 'GET', path: PLAYLISTS, body: { items: [item], total_items: 1 } }]);
    expect(await project.plan()).toMatchObject({ code: 10, document: { changes: [], readStatus: { playlist: 'incomplete' } } });
  }
});
