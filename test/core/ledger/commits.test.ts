import { describe, expect, test } from 'vitest';
import { commitOf, fetchCommit, isFullName } from '../../../src/core/ledger/commits.ts';
import { GitError } from '../../../src/core/ledger/errors.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import { clone, git, newRemote, originOf } from './repositories.ts';
import { scriptedGit } from './scripted-git.ts';

const COMMIT = '1'.repeat(40);

/** A remote of a repository in which each call of git ends as `answers` says by the git command; a call that it leaves out succeeds. */
function remoteWhere(answers: { readonly [command: string]: Error | string }, shallow = false): LedgerRemote {
  const { repository } = scriptedGit((args) => Object.entries(answers).find(([command]) => args.includes(command))?.[1] ?? '', shallow);
  return { repository, remote: 'origin' };
}

const failed = new GitError('failed', 'git broke', '');

test.each([
  ['1'.repeat(40), true],
  ['a'.repeat(64), true],
  ['1'.repeat(39), false],
  ['1'.repeat(41), false],
  ['1'.repeat(65), false],
  ['A'.repeat(40), false],
  ['g'.repeat(64), false],
  ['f', false],
  [`x${'1'.repeat(40)}`, false],
  [`${'1'.repeat(64)}~1`, false],
])('isFullName decides for %s: %s', (ref, expected) => {
  expect(isFullName(ref)).toBe(expected);
});

describe('commitOf', () => {
  test.each([
    [false, 'git log shows the commits of this clone'],
    [true, 'this clone is shallow: name the full commit, or fetch the ref first'],
  ])('says for a name that nothing has what to do; in a shallow clone: %s', async (shallow, hint) => {
    const error = new GitError('unknown-commit', 'there is no commit `v9` here', hint);
    await expect(commitOf(remoteWhere({ 'rev-parse': failed }, shallow), 'v9')).rejects.toMatchObject({ ...error, message: error.message });
  });

  test.each([new GitError('no-git', 'the program `git` was not found', 'install git'), new TypeError('broken')])(
    'passes on every other error: %s',
    async (error) => {
      await expect(commitOf(remoteWhere({ 'rev-parse': error }), 'v9')).rejects.toBe(error);
    },
  );
});

describe('fetchCommit', () => {
  test('names the reason where a fetch fails, and what to do for a ledger repository', async () => {
    const at = remoteWhere({ 'cat-file': failed, fetch: new GitError('unreachable', 'git fetch: no route', '') });
    await expect(fetchCommit(at, COMMIT)).rejects.toMatchObject({
      code: 'unknown-commit',
      message: `commit ${COMMIT} is not here, and could not be fetched (git fetch: no route)`,
      hint: `fetch it: git fetch origin ${COMMIT}`,
    });
    await expect(fetchCommit({ ...at, remote: '/ledger.git', byAddress: true }, COMMIT)).rejects.toMatchObject({
      hint: 'check that the ledger repository /ledger.git still has it',
    });
  });

  test('reports a commit that is not there after a fetch that succeeded, without a reason', async () => {
    await expect(fetchCommit(remoteWhere({ 'cat-file': failed }), COMMIT)).rejects.toMatchObject({
      code: 'unknown-commit',
      message: `commit ${COMMIT} is not here, and could not be fetched`,
    });
  });

  test('takes no tag for a commit whose name is as long as a hash of another algorithm', async () => {
    const { url, first } = newRemote();
    const folder = clone(url);
    const name = `${first}${'0'.repeat(24)}`;
    git(folder, 'tag', name);
    const error = { code: 'unknown-commit', hint: 'its whole hashes have 40 digits' };
    await expect(fetchCommit(await originOf(folder), name)).rejects.toMatchObject(error);
    await expect(commitOf(await originOf(folder), name)).rejects.toMatchObject(error);
  });

  test('passes on an error that is not one of git', async () => {
    const error = new TypeError('broken');
    await expect(fetchCommit(remoteWhere({ 'cat-file': failed, fetch: error }), COMMIT)).rejects.toBe(error);
  });
});
