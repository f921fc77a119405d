import { mkdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitError } from '../../../src/core/ledger/errors.ts';
import { has, headCommit, isBelowGit, openRepository } from '../../../src/core/ledger/repository.ts';
import { bare, emptyFolder } from './repositories.ts';
import { scriptedGit } from './scripted-git.ts';

const COMMIT = '1'.repeat(40);
const others = [new GitError('no-git', 'the program `git` was not found', ''), new TypeError('broken')];

describe('headCommit', () => {
  test('reads the commit of the work tree, and null before the first one', async () => {
    const { repository, calls } = scriptedGit(() => `${COMMIT}\n`);
    expect(await headCommit(repository)).toBe(COMMIT);
    expect(calls).toEqual([[['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}']]]);
    expect(await headCommit(scriptedGit(() => new GitError('failed', 'git broke', '')).repository)).toBeNull();
  });

  test.each(others)('passes on every other error: %s', async (error) => {
    await expect(headCommit(scriptedGit(() => error).repository)).rejects.toBe(error);
  });
});

describe('has', () => {
  test('asks for the files of a commit, and remembers that they are there', async () => {
    const { repository, calls } = scriptedGit(() => '');
    expect([await has(repository, COMMIT), await has(repository, COMMIT)]).toEqual([true, true]);
    expect(calls).toEqual([[['cat-file', '-e', `${COMMIT}^{tree}`]]]);
    await has(repository, '2'.repeat(40));
    await has(repository, COMMIT);
    expect(calls).toHaveLength(2);
  });

  test.each(['failed', 'unknown-commit'] as const)('is false where git says %s, and asks again', async (code) => {
    const { repository } = scriptedGit((_args, _call, count) => (count === 1 ? new GitError(code, 'git broke', '') : ''));
    expect([await has(repository, COMMIT), await has(repository, COMMIT)]).toEqual([false, true]);
  });

  test.each(others)('passes on every other error: %s', async (error) => {
    await expect(has(scriptedGit(() => error).repository, COMMIT)).rejects.toBe(error);
  });
});

test('isBelowGit finds .git in a folder and in those above it', () => {
  const top = emptyFolder();
  mkdirSync(join(top, 'one/.git'), { recursive: true });
  mkdirSync(join(top, 'one/deep/er'), { recursive: true });
  mkdirSync(join(top, 'two'));
  expect(['one', 'one/deep/er', 'two'].map((name) => isBelowGit(join(top, name)))).toEqual([true, true, false]);
  expect(isBelowGit(parse(top).root)).toBe(false);
});

test('openRepository passes on an error for which GIT_DIR is no remedy', async () => {
  const named = { GIT_DIR: join(emptyFolder(), 'mirror.git') };
  await expect(openRepository(emptyFolder(), { ...bare, PATH: 'bin', ...named })).rejects.toMatchObject({ code: 'no-git' });
  await expect(openRepository(join(emptyFolder(), 'gone'), { ...bare, ...named })).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(openRepository(emptyFolder(), { ...bare, ...named })).rejects.toMatchObject({ code: 'no-repository' });
});
