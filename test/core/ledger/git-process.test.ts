/** What upkeep keeps from git: variables of a surrounding call of git, and programs that the repository names as hooks. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGit, runGitSync } from '../../../src/core/ledger/git-process.ts';
import { openLedgerRepository } from '../../../src/core/ledger/ledger-repository.ts';
import { headCommit, openRepository } from '../../../src/core/ledger/repository.ts';
import { createBareRepository } from '../../support/git-repository.ts';
import { bare, clone, commit, emptyFolder, entry, git, hook, ledgerOf, lock, newClone, newRemote, originOf } from './repositories.ts';

/** Variables that git sets for hooks and aliases, or that choose other files than those of the folder. */
const MISLEADING = {
  GIT_DIR: '/nowhere/.git',
  GIT_WORK_TREE: '/nowhere',
  GIT_COMMON_DIR: '/nowhere/.git',
  GIT_INDEX_FILE: '/nowhere/index',
  GIT_PREFIX: 'x/',
  GIT_OBJECT_DIRECTORY: '/nowhere/objects',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: '/nowhere/objects',
  GIT_QUARANTINE_PATH: '/nowhere/quarantine',
  GIT_SHALLOW_FILE: '/nowhere/shallow',
  GIT_NAMESPACE: 'x',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_GLOB_PATHSPECS: '1',
  GIT_NOGLOB_PATHSPECS: '1',
  GIT_ICASE_PATHSPECS: '1',
};

/** Creates a program `git` that prints the variables that it gets; returns the environment in which it is found. */
function printingGit(): { readonly PATH: string } {
  const bin = emptyFolder();
  writeFileSync(join(bin, 'git'), '#!/bin/sh\nexec env\n', { mode: 0o755 });
  return { PATH: `${bin}:${bare.PATH}` };
}

/** Reads the output of `env`. */
function variablesOf(output: Buffer): { readonly [name: string]: string } {
  return Object.fromEntries(
    output
      .toString()
      .trim()
      .split('\n')
      .map((row) => [row.slice(0, row.indexOf('=')), row.slice(row.indexOf('=') + 1)]),
  );
}

describe('the environment of git', () => {
  test.each(Object.entries(MISLEADING))('lacks %s, which a surrounding git may have set', async (name, value) => {
    const env = { ...printingGit(), [name]: value };
    expect(variablesOf(await runGit(emptyFolder(), env, ['status']))).not.toHaveProperty(name);
    expect(variablesOf(runGitSync(emptyFolder(), env, ['status']))).not.toHaveProperty(name);
  });

  test("contains the user's own settings of git, in English, without prompts, locks and replaced objects", async () => {
    const own = { GIT_SSH_COMMAND: 'ssh -i key', GIT_CONFIG_COUNT: '0', LC_ALL: 'tr_TR.UTF-8', GIT_TERMINAL_PROMPT: '1' };
    expect(variablesOf(await runGit(emptyFolder(), { ...printingGit(), ...own }, ['status']))).toMatchObject({
      GIT_SSH_COMMAND: 'ssh -i key',
      GIT_CONFIG_COUNT: '0',
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
    });
  });

  test.each([
    ['folder of objects', 'GIT_OBJECT_DIRECTORY', 'objects'],
    ['work tree', 'GIT_WORK_TREE', '..'],
  ])('a variable that names the %s of another repository does not choose the commit', async (_what, name, file) => {
    const { folder, first } = await newClone();
    const other = clone(newRemote({ 'other.yaml': '{}\n' }).url);
    expect(await headCommit(await openRepository(folder, { ...bare, [name]: join(other, '.git', file) }))).toBe(first);
  });
});

