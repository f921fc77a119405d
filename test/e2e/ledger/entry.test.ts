/** The record of an apply: saved and pushed later where the remote refuses it, and never with a secret (design sections 4 and 6). */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitProject } from '../../support/git-project.ts';
import { API_KEY, OWNER } from '../../support/harness.ts';
import { readLocalFileOf } from '../../support/local-files.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

describe('an apply whose record the remote refuses', () => {
  const REFUSING = 'case "$1" in refs/upkeep/locks/*) exit 0;; refs/upkeep/*) echo "no records today" >&2; exit 1;; esac';

  test('reports it, exits 5 and saves the entry; the next run pushes it, and nothing is done twice', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    project.hook('update', REFUSING);
    const { code, stderr, document } = await project.apply('--yes');
    expect([code, document.summary.created]).toEqual([5, 2]);
    expect(stderr).toMatch(/^error: the apply to live was made, but could not be recorded: .*no records today/m);
    expect(stderr).toContain('the entry is kept in the git directory of this clone');
    expect(project.refs()).toEqual({});
    const savedRecord = readLocalFileOf(project.folder, 'pending.json') ?? '';
    expect([savedRecord.includes('playlist/p2'), savedRecord.includes(API_KEY), savedRecord.includes(OWNER)]).toEqual([true, false, false]);
    expect(project.git('status', '--porcelain')).toBe('');
    project.writes();

    // Until it is healed, it counts here.
    declare(project, { playlists: manyPlaylists(1) });
    project.commit();
    const planned = await project.plan();
    expect(planned.document.changes).toMatchObject([{ address: 'playlist/p2', action: 'delete', origin: 'change' }]);
    expect(planned.stderr).toContain('warning: the entry of the last apply to live is not in the ledger yet');
    expect(await project.run('apply', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the entry of an earlier apply still cannot be pushed, so nothing was started'),
    });
    expect([project.writes(), project.refs()]).toEqual([[], {}]);

    project.hook('update', null);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { deleted: 1, created: 0, adopted: 0 } } });
    expect(project.entries().map(({ summary: { created, deleted } }) => [created, deleted])).toEqual([
      [2, 0],
      [0, 1],
    ]);
    expect(readLocalFileOf(project.folder, 'pending.json')).toBeNull();
    expect(Object.keys(project.refs())).toEqual(['refs/upkeep/live']);
  });

  test('and another apply from elsewhere meanwhile are both in the ledger in the end', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    const other = project.clone();
    project.hook('update', REFUSING);
    expect((await project.apply('--yes')).code).toBe(5);
    project.hook('update', null);
    expect(await other.apply('--yes', '--allow', 'first-apply')).toMatchObject({ code: 0, document: { summary: { adopted: 1 } } });
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries().map(({ summary: { created, adopted } }) => [created, adopted])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(Object.keys(project.entries()[1]?.bindings ?? {})).toEqual(['playlist/p1']);
    expect((await project.plan('--detailed-exitcode')).code).toBe(0);
  });
});

test('no hook of the local repository runs in an apply with a ledger', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  project.git('config', '--add', 'remote.origin.fetch', '+refs/upkeep/*:refs/remotes/ledger/*');
  for (const name of ['reference-transaction', 'pre-push', 'post-index-change', 'pre-commit']) {
    writeFileSync(join(project.folder, '.git/hooks', name), '#!/bin/sh\ntouch hook-ran\nexit 1\n', { mode: 0o755 });
  }
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 1 } } });
  expect((await project.run('history')).code).toBe(0);
  expect([project.entries().length, ...['hook-ran', '.git/hook-ran'].map((file) => existsSync(join(project.folder, file)))]).toEqual([
    1,
    false,
    false,
  ]);
});

test('ledger, lock and the records in the git directory contain no secret', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1), drm_policies: { premium: {} } }));
  const objects = () => {
    const [all] = [
      execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], { cwd: project.ledger, env: project.env }).toString(),
    ];
    return all;
  };
  let hookOutput = '';
  async function* yes() {
    hookOutput = objects();
    yield 'yes\n';
  }
  project.hook('update', 'case "$1" in refs/upkeep/locks/*) exit 0;; *) exit 1;; esac');
  expect((await project.runWith({ terminal: true, stdin: yes() }, 'apply')).code).toBe(5);
  const savedRecord = readdirSync(join(project.folder, '.git/upkeep'), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const files = savedRecord.map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
  project.hook('update', null);
  expect((await project.run('apply')).code).toBe(0);
  expect(hookOutput).toContain('"since"');
  expect(objects()).toContain('"bindings"');
  for (const text of [hookOutput, objects(), ...files]) expect([text.includes(API_KEY), text.includes(OWNER)]).toEqual([false, false]);
  expect(files.length).toBeGreaterThan(0);
});
