/** Which calls of git the history of commits takes, and what becomes of their errors. */
import { expect, test } from 'vitest';
import { openCommitHistory } from '../../../src/core/ledger/commit-history.ts';
import { GitError } from '../../../src/core/ledger/errors.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import { clone, commit, git, newRemote, originOf } from './repositories.ts';

/** A shallow clone of a branch `side`, which left `main` one commit ago. */
async function shallowClone() {
  const { url, first } = newRemote();
  const writer = clone(url);
  const main = commit(writer, { a: '1' });
  git(writer, 'push', '-q', 'origin', 'HEAD:main');
  git(writer, 'checkout', '-q', '-b', 'side', first);
  const side = commit(writer, { b: '1' });
  git(writer, 'push', '-q', 'origin', 'side');
  return { first, main, side, at: await originOf(clone(url, '--depth=1', '--branch=side')) };
}

/** The same remote, whose calls of git are listed by their command, and where `failing` fails with an error. */
function watched(at: LedgerRemote, failing = '', error = new Error()): { readonly at: LedgerRemote; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const run: LedgerRemote['repository']['run'] = async (args, call) => {
    const command = args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
    calls.push(command);
    if (command === failing) throw error;
    return at.repository.run(args, call);
  };
  return { at: { ...at, repository: { ...at.repository, run } }, calls };
}

test('a history that was fetched is not fetched again', async () => {
  const { at, main, side, first } = await shallowClone();
  const before = watched(at);
  await openCommitHistory(before.at, main, side);
  expect(before.calls.filter((call) => call === 'fetch')).toHaveLength(2);
  const after = watched(at);
  const history = await openCommitHistory(after.at, main, side);
  expect(after.calls).not.toContain('fetch');
  expect(await history.mergeBases(main, side)).toEqual([first]);
});

/** A clone whose history was fetched, for tests that change nothing. */
const fetched = shallowClone().then(async (cloned) => {
  await openCommitHistory(cloned.at, cloned.main, cloned.side);
  return cloned;
});

test('no call of git is made for the commits of no file', async () => {
  const { at, main, side } = await fetched;
  const { at: place, calls } = watched(at);
  const history = await openCommitHistory(place, main, side);
  const before = calls.length;
  expect(await history.commitsByFile(main, side, ['li\nne'])).toEqual(new Map());
  expect(calls).toHaveLength(before);
});

test.each([
  ['merge-base', new GitError('unreachable', 'git merge-base: hung up', '')],
  ['merge-base', new TypeError('broken')],
  ['cat-file', new GitError('no-git', 'the program `git` was not found', '')],
  ['cat-file', new TypeError('broken')],
])('an error of git %s that says nothing about commits is passed on: %s', async (command, error) => {
  const { at, main, side } = await fetched;
  const { at: place } = watched(at, command, error);
  const compared = async () => (await openCommitHistory(place, main, side)).mergeBases(main, side);
  await expect(compared()).rejects.toBe(error);
});
