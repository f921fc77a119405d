/** The origin of a difference: the repository, an edit by hand, or both (design sections 1 and 6). */
import { describe, expect, test } from 'vitest';
import { type GitStage, gitStage, playlistId } from '../../support/git-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';
import { originsByAddress } from './origins.ts';

/** Two playlists that were applied. */
async function appliedStage(target = ''): Promise<GitStage> {
  const set = await gitStage(config({ playlists: manyPlaylists(2) }), { target });
  expect((await set.apply('--yes')).code).toBe(0);
  set.writes();
  return set;
}

describe('a field edited by hand, and a pull request on another field of the same playlist', () => {
  async function bothStage(): Promise<GitStage> {
    const set = await appliedStage();
    set.editPlaylist(playlistId(set, 'p1'), { repeat: 7 });
    declare(set, { playlists: { ...manyPlaylists(2), p1: { active: 0, playlist: beams(1, 1001) } } });
    set.commit();
    return set;
  }

  test('are both shown, each with its origin', async () => {
    const set = await bothStage();
    const { document } = await set.plan();
    expect(originsByAddress(document.changes)).toEqual({ 'playlist/p1': ['both', '/active change', '/repeat drift'] });
    expect((await set.run('plan')).stdout).toContain('Origin: 0 from the repository, 0 by hand, 1 from both.');
  });

  test('are told apart by --only-origin change, which keeps the drift, and by --only-origin drift, which reverts it and leaves the change pending', async () => {
    const set = await bothStage();
    expect(await set.apply('--yes', '--only-origin', 'change')).toMatchObject({ code: 0, document: { verified: true } });
    expect(set.playlists()[0]).toMatchObject({ active: 0, repeat: 7 });
    expect(originsByAddress((await set.plan()).document.changes)).toEqual({ 'playlist/p1': ['drift', '/repeat drift'] });
    expect((await set.drift()).code).toBe(3);

    declare(set, { playlists: { ...manyPlaylists(2), p1: { active: 1, playlist: beams(1, 1001) } } });
    set.commit();
    expect((await set.apply('--yes', '--only-origin', 'drift')).code).toBe(0);
    expect(set.playlists()[0]).toMatchObject({ active: 0, repeat: 0 });
    expect(originsByAddress((await set.plan()).document.changes)).toEqual({ 'playlist/p1': ['change', '/active change'] });
    expect((await set.drift()).code).toBe(0);
  });

  test('are told apart by drift, which shows only the hand edit and the apply that it departs from', async () => {
    const set = await bothStage();
    const { code, document, stderr } = await set.drift();
    expect([code, originsByAddress(document.changes)]).toEqual([3, { 'playlist/p1': ['drift', '/repeat drift'] }]);
    expect(document.config?.commit).toBe(set.entries()[0]?.config.commit);
    expect(document.changes[0]?.fields).toMatchObject([{ path: '/repeat', before: 0, after: 7 }]);
    expect(stderr).toContain(`measured against the apply ${set.refs()['refs/upkeep/live']?.slice(0, 12)}`);
  });
});

test('--only-origin warns about a policy, which is sent whole, with the fields that cannot be left out', async () => {
  const policy = (lease: boolean) => ({ drm_policies: { premium: { fairplay: { lease, persistence: true } } } });
  const set = await gitStage(config(policy(false)), { target: 'loosening: allow' });
  expect((await set.apply('--yes')).code).toBe(0);
  const id = set.entries()[0]?.bindings['drm-policy/premium']?.id ?? '';
  set.emulator.edit({ emulation: 'drm-policy', collection: 'policies', id, merge: { fairplay: { lease: false, persistence: false } } });
  declare(set, policy(true));
  set.commit();
  const { document } = await set.plan('--only-origin', 'change');
  expect(document.changes).toMatchObject([
    {
      origin: 'both',
      fields: [
        { path: '/fairplay/lease', origin: 'change' },
        { path: '/fairplay/persistence', origin: 'drift' },
      ],
    },
  ]);
  expect(document.findings).toMatchObject([{ code: 'drift-overwritten', address: 'drm-policy/premium', file: 'config/account.yaml' }]);
  expect(document.findings[0]?.summary).toContain('/fairplay/persistence cannot be left alone');
});

