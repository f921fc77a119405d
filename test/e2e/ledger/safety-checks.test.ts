/**
 * The safety checks that need state: suspicious reads, the limit on deletes, `protect`, and sources that are missing (design section
 * 4, rules 1 and 9).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/core/model/json.ts';
import { createGitProject, playlistId } from '../../support/git-project.ts';
import { API_KEY, OWNER } from '../../support/harness.ts';
import { liftOf } from '../../support/lifts.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';

const appliedProject = preparedOnce(async (count: number, target: string = '') => {
  const project = await createGitProject(config({ playlists: manyPlaylists(count), drm_policies: { premium: {} } }), { target });
  expect((await project.apply('--yes')).code).toBe(0);
  project.writes();
  return project;
});

describe('a suspicious read, which lacks over half of the applied objects,', () => {
  test('blocks every change of that kind, and --allow suspicious-read overrides it', async () => {
    const project = await appliedProject(4);
    for (const desc of ['p1', 'p2', 'p3']) project.editPlaylist(playlistId(project, desc), null);
    const { document } = await project.plan();
    expect(document.changes.map(({ blocked }) => blocked?.check)).toEqual(['suspicious-read', 'suspicious-read', 'suspicious-read']);
    expect(document.changes[0]?.blocked).toMatchObject({
      reason: 'the read is suspicious: 3 of 4 objects that were applied are gone',
      lift: { allow: 'suspicious-read' },
    });
    expect(await project.refused('apply', '--yes')).toMatchObject({ code: 4, document: { error: { code: 'blocked' } } });
    expect(project.writes()).toEqual([]);

    // A change that is left out keeps its binding, so the read stays suspicious.
    expect((await project.apply('--yes', '--skip-blocked')).code).toBe(4);
    expect(Object.keys(project.entries().at(-1)?.bindings ?? {})).toHaveLength(5);
    expect((await project.apply('--yes', '--allow', 'suspicious-read')).code).toBe(0);
    expect(project.playlists()).toHaveLength(4);
    expect((await project.plan('--detailed-exitcode')).code).toBe(0);
  });

  test('is not assumed of what nobody declares: a whole apply forgets it, and the next change is not blocked', async () => {
    const project = await appliedProject(6);
    for (const desc of ['p1', 'p2', 'p3', 'p4']) project.editPlaylist(playlistId(project, desc), null);
    const two = Object.fromEntries(Object.entries(manyPlaylists(6)).slice(4));
    declare(project, { playlists: two, drm_policies: { premium: {} } });
    project.commit();
    expect((await project.plan()).document.changes).toEqual([]);
    expect((await project.apply('--yes')).code).toBe(0);
    expect(Object.keys(project.entries().at(-1)?.bindings ?? {})).toEqual(['drm-policy/premium', 'playlist/p5', 'playlist/p6']);
    declare(project, { playlists: { ...two, p5: { playlist: beams(5, 1005), repeat: 3 } }, drm_policies: { premium: {} } });
    project.commit();
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/p5', blocked: null }]);
    expect((await project.apply('--yes')).code).toBe(0);
  });

  test('is not assumed where an apply was killed after most of its deletes', async () => {
    const project = await appliedProject(9);
    for (const desc of ['p1', 'p2', 'p3', 'p4', 'p5']) project.editPlaylist(playlistId(project, desc), null);
    declare(project, { playlists: Object.fromEntries(Object.entries(manyPlaylists(9)).slice(7)), drm_policies: { premium: {} } });
    project.commit();
    const { document } = await project.plan();
    expect(document.changes.map(({ address, action, blocked }) => [address, action, blocked])).toEqual([
      ['playlist/p6', 'delete', null],
      ['playlist/p7', 'delete', null],
    ]);
    expect((await project.apply('--yes')).code).toBe(0);
    expect(Object.keys(project.entries().at(-1)?.bindings ?? {})).toEqual(['drm-policy/premium', 'playlist/p8', 'playlist/p9']);
  });

  test('is assumed of policies, whose list has no count, also where nobody declares them', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const policies = (some: readonly string[]) => ({ drm_policies: Object.fromEntries(some.map((name) => [name, {}])) });
    const project = await createGitProject(config(policies(names)));
    expect((await project.apply('--yes')).code).toBe(0);
    const live = [project.live('drm-policy')].flat().filter(isJsonObject);
    for (const { _id, policy_name } of live)
      if (policy_name !== 'a') project.emulator.edit({ emulation: 'drm-policy', collection: 'policies', id: String(_id), document: null });
    declare(project, { drm_policies: { a: { fairplay: { hd: { hdcp_enforcement: 1 } } } } });
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'drm-policy/a', blocked: { check: 'suspicious-read' } }]);
  });

  test('is not assumed at exactly half, nor where the only object is missing', async () => {
    const project = await appliedProject(4);
    for (const desc of ['p1', 'p2']) project.editPlaylist(playlistId(project, desc), null);
    expect((await project.plan()).document.summary).toMatchObject({ create: 2, blocked: 0 });
    expect((await project.apply('--yes')).code).toBe(0);
  });
});

test('an account that reports another owner than last time is blocked', async () => {
  const other = 'fedcba9876543210fedcba9876543210';
  const accounts = [OWNER, other].map((owner) => ({ owner, apiKey: API_KEY }));
  const sections = { playlists: manyPlaylists(1), static_key: { scope: 'none' } };
  const project = await createGitProject(config(sections), { accounts });
  expect((await project.apply('--yes')).code).toBe(0);
  project.writes();
  const { code, stderr } = await project.runWith({ env: { UPKEEP_OWNER: other } }, 'apply', '--yes');
  expect([code, project.writes()]).toEqual([4, []]);
  expect(stderr.replace(/\s+/g, ' ')).toContain('the account answers with another owner than at the last apply');
  expect(stderr).not.toContain(other);
  expect(project.entries()).toHaveLength(1);
  const moved = ['apply', '--yes', '--allow', 'suspicious-read'] as const;
  expect((await project.runWith({ env: { UPKEEP_OWNER: other } }, ...moved)).code).toBe(0);
  expect(project.entries()[1]?.owner).not.toBe(project.entries()[0]?.owner);
});

test('--allow deletes=N allows at most N deletes', async () => {
  const project = await appliedProject(8, 'limits: { delete: { count: 1 } }');
  declare(project, { playlists: manyPlaylists(5), drm_policies: { premium: {} } });
  project.commit();
  expect((await project.plan()).document.changes.map(({ blocked }) => liftOf(blocked))).toEqual(Array(3).fill('--allow deletes=3'));
  expect(await project.run('apply', '--yes', '--allow', 'deletes=2')).toMatchObject({ code: 4 });
  expect(project.writes()).toEqual([]);
  expect(await project.apply('--yes', '--allow', 'deletes=3')).toMatchObject({ code: 0, document: { summary: { deleted: 3 } } });
});

test('`protect` blocks a delete and a `removed`, by the address that was applied', async () => {
  const project = await appliedProject(3, 'protect: ["playlist/p2", "playlist/p3"]');
  declare(project, { playlists: manyPlaylists(1), drm_policies: { premium: {} }, removed: ['playlist/p3'] });
  project.commit();
  expect((await project.plan()).document.changes.map(({ address, action, blocked }) => [address, action, blocked?.check])).toEqual([
    ['playlist/p2', 'delete', 'protect'],
    ['playlist/p3', 'forget', 'protect'],
  ]);
  expect((await project.run('apply', '--yes')).code).toBe(4);
  expect([project.playlists().length, project.entries().length]).toEqual([3, 1]);
});

test('a source folder that is missing or empty is an error, and does not delete everything', async () => {
  const project = await appliedProject(2);
  rmSync(join(project.folder, 'config/account.yaml'));
  project.write('config/notes.txt', 'moved elsewhere');
  project.commit();
  expect(await project.refused('apply', '--yes')).toMatchObject({ code: 8, document: { findings: [{ code: 'empty-source' }] } });
  rmSync(join(project.folder, 'config'), { recursive: true });
  project.commit();
  expect(await project.refused('apply', '--yes')).toMatchObject({ code: 8, document: { findings: [{ code: 'empty-source' }] } });
  expect([project.writes(), project.playlists().length]).toEqual([[], 2]);
});

test('observe writes, binds and forgets nothing, and drift still reports', async () => {
  const project = await appliedProject(2);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ledger: .*/, '$&\n    ownership: observe'));
  declare(project, { playlists: manyPlaylists(1), drm_policies: { premium: {} }, removed: ['playlist/p2'] });
  project.commit();
  project.editPlaylist(playlistId(project, 'p1'), { repeat: 4 });
  expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/p1', blocked: { check: 'observe' } }]);
  expect((await project.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
  expect([project.writes(), Object.keys(project.entries().at(-1)?.bindings ?? {})]).toEqual([
    [],
    ['drm-policy/premium', 'playlist/p1', 'playlist/p2'],
  ]);
  expect((await project.drift()).document.changes).toMatchObject([{ address: 'playlist/p1', blocked: null }]);
});

test('exclusive deletes undeclared objects, as drift', async () => {
  const project = await appliedProject(2, 'ownership: exclusive');
  const document = { id: 'x', desc: 'by hand', playlist: beams(7, 8) };
  project.emulator.edit({ emulation: 'playlist', collection: 'playlists', id: 'x', document });
  expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/~x', action: 'delete', origin: 'drift' }]);
  expect((await project.drift()).document.changes).toMatchObject([{ address: 'playlist/~x', action: 'create' }]);
  expect((await project.apply('--yes')).code).toBe(0);
  expect(project.playlists().map(({ desc }) => desc)).toEqual(['p1', 'p2']);
});
