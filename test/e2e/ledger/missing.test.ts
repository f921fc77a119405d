/** A missing git, repository or remote: every command that needs it says so in one line; the others work (design section 6). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asHistory } from '../../support/documents.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { createTestProject, type RunOptions, type TestProject, temporaryFolder } from '../../support/harness.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

const SECTIONS = config({ playlists: manyPlaylists(1) });
const NEEDING: readonly (readonly string[])[] = [
  ['plan'],
  ['plan', '--base', 'HEAD'],
  ['apply', '--yes'],
  ['drift'],
  ['history'],
  ['undo'],
  ['unlock', '--id', '0123456789ab'],
];
const FREE: readonly (readonly string[])[] = [['validate'], ['targets'], ['export']];

async function expectError(project: TestProject, options: RunOptions, message: string, commands = NEEDING): Promise<void> {
  for (const argv of commands) {
    const { code, stdout, stderr } = await project.runWith(options, ...argv);
    expect([argv, code > 0, stdout], stderr).toEqual([argv, true, '']);
    expect([argv, stderr.match(/^error: /gm)?.length]).toEqual([argv, 1]);
    const [, summary] = /^error: (.*?)^ *hint: /ms.exec(stderr) ?? [];
    expect([argv, summary?.replaceAll(/\s+/g, ' ')]).toEqual([argv, expect.stringContaining(message)]);
    expect(stderr).toMatch(/^ *hint: \S/m);
  }
  expect(project.writes()).toEqual([]);
  for (const argv of FREE) expect([argv, (await project.runWith(options, ...argv)).code]).toEqual([argv, 0]);
}

describe('`ledger: git`', () => {
  test('fails in a folder without git', async () => {
    const project = await createTestProject(SECTIONS, { target: 'ledger: git' });
    await expectError(project, {}, 'not a git repository');
  });

  test('fails in a repository without a remote', async () => {
    const project = await createGitProject(SECTIONS);
    project.git('remote', 'remove', 'origin');
    await expectError(project, { env: project.env }, 'the repository has no remote `origin`');
  });

  test('fails in a repository whose remote does not exist, and applies nothing', async () => {
    const project = await createGitProject(SECTIONS);
    project.git('remote', 'set-url', 'origin', join(temporaryFolder(), 'gone.git'));
    await expectError(project, {}, 'gone.git');
  });

  test('fails without the git program', async () => {
    const project = await createGitProject(SECTIONS);
    const empty = join(temporaryFolder(), 'bin');
    mkdirSync(empty);
    await expectError(project, { env: { PATH: empty } }, 'the program `git` was not found');
  });

  test('fails before the first commit', async () => {
    const project = await createTestProject(SECTIONS, { target: 'ledger: git' });
    const other: GitProject = await createGitProject(SECTIONS);
    project.write('.git/HEAD', 'ref: refs/heads/main\n');
    for (const folder of ['objects', 'refs']) mkdirSync(join(project.folder, '.git', folder));
    project.write('.git/config', `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${other.remote}\n`);
    expect(await project.refused('apply', '--yes')).toMatchObject({
      code: 8,
      document: { error: { code: 'no-commit', summary: 'the configuration of live comes from no commit' } },
    });
    expect(await project.plan()).toMatchObject({ code: 0, document: { config: null, summary: { create: 1 } } });
  });
});

test('`ledger: none` needs git only for options that name a commit', async () => {
  const empty = temporaryFolder();
  for (const env of [{}, { PATH: empty }]) {
    const project = await createTestProject(SECTIONS);
    for (const argv of [['plan'], ['apply', '--yes'], ['drift'], ['validate'], ['export']])
      expect([argv, (await project.runWith({ env }, ...argv)).code]).toEqual([argv, 0]);
    project.writes();
    await expectError(project, { env }, 'PATH' in env ? 'the program `git` was not found' : 'not a git repository', [
      ['plan', '--base', 'HEAD'],
      ['plan', '--ref', 'HEAD'],
    ]);
    for (const argv of [['history'], ['undo']])
      expect([argv, await project.runWith({ env }, ...argv)]).toMatchObject([
        argv,
        { code: 8, stderr: expect.stringContaining('keeps no ledger') },
      ]);
  }
});

test('a ledger ref that was deleted is set back by pushing its last entry from a clone that has read it: nothing is planned twice or taken over', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(3) }), { isSeparate: false, target: 'ownership: exclusive' });
  for (const count of [3, 2]) {
    declare(project, { playlists: manyPlaylists(count) });
    project.commit();
    expect((await project.apply('--yes', '--allow', 'deletes')).code).toBe(0);
  }
  const clone = project.clone();
  const { stdout } = await clone.run('history', '--format', 'json');
  const [last] = asHistory(JSON.parse(stdout)).entries;
  clone.git('push', '-q', 'origin', '--delete', 'refs/upkeep/live');
  expect(project.refs()).toEqual({});
  clone.git('push', '-q', 'origin', `${last?.id}:refs/upkeep/live`);
  const { document } = await project.plan();
  expect([document.changes, document.summary.unchanged]).toEqual([[], 2]);
  expect(asHistory(JSON.parse((await project.run('history', '--format', 'json')).stdout)).entries).toHaveLength(2);
  project.writes();
  expect((await project.apply('--yes')).code).toBe(0);
  expect([project.writes(), project.entries().length]).toEqual([[], 2]);
});
