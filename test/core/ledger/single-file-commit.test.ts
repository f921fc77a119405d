/** How commits with one file are written and read, and how the output of `git cat-file` is understood. */
import { describe, expect, test } from 'vitest';
import { objectsIn, parentsOf, readCommit, runForLine, writeCommit } from '../../../src/core/ledger/single-file-commit.ts';
import { scriptedGit } from './scripted-git.ts';

const COMMIT = '1'.repeat(40);
const BLOB = '2'.repeat(40);
const PARENT = '3'.repeat(40);
const OTHER = '4'.repeat(40);

const HEAD = `tree ${OTHER}\nparent ${PARENT}\nparent ${OTHER}\nauthor parent <parent@x> 1 +0000\n\nsubject\n\nparent ${COMMIT}\n`;

test('writeCommit writes the file, its folder and the commit, by upkeep and at the given time', async () => {
  const { repository, calls } = scriptedGit((_args, _call, count) => `${[BLOB, OTHER, COMMIT][count - 1]}\n`);
  const made = { name: 'entry.json', text: 'content', message: 'why\n', parents: [PARENT, OTHER], at: 1_700_000_000 };
  expect(await writeCommit(repository, made)).toBe(COMMIT);
  const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'upkeep'],
    [`GIT_${role}_EMAIL`, 'upkeep@upkeep.invalid'],
    [`GIT_${role}_DATE`, '@1700000000 +0000'],
  ]);
  expect(calls).toEqual([
    [['hash-object', '-w', '--stdin'], { input: 'content' }],
    [['mktree', '-z'], { input: `100644 blob ${BLOB}\tentry.json\0` }],
    [
      ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '--no-gpg-sign', '-p', PARENT, '-p', OTHER, OTHER],
      { input: 'why\n', env: Object.fromEntries(who) },
    ],
  ]);
});

describe('readCommit', () => {
  /** What git says about a commit and its file, and the contents of both. */
  const read = (info: string, maxBytes = 5, contents = '') => {
    const { repository, calls } = scriptedGit((args) =>
      args.includes('--batch-check') ? info : args.includes('commit') ? HEAD : contents,
    );
    return { calls, found: readCommit(repository, COMMIT, 'entry.json', maxBytes) };
  };
  const rows = (type: string, size: number): string => `${COMMIT} commit ${HEAD.length}\n${BLOB} ${type} ${size}\n`;
  const contents = `${COMMIT} commit ${HEAD.length}\n${HEAD}\n${BLOB} blob 5\nhello\n`;

  test('returns the text of a file of the maximum size, and the parents that the commit names', async () => {
    const { found, calls } = read(rows('blob', 5), 5, contents);
    expect(await found).toEqual({ text: 'hello', parents: [PARENT, OTHER] });
    const input = `${COMMIT}\n${COMMIT}:entry.json\n`;
    expect(calls).toEqual([
      [['cat-file', '--batch-check'], { input }],
      [['cat-file', '--batch'], { input }],
    ]);
  });

  test('does not read a larger file, but the parents', async () => {
    const { found, calls } = read(rows('blob', 6));
    expect(await found).toEqual({ text: null, parents: [PARENT, OTHER] });
    expect(calls.at(-1)).toEqual([['cat-file', 'commit', COMMIT]]);
  });

  test.each([
    ['is a folder', rows('tree', 5)],
    ['is missing', `${COMMIT} commit 9\n${COMMIT}:entry.json missing\n`],
    ['is missing with its commit', `${COMMIT} missing\n${COMMIT}:entry.json missing\n`],
  ])('returns null where the file %s', async (_what, info) => {
    expect(await read(info, 5, contents).found).toBeNull();
  });

  test('returns null where git lost the contents meanwhile', async () => {
    expect(await read(rows('blob', 5), 5, `${COMMIT} commit ${HEAD.length}\n${HEAD}\n${BLOB} missing\n`).found).toBeNull();
  });
});

test('objectsIn reads contents with line feeds, empty ones and what stands after a missing one', () => {
  const output = `${BLOB} blob 3\na\nb\n${OTHER} missing\n${PARENT} blob 0\n\n${COMMIT} blob 2\n\xff\n\n`;
  const found = objectsIn(Buffer.from(output, 'latin1')).map(({ name, bytes }) => [name, bytes.toString('latin1')]);
  expect(found).toEqual([
    [BLOB, 'a\nb'],
    [PARENT, ''],
    [COMMIT, '\xff\n'],
  ]);
  expect(objectsIn(Buffer.from(''))).toEqual([]);
});

test('parentsOf reads the head of a commit, not its message', async () => {
  const { repository, calls } = scriptedGit(() => HEAD);
  expect(await parentsOf(repository, COMMIT)).toEqual([PARENT, OTHER]);
  expect(calls).toEqual([[['cat-file', 'commit', COMMIT]]]);
  const first = scriptedGit(() => `tree ${OTHER}\nauthor u <u@x> 1 +0000\nx parent ${PARENT}\n\nparent ${COMMIT}\n`);
  expect(await parentsOf(first.repository, COMMIT)).toEqual([]);
});

test('runForLine passes an input, empty if there is none, and returns the line', async () => {
  const { repository, calls } = scriptedGit(() => '\tline\n');
  expect([await runForLine(repository, ['mktree']), await runForLine(repository, ['mktree'], 'x')]).toEqual(['line', 'line']);
  expect(calls).toEqual([
    [['mktree'], { input: '' }],
    [['mktree'], { input: 'x' }],
  ]);
});