describe('hooks of the local repository', () => {
  /** Adds hooks that leave a trace and fail; returns the names of those that ran. */
  function tracedHooks(folder: string): () => string {
    const trace = join(emptyFolder(), 'trace');
    for (const name of ['reference-transaction', 'pre-push', 'post-index-change']) hook(folder, name, `echo ${name} >> ${trace}\nexit 1`);
    return () => (existsSync(trace) ? readFileSync(trace, 'utf8') : '');
  }

  test.each<[string, (url: string) => { readonly top: string; readonly gitFolder: string }]>([
    [
      'a clone whose refspec follows the ledger',
      (url) => {
        const top = clone(url);
        git(top, 'config', '--add', 'remote.origin.fetch', '+refs/upkeep/*:refs/remotes/ledger/*');
        return { top, gitFolder: join(top, '.git') };
      },
    ],
    [
      'a bare mirror',
      (url) => {
        const top = clone(url, '--mirror');
        return { top, gitFolder: top };
      },
    ],
  ])('do not run when the ledger and the lock are read and written in %s', async (_what, cloned) => {
    const { url, first } = newRemote();
    const { top, gitFolder } = cloned(url);
    const ran = tracedHooks(gitFolder);
    const at = await originOf(top, { ...bare, GIT_DIR: gitFolder });
    const one = await (await lock(at)).pushEntry(entry({ config: { commit: first, digest: entry().config.digest } }), null);
    const writer = clone(url);
    const second = commit(writer);
    git(writer, 'push', '-q', 'origin', 'HEAD:main');
    const two = await (await lock(await originOf(writer))).pushEntry(
      entry({ by: 'bob', config: { commit: second, digest: entry().config.digest } }),
      one,
    );
    expect((await ledgerOf(at).latest())?.commit).toBe(two);
    await (await lock(at)).release();
    expect(ran()).toBe('');
    // The hooks are in place: a call of git by a user runs them.
    expect(() => git(top, 'update-ref', 'refs/heads/topic', first)).toThrow('update-ref');
    expect(ran()).toContain('reference-transaction');
  });
});

describe('garbage collection', () => {
  /** Settings under which git collects garbage whenever it may, and keeps nothing that no ref reaches. */
  const EAGER = ['gc.auto 1', 'maintenance.auto true', 'gc.autoDetach false', 'maintenance.autoDetach false', 'gc.pruneExpire now'];
  const collectEagerly = (folder: string): void => {
    for (const setting of [...EAGER, 'receive.autogc true']) git(folder, 'config', ...setting.split(' '));
  };

  test('is switched off for every call of git, whatever the clone is configured to do', async () => {
    const { folder } = await newClone();
    collectEagerly(folder);
    const settings = async (name: string) => (await runGit(folder, bare, ['config', '--get', name])).toString().trim();
    expect([await settings('gc.auto'), await settings('maintenance.auto')]).toEqual(['0', 'false']);
    expect(runGitSync(folder, bare, ['config', '--get', 'gc.auto']).toString()).toBe('0\n');
  });

  test.each([
    ['the remote of the project', false],
    ['a repository of its own', true],
  ])('of users, clones and remotes loses nothing of a ledger in %s', async (_what, isSeparate) => {
    const { url, folder, first } = await newClone();
    const ledger = join(emptyFolder(), 'ledger.git');
    createBareRepository(ledger);
    const repositories = [folder, isSeparate ? ledger : url];
    repositories.forEach(collectEagerly);
    const repository = await openRepository(folder, bare);
    const at = isSeparate ? await openLedgerRepository(repository, 'production', ledger, bare) : { repository, remote: 'origin' };
    const config = { commit: isSeparate ? null : first, digest: entry().config.digest };
    const one = await (await lock(at)).pushEntry(entry({ by: 'ada', config }), null);
    for (const each of repositories) git(each, 'gc', '--quiet', '--prune=now');
    const two = await (await lock(at)).pushEntry(entry({ by: 'bob', config }), one);
    for (const each of repositories) git(each, 'gc', '--quiet', '--prune=now');
    const authors: string[] = [];
    for await (const { entry: each } of ledgerOf(at).history()) authors.push(each.by);
    expect(authors).toEqual(['bob', 'ada']);
    await (await lock(at)).release();
    expect((await ledgerOf(at).latest())?.commit).toBe(two);
  });
});
