/** A plan that is made in one clone and applied in another, and what may be applied at all (design sections 4 and 6). */
import { describe, expect, test } from 'vitest';
import { asPlan } from '../../support/documents.ts';
import { type Clone, type GitStage, gitStage, playlistId } from '../../support/git-project.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

/** Two playlists applied; a pull request on both, planned in a first clone, and a second clone that is a commit ahead. */
async function plannedStage(): Promise<{ set: GitStage; other: Clone }> {
  const set = await gitStage(config({ playlists: manyPlaylists(2) }));
  expect((await set.apply('--yes')).code).toBe(0);
  declare(set, { playlists: { ...manyPlaylists(2, { repeat: 2 }), ...{} } });
  set.commit();
  const other = set.clone();
  expect((await set.run('plan', '--out', `json=${other.folder}/../plan.json`)).code).toBe(0);
  other.write('config/more.yaml', JSON.stringify({ playlists: { p9: manyPlaylists(9).p9 ?? null } }));
  other.commit();
  set.writes();
  return { set, other };
}

const SAVED = ['apply', '--plan', '../plan.json'] as const;

test('a saved plan is applied from another commit in another clone, and nothing else is', async () => {
  const { set, other } = await plannedStage();
  const { code, stdout, stderr } = await other.run(...SAVED);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Apply: 2 updated.');
  expect(stderr).toContain('not in the saved plan, and not applied: playlist/p9');
  expect(set.playlists().map(({ repeat }) => repeat)).toEqual([2, 2]);
  expect(set.entries()[1]).toMatchObject({
    config: { commit: other.git('rev-parse', 'HEAD') },
    pendingSince: { 'playlist/p9': set.entries()[0]?.config.commit },
  });
  expect((await other.plan()).document.changes).toMatchObject([{ address: 'playlist/p9', action: 'create', origin: 'change' }]);
});

test('a saved plan is refused when one of its changes differs on the account or in the repository, and when it was edited', async () => {
  const { set, other } = await plannedStage();
  const stale = async (...texts: readonly string[]) => {
    const { code, document } = await other.refused(...SAVED);
    expect([code, document.error.code]).toEqual([6, 'stale-plan']);
    for (const text of texts) expect(document.error.summary).toContain(text);
  };
  const plan = asPlan(JSON.parse(other.read('../plan.json')));
  other.write('../plan.json', JSON.stringify({ ...plan, changes: plan.changes.slice(1) }));
  await stale('does not match its own fingerprint');
  other.write('../plan.json', JSON.stringify(plan));

  set.editPlaylist(playlistId(set, 'p1'), { repeat: 9 });
  await stale('playlist/p1: /repeat planned 0 -> 2, now 9 -> 2');
  set.editPlaylist(playlistId(set, 'p1'), { repeat: 0 });

  declare(other as GitStage, { playlists: { ...manyPlaylists(2, { repeat: 2 }), p2: { ...Object(manyPlaylists(2).p2), repeat: 3 } } });
  other.commit();
  await stale('playlist/p2: /repeat planned 0 -> 2, now 0 -> 3');
  expect([set.writes(), set.entries().length, Object.keys(set.refs())]).toEqual([[], 1, ['refs/upkeep/live']]);
});

describe('apply', () => {
  test('refuses a dirty work tree, unless --allow dirty, which is recorded without its commit', async () => {
    const set = await gitStage(config({ playlists: manyPlaylists(1) }));
    set.write('config/more.yaml', 'drm_policies: {}\n');
    expect(await set.refused('apply', '--yes')).toMatchObject({ code: 4, document: { error: { code: 'dirty' } } });
    expect(set.refs()).toEqual({});
    expect((await set.plan()).document.config).toMatchObject({ dirty: true });
    expect((await set.apply('--yes', '--allow', 'dirty')).code).toBe(0);
    expect(set.entries()).toMatchObject([{ config: { commit: null } }]);
  });

  test('does not count files of upkeep or reports in the folder as dirty', async () => {
    const set = await gitStage(config({ playlists: manyPlaylists(1) }));
    set.write('.upkeep/anything', 'x');
    await set.plan('--out', 'json=plan.json');
    expect((await set.apply('--plan', 'plan.json')).code).toBe(0);
    expect(set.entries()).toMatchObject([{ config: { commit: set.git('rev-parse', 'HEAD') } }]);
  });

  test("refuses a commit that is not on the target's branch of the remote", async () => {
    const set = await gitStage(config({ playlists: manyPlaylists(1) }), { target: 'branch: main' });
    set.git('checkout', '-q', '-b', 'feature');
    declare(set, { playlists: manyPlaylists(2) });
    set.git('add', '-A');
    set.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '-m', 'not merged');
    const { code, document } = await set.refused('apply', '--yes');
    expect([code, document.error.code, document.error.summary]).toEqual([4, 'not-on-branch', expect.stringContaining('origin/main')]);
    expect((await set.plan()).code).toBe(0);
    set.git('push', '-q', 'origin', 'HEAD:main');
    expect((await set.apply('--yes')).code).toBe(0);
  });
});

test('a shallow clone on a detached HEAD, and a worktree, support all commands', async () => {
  const set = await gitStage(config({ playlists: manyPlaylists(1) }));
  declare(set, { playlists: manyPlaylists(2) });
  set.commit();
  const shallow = set.clone('--depth=1');
  shallow.git('checkout', '-q', '--detach');
  expect((await shallow.apply('--yes')).code).toBe(0);
  set.editPlaylist(playlistId(set, 'p1'), { repeat: 3 });
  expect((await shallow.drift()).document.changes).toMatchObject([{ address: 'playlist/p1', origin: 'drift' }]);
  expect(shallow.git('status', '--porcelain')).toBe('');
  expect(shallow.git('for-each-ref', 'refs/upkeep')).toBe('');

  const tree = set.clone();
  tree.git('worktree', 'add', '-q', '--detach', '../tree');
  expect(await tree.runWith({ cwd: `${tree.folder}/../tree` }, 'drift')).toMatchObject({ code: 3 });
  expect(await tree.runWith({ cwd: `${tree.folder}/../tree` }, 'apply', '--yes')).toMatchObject({ code: 0 });
  expect(set.entries()).toHaveLength(2);
});
