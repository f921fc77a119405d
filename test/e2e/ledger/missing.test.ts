/** A missing git, repository or remote: every command that needs it says so in one line; the others work (design section 6). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GitStage, gitStage } from '../../support/git-project.ts';
import { type RunOptions, type Stage, stage, temporaryFolder } from '../../support/harness.ts';
import { config, manyPlaylists } from '../accounts.ts';

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

async function expectError(set: Stage, options: RunOptions, message: string, commands = NEEDING): Promise<void> {
  for (const argv of commands) {
    const { code, stdout, stderr } = await set.runWith(options, ...argv);
    expect([argv, code > 0, stdout], stderr).toEqual([argv, true, '']);
    expect([argv, stderr.split('\n').filter((line) => line.startsWith('error: '))]).toEqual([argv, [expect.stringContaining(message)]]);
    expect(stderr).toMatch(/^ *hint: \S/m);
  }
  expect(set.writes()).toEqual([]);
  for (const argv of FREE) expect([argv, (await set.runWith(options, ...argv)).code]).toEqual([argv, 0]);
}

describe('`ledger: git`', () => {
  test('fails in a folder without git', async () => {
    const set = await stage(SECTIONS, { target: 'ledger: git' });
    await expectError(set, {}, 'not a git repository');
  });

  test('fails in a repository without a remote', async () => {
    const set = await gitStage(SECTIONS);
    set.git('remote', 'remove', 'origin');
    await expectError(set, { env: set.env }, 'the repository has no remote `origin`');
  });

  test('fails in a repository whose remote does not exist, and applies nothing', async () => {
    const set = await gitStage(SECTIONS);
    set.git('remote', 'set-url', 'origin', join(temporaryFolder(), 'gone.git'));
    await expectError(set, {}, 'gone.git');
  });

  test('fails without the git program', async () => {
    const set = await gitStage(SECTIONS);
    const empty = join(temporaryFolder(), 'bin');
    mkdirSync(empty);
    await expectError(set, { env: { PATH: empty } }, 'the program `git` was not found');
  });

  test('fails before the first commit', async () => {
    const set = await stage(SECTIONS, { target: 'ledger: git' });
    const other: GitStage = await gitStage(SECTIONS);
    set.write('.git/HEAD', 'ref: refs/heads/main\n');
    for (const folder of ['objects', 'refs']) mkdirSync(join(set.folder, '.git', folder));
    set.write('.git/config', `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${other.remote}\n`);
    expect(await set.refused('apply', '--yes')).toMatchObject({
      code: 8,
      document: { error: { code: 'no-commit', summary: 'the configuration of live comes from no commit' } },
    });
    expect(await set.plan()).toMatchObject({ code: 0, document: { config: null, summary: { create: 1 } } });
  });
});

test('`ledger: none` needs git only for options that name a commit', async () => {
  const empty = temporaryFolder();
  for (const env of [{}, { PATH: empty }]) {
    const set = await stage(SECTIONS);
    for (const argv of [['plan'], ['apply', '--yes'], ['drift'], ['validate'], ['export']])
      expect([argv, (await set.runWith({ env }, ...argv)).code]).toEqual([argv, 0]);
    set.writes();
    await expectError(set, { env }, 'PATH' in env ? 'the program `git` was not found' : 'not a git repository', [
      ['plan', '--base', 'HEAD'],
      ['plan', '--ref', 'HEAD'],
    ]);
    for (const argv of [['history'], ['undo']])
      expect([argv, await set.runWith({ env }, ...argv)]).toMatchObject([
        argv,
        { code: 8, stderr: expect.stringContaining('keeps no ledger') },
      ]);
  }
});
