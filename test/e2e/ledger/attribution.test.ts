/** The origin of a difference: the repository, an edit by hand, or both (design sections 1 and 6). */
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';
import { originsByAddress } from './origins.ts';

/** Two playlists that were applied. */
const appliedProject = preparedOnce(async (target: string = '') => {
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }), { target });
  expect((await project.apply('--yes')).code).toBe(0);
  project.writes();
  return project;
});

describe('a field edited by hand, and a pull request on another field of the same playlist', () => {
  async function bothProject(): Promise<GitProject> {
    const project = await appliedProject();
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 7 });
    declare(project, { playlists: { ...manyPlaylists(2), p1: { active: 0, playlist: beams(1, 1001) } } });
    project.commit();
    return project;
  }

  test('are both shown, each with its origin', async () => {
    const project = await bothProject();
    const { document } = await project.plan();
    expect(originsByAddress(document.changes)).toEqual({ 'playlist/p1': ['both', '/active change', '/repeat drift'] });
    expect((await project.run('plan')).stdout).toContain('Origin: 0 from the repository, 0 by hand, 1 from both.');
  });

  test('are told apart by --only-origin change, which keeps the drift, and by --only-origin drift, which reverts it and leaves the change pending', async () => {
    const project = await bothProject();
    expect(await project.apply('--yes', '--only-origin', 'change')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.playlists()[0]).toMatchObject({ active: 0, repeat: 7 });
    expect(originsByAddress((await project.plan()).document.changes)).toEqual({ 'playlist/p1': ['drift', '/repeat drift'] });
    expect((await project.drift()).code).toBe(3);
    const { stdout } = await project.run('plan', '--only-origin', 'change');
    expect(stdout).toMatch(/^Nothing to do in what was looked at\.\nWhat was done by hand to 1 resource is left out by/);
    expect(stdout).not.toContain('matches the repository');

    declare(project, { playlists: { ...manyPlaylists(2), p1: { active: 1, playlist: beams(1, 1001) } } });
    project.commit();
    expect((await project.apply('--yes', '--only-origin', 'drift')).code).toBe(0);
    expect(project.playlists()[0]).toMatchObject({ active: 0, repeat: 0 });
    expect(originsByAddress((await project.plan()).document.changes)).toEqual({ 'playlist/p1': ['change', '/active change'] });
    expect((await project.drift()).code).toBe(0);
  });

  test('are told apart by drift, which shows only the hand edit and the apply that it departs from', async () => {
    const project = await bothProject();
    const { code, document, stderr } = await project.drift();
    expect([code, originsByAddress(document.changes)]).toEqual([3, { 'playlist/p1': ['drift', '/repeat drift'] }]);
    expect(document.config?.commit).toBe(project.entries()[0]?.config.commit);
    expect(document.changes[0]?.fields).toMatchObject([{ path: '/repeat', before: 0, after: 7 }]);
    expect(stderr).toContain(`measured against the apply ${project.refs()['refs/upkeep/live']?.slice(0, 12)}`);
  });
});

test('--only-origin warns about a policy, which is sent whole, with the fields that cannot be left out', async () => {
  const policy = (lease: boolean) => ({ drm_policies: { premium: { fairplay: { lease, persistence: true } } } });
  const project = await createGitProject(config(policy(false)), { target: 'weakening: allow' });
  expect((await project.apply('--yes')).code).toBe(0);
  const id = project.entries()[0]?.bindings['drm-policy/premium']?.id ?? '';
  project.emulator.edit({ emulation: 'drm-policy', collection: 'policies', id, merge: { fairplay: { lease: false, persistence: false } } });
  declare(project, policy(true));
  project.commit();
  const { document } = await project.plan('--only-origin', 'change');
  expect(document.changes).toMatchObject([
    {
      origin: 'both',
      fields: [
        { path: '/fairplay/lease', origin: 'change' },
        { path: '/fairplay/persistence', origin: 'drift' },
      ],
    },
  ]);
  expect(document.findings).toMatchObject([{ code: 'sent-whole', address: 'drm-policy/premium', file: 'config/account.yaml' }]);
  expect(document.findings[0]?.summary).toContain('/fairplay/persistence cannot be left alone');
});

