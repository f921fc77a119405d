/** A plan that is made in one clone and applied in another, and what may be applied at all (design sections 4 and 6). */
import { describe, expect, test } from 'vitest';
import { asPlan } from '../../support/documents.ts';
import { type Clone, createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

/** Two playlists applied; a pull request on both, planned in a first clone, and a second clone that is a commit ahead. */
async function plannedProject(): Promise<{ project: GitProject; other: Clone }> {
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
  expect((await project.apply('--yes')).code).toBe(0);
  declare(project, { playlists: { ...manyPlaylists(2, { repeat: 2 }), ...{} } });
  project.commit();
  const other = project.clone();
  expect((await project.run('plan', '--out', `json=${other.folder}/../plan.json`)).code).toBe(0);
  other.write('config/more.yaml', JSON.stringify({ playlists: { p9: manyPlaylists(9).p9 ?? null } }));
  other.commit();
  project.writes();
  return { project, other };
}

const SAVED = ['apply', '--plan', '../plan.json'] as const;

test('a saved plan is applied from another commit in another clone, and nothing else is', async () => {
  const { project, other } = await plannedProject();
  const { code, stdout, stderr } = await other.run(...SAVED);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Apply: 2 updated.');
  const [planned, applied] = [project, other].map((clone) => clone.git('rev-parse', '--short=12', 'HEAD'));
  expect(stdout).toContain(`Planned at ${planned}, applied at ${applied}.`);
  expect(stderr).toContain('not in the saved plan, and not applied: playlist/p9');
  expect(project.playlists().map(({ repeat }) => repeat)).toEqual([2, 2]);
  expect(project.entries()[1]).toMatchObject({
    config: { commit: other.git('rev-parse', 'HEAD') },
    pendingSince: { 'playlist/p9': project.entries()[0]?.config.commit },
  });
  expect((await other.plan()).document.changes).toMatchObject([{ address: 'playlist/p9', action: 'create', origin: 'change' }]);
});

test('a saved plan is refused when one of its changes differs on the account or in the repository, and when it was edited', async () => {
  const { project, other } = await plannedProject();
  const stale = async (...texts: readonly string[]) => {
    const { code, document } = await other.refused(...SAVED);
    expect([code, document.error.code]).toEqual([6, 'stale-plan']);
    for (const text of texts) expect(document.error.summary).toContain(text);
  };
  const plan = asPlan(JSON.parse(other.read('../plan.json')));
  other.write('../plan.json', JSON.stringify({ ...plan, changes: plan.changes.slice(1) }));
  await stale('does not match its own fingerprint');
  other.write('../plan.json', JSON.stringify(plan));

  project.editPlaylist(playlistId(project, 'p1'), { repeat: 9 });
  await stale('playlist/p1: /repeat planned 0 -> 2, now 9 -> 2');
  project.editPlaylist(playlistId(project, 'p1'), { repeat: 0 });

  declare(other as GitProject, { playlists: { ...manyPlaylists(2, { repeat: 2 }), p2: { ...Object(manyPlaylists(2).p2), repeat: 3 } } });
  other.commit();
  await stale('playlist/p2: /repeat planned 0 -> 2, now 0 -> 3');
  expect([project.writes(), project.entries().length, Object.keys(project.refs())]).toEqual([[], 1, ['refs/upkeep/live']]);
});

describe('apply', () => {
  test('waits where the work tree is dirty, unless --allow dirty, which is recorded without its commit', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    project.write('config/more.yaml', 'drm_policies: {}\n');
    expect(await project.refused('apply', '--yes')).toMatchObject({ code: 4, document: { error: { code: 'dirty' } } });
    expect(project.refs()).toEqual({});
    expect((await project.plan()).document.config).toMatchObject({ dirty: true });
    expect((await project.apply('--yes', '--allow', 'dirty')).code).toBe(0);
    expect(project.entries()).toMatchObject([{ config: { commit: null } }]);
  });

  test('does not count files of upkeep or reports in the folder as dirty', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    project.write('.upkeep/anything', 'x');
    await project.plan('--out', 'json=plan.json');
    expect((await project.apply('--plan', 'plan.json')).code).toBe(0);
    expect(project.entries()).toMatchObject([{ config: { commit: project.git('rev-parse', 'HEAD') } }]);
  });

  test("waits where the commit is not on the target's branch of the remote", async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }), { target: 'branch: main' });
    project.git('checkout', '-q', '-b', 'feature');
    declare(project, { playlists: manyPlaylists(2) });
    project.git('add', '-A');
    project.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '-m', 'not merged');
    const { code, document } = await project.refused('apply', '--yes');
    expect([code, document.error.code, document.error.summary]).toEqual([4, 'not-on-branch', expect.stringContaining('origin/main')]);
    expect((await project.plan()).code).toBe(0);
    project.git('push', '-q', 'origin', 'HEAD:main');
    expect((await project.apply('--yes')).code).toBe(0);
  });
});

test('a shallow clone on a detached HEAD, and a worktree, support all commands', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  declare(project, { playlists: manyPlaylists(2) });
  project.commit();
  const shallow = project.clone('--depth=1');
  shallow.git('checkout', '-q', '--detach');
  expect((await shallow.apply('--yes')).code).toBe(0);
  project.editPlaylist(playlistId(project, 'p1'), { repeat: 3 });
  expect((await shallow.drift()).document.changes).toMatchObject([{ address: 'playlist/p1', origin: 'drift' }]);
  expect(shallow.git('status', '--porcelain')).toBe('');
  expect(shallow.git('for-each-ref', 'refs/upkeep')).toBe('');

  const tree = project.clone();
  tree.git('worktree', 'add', '-q', '--detach', '../tree');
  expect(await tree.runWith({ cwd: `${tree.folder}/../tree` }, 'drift')).toMatchObject({ code: 3 });
  expect(await tree.runWith({ cwd: `${tree.folder}/../tree` }, 'apply', '--yes')).toMatchObject({ code: 0 });
  expect(project.entries()).toHaveLength(2);
});
