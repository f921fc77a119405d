import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCommitHistory } from '../../../src/core/ledger/commit-history.ts';
import { clone, commit, emptyFolder, git, newClone, newRemote, originOf } from './repositories.ts';

/** A remote whose branch `main` has commits of three files, and a branch `side` that left it after the first one. */
function branches(): { readonly url: string; readonly folder: string; readonly main: readonly string[]; readonly side: string } {
  const { url, first } = newRemote({ 'project/a.yaml': '0', 'b.yaml': '0' });
  git(url, 'config', 'uploadpack.allowFilter', 'true');
  const folder = clone(url);
  const second = commit(folder, { 'project/a.yaml': '1' });
  const third = commit(folder, { 'project/a.yaml': '2', 'b.yaml': '2' });
  git(folder, 'push', '-q', 'origin', 'HEAD:main');
  git(folder, 'checkout', '-q', '-b', 'side', first);
  const side = commit(folder, { 'c.yaml': '0' });
  git(folder, 'push', '-q', 'origin', 'side');
  return { url, folder, main: [first, second, third], side };
}

/** What git stores of the clone itself: its configuration, and where its history ends. */
function ownState(folder: string): readonly string[] {
  const read = (name: string) => readFileSync(join(folder, '.git', name), 'utf8');
  return [read('config'), read('shallow'), git(folder, 'rev-list', '--all')];
}

describe.each([
  ['a full clone', [], ''],
  ['a clone of one branch', ['--single-branch', '--branch=side'], ''],
  ['a clone of depth 1', ['--depth=1', '--branch=side'], ''],
  ['a clone of depth 1 from a remote that cannot leave out contents', ['--depth=1', '--branch=side'], 'false'],
] as const)('the history of %s', (_what, options, allowFilter) => {
  test('finds the merge base of two branches, which commits each contains, and the commits that touched a file since', async () => {
    const { url, main, side } = branches();
    const [first = '', second = '', third = ''] = main;
    if (allowFilter !== '') git(url, 'config', 'uploadpack.allowFilter', allowFilter);
    const folder = clone(url, ...options);
    const isShallow = git(folder, 'rev-parse', '--is-shallow-repository') === 'true';
    const before = isShallow ? ownState(folder) : [];
    const history = await openCommitHistory(await originOf(join(folder, 'project')), third, side);
    expect(await history.mergeBases(third, side)).toEqual([first]);
    expect(await history.mergeBases(second, third)).toEqual([second]);
    expect(await history.firstParents(first, third)).toEqual([third, second]);
    expect(await history.containedIn(third, [first, side, '0'.repeat(40), third, second])).toEqual([first, third, second]);
    expect(await history.containedIn(side, [first, second])).toEqual([first]);
    expect(await history.containedIn(side, [])).toEqual([]);
    expect(await history.commitsByFile(first, third, ['a.yaml', 'gone.yaml', 'li\nne'])).toEqual(new Map([['a.yaml', [third, second]]]));
    expect(await history.commitsByFile(first, third, [])).toEqual(new Map());
    if (isShallow) expect(ownState(folder)).toEqual(before);
  });
});

/** The types of the objects of each pack that upkeep fetched into a clone, sorted. */
function fetchedTypes(folder: string): readonly (readonly string[])[] {
  const packs = join(folder, '.git/upkeep/history/pack');
  const indexes = readdirSync(packs).filter((name) => name.endsWith('.idx'));
  return indexes
    .map((name) =>
      git(packs, 'verify-pack', '-v', name)
        .split('\n')
        .flatMap((row) => /^[0-9a-f]{40} (\w+)/.exec(row)?.[1] ?? [])
        .sort(),
    )
    .sort((a, b) => b.length - a.length);
}

test('a shallow clone fetches the history that it lacks without the contents of files, and the next time only what is new', async () => {
  const { url, folder: seed, main, side } = branches();
  const folder = clone(url, '--depth=1', '--branch=side');
  await openCommitHistory(await originOf(folder), main[2] ?? '', side);
  const types = new Set(fetchedTypes(folder).flat());
  expect(types).toEqual(new Set(['commit', 'tree']));
  const before = fetchedTypes(folder);
  await openCommitHistory(await originOf(folder), main[2] ?? '', side);
  expect(fetchedTypes(folder)).toEqual(before);

  git(seed, 'checkout', '-q', 'main');
  const next = commit(seed, { 'b.yaml': '3' });
  git(seed, 'push', '-q', 'origin', 'main');
  git(folder, 'fetch', '-q', '--depth=1', 'origin', 'main');
  const history = await openCommitHistory(await originOf(folder), main[2] ?? '', next);
  expect(await history.mergeBases(main[2] ?? '', next)).toEqual([main[2]]);
  expect(fetchedTypes(folder)).toHaveLength(before.length + 1);
  expect(fetchedTypes(folder).at(-1)).toEqual(['commit', 'tree']);
});

test('a commit that only a shallow clone has is compared with the history of the remote', async () => {
  const { url, main } = branches();
  const folder = clone(url, '--depth=1', '--branch=side');
  const local = commit(folder, { 'd.yaml': '0' });
  const history = await openCommitHistory(await originOf(folder), main[2] ?? '', local);
  expect(await history.mergeBases(main[2] ?? '', local)).toEqual([main[0]]);
});

test('all merge bases of branches that were merged into each other are found', async () => {
  const { at, folder, first } = await newClone();
  const left = commit(folder, { left: '1' });
  git(folder, 'checkout', '-q', '-b', 'other', first);
  const right = commit(folder, { right: '1' });
  git(folder, 'merge', '-q', '-m', 'a', left);
  const a = git(folder, 'rev-parse', 'HEAD');
  git(folder, 'checkout', '-q', 'main');
  git(folder, 'merge', '-q', '-m', 'b', right);
  const b = git(folder, 'rev-parse', 'HEAD');
  const history = await openCommitHistory(at, a, b);
  expect([...(await history.mergeBases(a, b))].sort()).toEqual([left, right].sort());
});

test('unrelated histories have no merge base, and an unknown commit is an error', async () => {
  const { at, folder, first } = await newClone();
  git(folder, 'checkout', '-q', '--orphan', 'other');
  const other = commit(folder, { other: '1' });
  const history = await openCommitHistory(at, first, other);
  expect(await history.mergeBases(first, other)).toEqual([]);
  await expect(openCommitHistory(at, 'f'.repeat(40), other)).rejects.toMatchObject({ code: 'unknown-commit' });
  const shallow = clone(git(folder, 'remote', 'get-url', 'origin'), '--depth=1');
  await expect(openCommitHistory(await originOf(shallow), 'f'.repeat(40), first)).rejects.toMatchObject({ code: 'unknown-commit' });
});

test('a clone in a folder whose name has colons and quotes is read as well', async () => {
  const { url, main } = branches();
  const folder = join(emptyFolder(), 'a:b"c');
  git('/', 'clone', '-q', '--no-local', '--depth=1', '--branch=side', url, folder);
  const local = commit(folder, { 'd.yaml': '0' });
  const history = await openCommitHistory(await originOf(folder), main[2] ?? '', local);
  expect(await history.mergeBases(main[2] ?? '', local)).toEqual([main[0]]);
});
