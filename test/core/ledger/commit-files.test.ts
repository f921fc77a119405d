import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diskFiles } from '../../../src/core/config/project-folder.ts';
import { filesAt } from '../../../src/core/ledger/commit-files.ts';
import { openRepository } from '../../../src/core/ledger/repository.ts';
import type { ProjectFiles } from '../../../src/core/model/project-files.ts';
import { rounds } from '../../support/figures.ts';
import { createWorkTree } from '../../support/git-repository.ts';
import { assertAsyncProperty } from '../../support/property.ts';
import { bare, clone, commit, emptyFolder, git, newClone, newRemote, originOf, write } from './repositories.ts';

/** The committed state of a folder in a new repository: its tree, and how many calls of git reading it takes. */
async function committed(top: string, folder = top): Promise<{ tree: ProjectFiles; calls: string[] }> {
  createWorkTree(top);
  const made = commit(top);
  const repository = await openRepository(folder, bare);
  const calls: string[] = [];
  const counting: typeof repository = {
    ...repository,
    runSync: (args, call) => {
      calls.push(args.join(' '));
      return repository.runSync(args, call);
    },
  };
  return { tree: await filesAt({ repository: counting, remote: 'origin' }, made), calls };
}

/** Everything that a tree says about these paths. */
function told(tree: ProjectFiles, paths: readonly string[]): (readonly unknown[])[] {
  return paths.map((path) => {
    const found = tree.typeOf(path);
    if (found === 'folder') return [path, found, tree.resolve?.(path), [...tree.list(path)].filter((name) => name !== '.git').sort()];
    return found === 'file'
      ? [path, found, tree.resolve?.(path), tree.size(path), Buffer.from(tree.read(path)).toString('latin1')]
      : [path, found];
  });
}

const names = ['a', 'b.yaml', 'c.yml', 'é'];
const step = fc.constantFrom(...names);
const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('/'));
const climb = fc.constantFrom('', './', '../', '../../', '../../../', '../../project/', '../../other/');
const thing = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path, bytes: fc.uint8Array({ maxLength: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ path, link: fc.tuple(climb, path).map(([up, down]) => up + down) }) },
);

/** Makes as much of it as can be made: a name that is taken stays what it is. */
function make(project: string, things: readonly ({ path: string; bytes: Uint8Array } | { path: string; link: string })[]): void {
  for (const each of things) {
    const place = join(project, each.path);
    try {
      mkdirSync(dirname(place), { recursive: true });
      if ('bytes' in each) writeFileSync(place, each.bytes, { flag: 'wx' });
      else symlinkSync(each.link, place);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
}

describe('filesAt', () => {
  test('returns for every path what the folder on disk contained at that commit', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(thing, { maxLength: 10 }), fc.array(fc.tuple(climb, path), { maxLength: 4 }), async (things, asked) => {
        const top = emptyFolder();
        const project = join(top, 'project');
        write(top, { 'project/upkeep.yaml': 'version: 1', 'other/a': 'x', a: 'y', 'b.yaml': 'z' });
        make(project, things);
        const { tree } = await committed(top, project);
        const paths = ['.', ...things.map((each) => each.path), ...asked.map(([up, down]) => up + down), ...asked.map(([, down]) => down)];
        const [now, then] = [told(diskFiles(project), paths), told(tree, paths)];
        // A commit does not know what lies beside the project: a link that leads there is outside, whether or not it leads to anything.
        const known = then.map((said, index) => (said[1] === 'outside' && now[index]?.[1] === 'missing' ? now[index] : said));
        expect(known).toEqual(now);
        rmSync(top, { recursive: true });
      }),
      { numRuns: rounds(15, 100) },
    );
  });

  test('returns the committed files, not those that the folder contains now', async () => {
    const top = emptyFolder();
    write(top, { 'upkeep.yaml': 'version: 1', 'config/a.yaml': 'a: 1', '.gitignore': 'ignored' });
    const { tree } = await committed(top);
    write(top, { 'config/a.yaml': 'a: 2', 'config/new.yaml': '' });
    expect(Buffer.from(tree.read('config/a.yaml')).toString()).toBe('a: 1');
    expect(tree.list('config')).toEqual(['a.yaml']);
    expect(['..', '../x', '/etc/hosts', 'a\\b', 'a\0b', 'x', 'upkeep.yaml/x'].map((each) => tree.typeOf(each))).toEqual([
      'outside',
      'outside',
      'outside',
      'outside',
      'outside',
      'missing',
      'missing',
    ]);
    for (const wrong of ['config', 'x', '..']) expect(() => tree.read(wrong)).toThrow(wrong);
    expect(() => tree.list('upkeep.yaml')).toThrow('no such folder');
  });

  test('treats an absolute link as outside, and a link that is a cycle or too long as missing', async () => {
    const top = emptyFolder();
    write(top, { x: 'x' });
    symlinkSync(join(top, 'x'), join(top, 'absolute'));
    symlinkSync('circle', join(top, 'circle'));
    symlinkSync('dot/../x', join(top, 'dotted'));
    symlinkSync('.', join(top, 'dot'));
    createWorkTree(top);
    write(top, { long: `${'./'.repeat(2500)}x` });
    const blob = git(top, 'hash-object', '-w', 'long');
    git(top, 'update-index', '--add', '--cacheinfo', `120000,${blob},endless`);
    git(top, 'commit', '-q', '-m', 'x');
    const { tree } = await committed(top);
    expect(['absolute', 'circle', 'dotted', 'dot/dot/x', 'dot', 'endless'].map((each) => tree.typeOf(each))).toEqual([
      'outside',
      'missing',
      'file',
      'file',
      'folder',
      'missing',
    ]);
  });

  test('reads a thousand files with two calls of git, even if they are requested one by one', async () => {
    const top = emptyFolder();
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`config/${index % 7}/${index}.yaml`, `n: ${index}`]));
    write(top, { ...files, 'assets.txt': 'id' });
    const { tree, calls } = await committed(top);
    for (const folder of tree.list('config')) tree.list(`config/${folder}`);
    for (const [name, text] of Object.entries(files)) {
      expect(tree.size(name)).toBe(text.length);
      expect(Buffer.from(tree.read(name)).toString()).toBe(text);
    }
    expect(calls).toHaveLength(2);
    expect(Buffer.from(tree.read('assets.txt')).toString()).toBe('id');
    expect(calls).toHaveLength(3);
  });

  test('returns no files where the folder did not exist or was not a folder', async () => {
    const { at, folder } = await newClone({ project: 'a file' });
    const before = git(folder, 'rev-parse', 'HEAD');
    git(folder, 'rm', '-q', 'project');
    commit(folder, { 'project/upkeep.yaml': 'version: 1' });
    const repository = await openRepository(join(folder, 'project'), bare);
    for (const name of [before, git(folder, 'commit-tree', '-m', 'x', git(folder, 'mktree'))]) {
      expect((await filesAt({ ...at, repository }, name)).typeOf('.')).toBe('missing');
    }
    expect((await filesAt({ ...at, repository }, git(folder, 'rev-parse', 'HEAD'))).typeOf('upkeep.yaml')).toBe('file');
  });

  test('names a submodule as the reason why a path cannot be read', async () => {
    const { at, folder } = await newClone();
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    git(folder, 'commit', '-q', '-m', 'x');
    const tree = await filesAt(at, git(at.repository.folder, 'rev-parse', 'HEAD'));
    expect(() => tree.typeOf('module/a.yaml')).toThrow('`module` is a submodule');
    expect(tree.typeOf('upkeep.yaml')).toBe('file');
  });
});