test('a pull request that changes nothing shows no change, whatever happened to the account', async () => {
  const set = await appliedStage();
  set.editPlaylist(playlistId(set, 'p1'), { active: 0, desc: 'renamed by hand', playlist: beams(9, 8) });
  set.editPlaylist(playlistId(set, 'p2'), null);
  set.write('README.md', 'nothing of ours');
  set.commit();
  const { document } = await set.plan();
  expect(document.changes.map(({ address, action, origin }) => [address, action, origin])).toEqual([
    ['playlist/p1', 'update', 'drift'],
    ['playlist/p2', 'create', 'drift'],
  ]);
  expect(document.changes.flatMap(({ fields }) => fields).filter(({ origin }) => origin !== 'drift')).toEqual([]);
  expect((await set.drift()).document.changes.map(({ address, action }) => [address, action])).toEqual([
    ['playlist/p1', 'update'],
    ['playlist/p2', 'delete'],
  ]);
});

test('drift ignores pending changes, committed or not; an apply without changes advances the base', async () => {
  const set = await appliedStage();
  const before = set.entries()[0]?.config.commit;
  declare(set, { playlists: { p1: { active: 0, playlist: beams(1, 1001) }, p3: { playlist: beams(3, 4) } } });
  expect(await set.drift()).toMatchObject({ code: 0, document: { changes: [], config: { commit: before } } });
  set.commit();
  expect(await set.drift()).toMatchObject({ code: 0, document: { changes: [], config: { commit: before } } });

  declare(set, { playlists: manyPlaylists(2) });
  const commit = set.commit();
  expect(await set.apply()).toMatchObject({ code: 0, document: { outcomes: [] } });
  expect(set.entries().map(({ config: { commit: at } }) => at)).toEqual([before, commit]);
  expect((await set.drift()).document.config?.commit).toBe(commit);
});

describe('a change that an apply left out', () => {
  test('keeps the earlier commit as its base after --only', async () => {
    const set = await appliedStage();
    const first = set.entries()[0]?.config.commit;
    const changed = (repeat: number) => ({ playlists: manyPlaylists(2, { repeat }) });
    declare(set, changed(2));
    set.commit();
    expect((await set.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect(set.entries()[1]).toMatchObject({ pendingSince: { 'playlist/p2': first } });
    expect(originsByAddress((await set.plan()).document.changes)).toEqual({ 'playlist/p2': ['change', '/repeat change'] });
    expect((await set.drift()).code).toBe(0);

    set.editPlaylist(playlistId(set, 'p2'), { active: 0 });
    expect(originsByAddress((await set.plan()).document.changes)).toEqual({ 'playlist/p2': ['both', '/active drift', '/repeat change'] });
    expect((await set.drift()).document.changes).toMatchObject([{ address: 'playlist/p2', fields: [{ path: '/active' }] }]);
    expect((await set.apply('--yes')).code).toBe(0);
    expect(set.entries()[2]).toMatchObject({ pendingSince: {} });
  });

  test('keeps the earlier commit as its base after it was blocked and skipped', async () => {
    const set = await appliedStage('protect: [playlist/p2]');
    const first = set.entries()[0]?.config.commit;
    declare(set, { playlists: manyPlaylists(1, { repeat: 2 }) });
    set.commit();
    expect(await set.apply('--yes', '--skip-blocked')).toMatchObject({ code: 4, document: { summary: { updated: 1, skipped: 1 } } });
    expect(set.entries()[1]).toMatchObject({ pendingSince: { 'playlist/p2': first }, bindings: { 'playlist/p2': {} } });
    expect((await set.plan()).document.changes).toMatchObject([{ address: 'playlist/p2', action: 'delete', origin: 'change' }]);
    expect((await set.drift()).code).toBe(0);
  });

  test('at the very first apply counts as never declared before', async () => {
    const set = await gitStage(config({ playlists: manyPlaylists(2) }));
    expect((await set.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect((await set.plan()).document.changes).toMatchObject([{ address: 'playlist/p2', action: 'create', origin: 'change' }]);
    expect((await set.drift()).code).toBe(0);
  });

  test('after a dirty apply is compared with the current configuration, as no commit is known', async () => {
    const set = await gitStage(config({ playlists: manyPlaylists(1) }));
    declare(set, { playlists: manyPlaylists(2) });
    expect((await set.apply('--yes', '--allow', 'dirty')).code).toBe(0);
    expect(set.entries()[0]?.config.commit).toBeNull();
    declare(set, { playlists: manyPlaylists(2, { repeat: 2 }) });
    set.commit();
    expect((await set.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect(set.entries()[1]?.pendingSince).toEqual({ 'playlist/p2': null });
    expect(originsByAddress((await set.plan()).document.changes)).toEqual({ 'playlist/p2': ['unknown', '/repeat unknown'] });
    expect((await set.drift()).document.changes).toMatchObject([{ address: 'playlist/p2', action: 'update', origin: 'unknown' }]);
  });
});
