/** An apply that is killed among its creates, an `unlock` elsewhere, a commit that changes one of them, and an apply by another runner. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { type Clone, createGitProject, type GitProject } from '../../support/git-project.ts';
import { runAndKill } from '../../support/kill.ts';
import { atMost } from '../../support/patience.ts';
import { startProxy } from '../../support/proxy.ts';
import { beams, config, declare } from '../accounts.ts';

const TOTAL = 40;
const FIRST: JsonObject = { playlists: { first: { playlist: beams(1) } } };

function declaration(changes: JsonObject = {}): JsonObject {
  const added = Array.from({ length: TOTAL }, (_, index) => [`p${10 + index}`, { playlist: beams(100 + index, 200 + index) }]);
  return { playlists: { ...Object.fromEntries(added), first: { playlist: beams(1) }, ...changes } };
}

/** Kills the apply of 40 creates, unlocks in another clone, and returns the names of what was created and that clone. */
async function interrupt(project: GitProject): Promise<{ readonly created: readonly string[]; readonly other: Clone }> {
  const proxy = await startProxy();
  try {
    proxy.target = project.emulator.url;
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(project.emulator.url, proxy.url));
    declare(project, declaration());
    project.commit();
    project.git('push', '-q', 'origin', 'HEAD');
    const before = new Set(project.playlists().map(({ desc }) => String(desc)));
    const { document } = await project.plan();
    expect(document.summary.create).toBeGreaterThanOrEqual(TOTAL);
    const at = { nth: document.cost.reads + 12, boundary: 'after' } as const;
    expect(await runAndKill({ folder: project.folder, env: project.env, argv: ['apply', '--yes'] }, proxy, at)).toBe(true);
    const created = project.playlists().flatMap(({ desc }) => (before.has(String(desc)) ? [] : [String(desc)]));
    expect(created.length).toBeGreaterThan(4);
    expect(created.length).toBeLessThan(TOTAL);

    const other = project.clone();
    other.write('upkeep.yaml', project.read('upkeep.yaml').replace(proxy.url, project.emulator.url));
    other.commit();
    const refused = await other.run('apply', '--yes');
    const [, id = ''] = /unlock --target live --id ([0-9a-f]+)/.exec(refused.stderr) ?? [];
    expect((await other.run('unlock', '--id', id)).code).toBe(0);
    return { created, other };
  } finally {
    await proxy.close();
  }
}

function descs(project: GitProject): readonly string[] {
  return project
    .playlists()
    .map(({ desc }) => String(desc))
    .sort();
}

describe.each([
  ['by the first apply of all', null],
  ['in a section that was managed completely', FIRST],
] as const)('what a killed apply created %s', (_, first) => {
  const start = async (): Promise<GitProject> => {
    const project = await createGitProject(config(first ?? { playlists: {} }));
    if (first) expect((await project.apply('--yes')).code).toBe(0);
    return project;
  };

  test('is changed by a later commit of another runner: nothing is blocked, nothing is there twice', {
    timeout: atMost(60_000),
  }, async () => {
    const project = await start();
    const { created, other } = await interrupt(project);
    const [changed = ''] = created.filter((name) => name !== 'first');
    declare(other, declaration({ [changed]: { repeat: 3, playlist: beams(100, 300) } }));
    other.commit();
    const next = await other.apply('--yes');
    expect(next).toMatchObject({ code: 0, document: { verified: true, summary: { updated: 1, failed: 0, skipped: 0 } } });
    expect(next.stderr).toContain('was interrupted; objects that equal its configuration count as created by it');
    expect(descs(project)).toEqual(Object.keys(Object(declaration().playlists)).sort());
    const [killed, entry] = project.entries().slice(-2);
    expect(killed).toMatchObject({ fingerprint: null, interrupted: [expect.stringMatching(/^[0-9a-f]{40}$/)] });
    expect(entry).not.toHaveProperty('interrupted');
    const origins = new Set(Object.values(entry?.bindings ?? {}).map(({ origin }) => origin));
    expect([Object.keys(entry?.bindings ?? {}).length, [...origins]]).toEqual([TOTAL + 1, ['created']]);
    expect((await other.plan()).document.changes).toEqual([]);
    const history = await other.run('history');
    expect(history.stdout).toMatch(/interrupted/);
  });

  test('is deleted when the next commit declares it no more', { timeout: atMost(60_000) }, async () => {
    const project = await start();
    const { created, other } = await interrupt(project);
    declare(other, first ?? { playlists: {} });
    other.commit();
    const { document } = await other.plan('--allow', `deletes=${created.length}`);
    const deleted = document.changes.map(({ action, address }) => `${action} ${address}`);
    expect(deleted.sort()).toEqual(created.map((name) => `delete playlist/${name}`).sort());
  });
});

test('a killed apply of another project is not recorded, whoever unlocks, and does not take the ledger', async () => {
  const project = await createGitProject(config(FIRST), { isSeparate: false });
  const lock = (name: string) => {
    const configuration = { commit: project.git('rev-parse', 'HEAD'), digest: `sha256:${'0'.repeat(64)}`, snapshot: null };
    project.write('lock.json', JSON.stringify({ schemaVersion: 1, target: 'live', project: name, by: 'ada', configuration }));
    const rows = `100644 blob ${project.git('hash-object', '-w', 'lock.json')}\tlock.json\n`;
    const tree = execFileSync('git', ['mktree'], { cwd: project.folder, env: project.env, input: rows }).toString().trim();
    const commit = project.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit-tree', '-m', name, tree);
    project.git('push', '-q', 'origin', `${commit}:refs/upkeep/locks/live`);
    return commit.slice(0, 12);
  };
  // Of the first apply, the lock tells whose it is.
  expect((await project.run('unlock', '--id', lock('elsewhere'))).code).toBe(0);
  expect(project.entries()).toMatchObject([{ project: 'elsewhere', fingerprint: null }]);
  expect(await project.refused('plan')).toMatchObject({ code: 8, document: { error: { code: 'other-project' } } });
  // In a ledger with entries, another project records nothing.
  expect((await project.run('unlock', '--id', lock('.'))).code).toBe(0);
  expect([project.entries().length, Object.keys(project.refs())]).toEqual([1, ['refs/upkeep/live']]);
});

test('an entry that names very many commits that nobody has takes ten look-ups of each sort', { timeout: atMost(60_000) }, async () => {
  const project = await createGitProject(config(FIRST), { isSeparate: false });
  expect((await project.apply('--yes')).code).toBe(0);
  const commits = Array.from({ length: 30 }, (_, index) => index.toString(16).padStart(40, 'a'));
  const pendingSince = Object.fromEntries(commits.map((commit, index) => [`playlist/p${index}`, commit.replaceAll('a', 'b')]));
  const [last] = project.entries();
  project.write('entry.json', JSON.stringify({ ...last, interrupted: [...commits, ...commits], pendingSince }));
  const rows = `100644 blob ${project.git('hash-object', '-w', 'entry.json')}\tentry.json\n`;
  const tree = execFileSync('git', ['mktree'], { cwd: project.folder, env: project.env, input: rows }).toString().trim();
  const commit = project.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit-tree', '-m', 'x', tree);
  project.git('push', '-q', '--force', 'origin', `${commit}:refs/upkeep/live`);
  const { stderr } = await project.run('plan');
  expect(stderr.match(/the apply of a\S+ was interrupted, and its configuration cannot be read/g)).toHaveLength(10);
  expect(stderr).toContain('20 earlier applies were interrupted, too');
  expect(stderr.match(/commit b\S+ is not here/g)).toHaveLength(10);
});