describe('filesAt, for a commit that is not in the local repository,', () => {
  test('fetches it without its parents into a shallow clone', async () => {
    const { url, first } = newRemote({ 'upkeep.yaml': 'version: 1 # first\n' });
    const writer = clone(url);
    commit(writer, { 'upkeep.yaml': 'version: 1 # second\n' });
    git(writer, 'push', '-q', 'origin', 'HEAD:main');
    const shallow = clone(url, '--depth=1');
    const tree = await filesAt(await originOf(shallow), first);
    expect(Buffer.from(tree.read('upkeep.yaml')).toString()).toBe('version: 1 # first\n');
    expect(git(shallow, 'status', '--porcelain')).toBe('');
  });

  test('fetches it into a full clone, which remains a full clone', async () => {
    const { at, url, folder } = await newClone();
    const writer = clone(url);
    const pushed = commit(writer, { 'upkeep.yaml': 'version: 1 # pushed\n' });
    git(writer, 'push', '-q', 'origin', 'HEAD:main');
    expect((await filesAt(at, pushed)).typeOf('upkeep.yaml')).toBe('file');
    expect(git(folder, 'rev-parse', '--is-shallow-repository')).toBe('false');
  });

  test('explains how to fetch it where the remote does not have it either', async () => {
    const { at, url } = await newClone();
    const lost = '1'.repeat(40);
    await expect(filesAt(at, lost)).rejects.toMatchObject({ code: 'unknown-commit', hint: `fetch it: git fetch origin ${lost}` });
    const shallow = await originOf(clone(url, '--depth=1'));
    await expect(filesAt(shallow, lost)).rejects.toMatchObject({ hint: `fetch it: git fetch --depth=1 origin ${lost}` });
    await expect(filesAt({ ...at, remote: 'none' }, lost)).rejects.toThrow(/no remote `none`/);
  });

  test('names file contents that git has lost', async () => {
    const { at, folder } = await newClone();
    const tree = await filesAt(at, git(at.repository.folder, 'rev-parse', 'HEAD'));
    rmSync(join(folder, '.git/objects'), { recursive: true });
    mkdirSync(join(folder, '.git/objects'));
    expect(() => tree.read('upkeep.yaml')).toThrow('the contents of `upkeep.yaml`');
    expect(() => tree.size('upkeep.yaml')).toThrow('the contents of `upkeep.yaml`');
  });
});