test('a pull request that changes nothing shows no change, whatever happened to the account', async () => {
  const project = await appliedProject();
  project.editPlaylist(playlistId(project, 'p1'), { active: 0, desc: 'renamed by hand', playlist: beams(9, 8) });
  project.editPlaylist(playlistId(project, 'p2'), null);
  project.write('README.md', 'nothing of ours');
  project.commit();
  const { document } = await project.plan();
  expect(document.changes.map(({ address, action, origin }) => [address, action, origin])).toEqual([
    ['playlist/p1', 'update', 'drift'],
    ['playlist/p2', 'create', 'drift'],
  ]);
  expect(document.changes.flatMap(({ fields }) => fields).filter(({ origin }) => origin !== 'drift')).toEqual([]);
  expect((await project.drift()).document.changes.map(({ address, action }) => [address, action])).toEqual([
    ['playlist/p1', 'update'],
    ['playlist/p2', 'delete'],
  ]);
});

test('drift ignores pending changes, committed or not; an apply without changes advances the base', async () => {
  const project = await appliedProject();
  const before = project.entries()[0]?.config.commit;
  declare(project, { playlists: { p1: { active: 0, playlist: beams(1, 1001) }, p3: { playlist: beams(3, 4) } } });
  expect(await project.drift()).toMatchObject({ code: 0, document: { changes: [], config: { commit: before } } });
  project.commit();
  expect(await project.drift()).toMatchObject({ code: 0, document: { changes: [], config: { commit: before } } });

  declare(project, { playlists: manyPlaylists(2) });
  const commit = project.commit();
  expect(await project.apply()).toMatchObject({ code: 0, document: { outcomes: [] } });
  expect(project.entries().map(({ config: { commit: at } }) => at)).toEqual([before, commit]);
  expect((await project.drift()).document.config?.commit).toBe(commit);
});

describe('a change that an apply left out', () => {
  test('keeps the earlier commit as its base after --only', async () => {
    const project = await appliedProject();
    const first = project.entries()[0]?.config.commit;
    const changed = (repeat: number) => ({ playlists: manyPlaylists(2, { repeat }) });
    declare(project, changed(2));
    project.commit();
    expect((await project.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect(project.entries()[1]).toMatchObject({ pendingSince: { 'playlist/p2': first } });
    expect(originsByAddress((await project.plan()).document.changes)).toEqual({ 'playlist/p2': ['change', '/repeat change'] });
    expect((await project.drift()).code).toBe(0);

    project.editPlaylist(playlistId(project, 'p2'), { active: 0 });
    expect(originsByAddress((await project.plan()).document.changes)).toEqual({
      'playlist/p2': ['both', '/active drift', '/repeat change'],
    });
    expect((await project.drift()).document.changes).toMatchObject([{ address: 'playlist/p2', fields: [{ path: '/active' }] }]);
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries()[2]).toMatchObject({ pendingSince: {} });
  });

  test('keeps the earlier commit as its base after it was blocked and skipped', async () => {
    const project = await appliedProject('protect: [playlist/p2]');
    const first = project.entries()[0]?.config.commit;
    declare(project, { playlists: manyPlaylists(1, { repeat: 2 }) });
    project.commit();
    expect(await project.apply('--yes', '--skip-blocked')).toMatchObject({ code: 4, document: { summary: { updated: 1, skipped: 1 } } });
    expect(project.entries()[1]).toMatchObject({ pendingSince: { 'playlist/p2': first }, bindings: { 'playlist/p2': {} } });
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/p2', action: 'delete', origin: 'change' }]);
    expect((await project.drift()).code).toBe(0);
  });

  test('at the very first apply counts as never declared before', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    expect((await project.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/p2', action: 'create', origin: 'change' }]);
    expect((await project.drift()).code).toBe(0);
  });

  test('after a dirty apply is compared with the current configuration, as no commit is known', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    declare(project, { playlists: manyPlaylists(2) });
    expect((await project.apply('--yes', '--allow', 'dirty')).code).toBe(0);
    expect(project.entries()[0]?.config.commit).toBeNull();
    declare(project, { playlists: manyPlaylists(2, { repeat: 2 }) });
    project.commit();
    expect((await project.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect(project.entries()[1]?.pendingSince).toEqual({ 'playlist/p2': null });
    expect(originsByAddress((await project.plan()).document.changes)).toEqual({ 'playlist/p2': ['unknown', '/repeat unknown'] });
    expect((await project.drift()).document.changes).toMatchObject([{ address: 'playlist/p2', action: 'update', origin: 'unknown' }]);
  });
});
