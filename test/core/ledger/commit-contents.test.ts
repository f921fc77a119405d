/** How the contents of files at a commit are read: together, with a limit, and compared with what is on disk. */
import { createHash } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blobName, type CommitFiles, filesAt } from '../../../src/core/ledger/commit-files.ts';
import type { Repository } from '../../../src/core/ledger/repository.ts';
import { commit, git, newClone, write } from './repositories.ts';

/** One call of `git cat-file`: which form, and the names that it was given. */
interface Call {
  readonly form: string;
  readonly names: readonly string[];
}

/** A clone with these files, what it contains at its last commit, and the calls that read contents; `sizes` replaces what git says. */
async function reading(files: { readonly [name: string]: string }, links: { readonly [name: string]: string } = {}, sizes?: number) {
  const { at, folder } = await newClone();
  write(folder, files);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  const made = commit(folder);
  const calls: Call[] = [];
  const runSync: Repository['runSync'] = (args, call) => {
    const form = args.includes('--batch') ? 'contents' : 'sizes';
    calls.push({ form, names: [...new Set(String(call?.input).split('\n').slice(0, -1))] });
    const output = at.repository.runSync(args, call);
    return form === 'sizes' && sizes !== undefined ? Buffer.from(output.toString().replace(/\d+$/gm, `${sizes}`)) : output;
  };
  const tree: CommitFiles = await filesAt({ ...at, repository: { ...at.repository, runSync } }, made);
  const object = (name: string): string => git(folder, 'rev-parse', `HEAD:${name}`);
  return { tree, calls, object, folder };
}

const MIB = 1024 * 1024;

describe('the contents of files at a commit', () => {
  const four = {
    'c/a.yaml': 'a',
    'c/b.yml': 'b',
    'c/c.yaml': 'c',
    'c/d.yaml': 'd',
    'c/e.yaml.txt': 'e',
    'c/f.txt': 'f',
    'c/g.yaml/h': 'h',
  };

  test('of the YAML files of a folder are read together after it was listed, and nothing else', async () => {
    const { tree, calls, object } = await reading(four);
    tree.list('c');
    expect(Buffer.from(tree.read('c/b.yml')).toString()).toBe('b');
    const [a, b, c, d] = ['a.yaml', 'b.yml', 'c.yaml', 'd.yaml'].map((name) => object(`c/${name}`));
    expect(calls).toEqual([
      { form: 'sizes', names: [a, c, d] },
      { form: 'contents', names: [b, a, c, d] },
    ]);
    tree.list('c');
    expect(Buffer.from(tree.read('c/a.yaml')).toString()).toBe('a');
    expect(calls).toHaveLength(2);
  });

  test('are read ahead up to 64 MiB, and the rest later', async () => {
    const { tree, calls, object } = await reading(four, {}, 32 * MIB);
    tree.list('c');
    tree.read('c/b.yml');
    const [a, b, c, d] = ['a.yaml', 'b.yml', 'c.yaml', 'd.yaml'].map((name) => object(`c/${name}`));
    expect(calls.at(-1)).toEqual({ form: 'contents', names: [b, a, c] });
    expect(Buffer.from(tree.read('c/d.yaml')).toString()).toBe('d');
    expect(calls.at(-1)).toEqual({ form: 'contents', names: [d] });
  });

  test('of all links are read with two calls of git', async () => {
    const { tree, calls } = await reading({ x: 'x' }, { one: 'x', two: 'one', three: './two', four: 'gone' });
    expect(['one', 'two', 'three', 'four'].map((name) => tree.typeOf(name))).toEqual(['file', 'file', 'file', 'missing']);
    expect(calls.map(({ form }) => form)).toEqual(['sizes', 'contents']);
  });

  test('that git does not have are an error that says what to do', async () => {
    const { tree, object, folder } = await reading(four);
    const blob = object('c/f.txt');
    rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const message = 'git does not have the contents of `c/f.txt`, which the commit names';
    const lost = { code: 'failed', message, hint: expect.stringMatching(/clone without --filter.*git fsck/) };
    for (const use of [() => tree.read('c/f.txt'), () => tree.size('c/f.txt')]) expect(use).toThrow(expect.objectContaining(lost));
  });
});

describe('a path at a commit', () => {
  test('may end with a slash, and resolves to itself where nothing is there', async () => {
    const { tree } = await reading({ 'c/a.yaml': 'a' }, { l: 'c' });
    expect(['c/', 'l/', '/', './'].map((path) => tree.typeOf(path))).toEqual(['folder', 'folder', 'outside', 'folder']);
    expect(['c/', 'l/a.yaml', 'no/such', '../x'].map((path) => tree.resolve?.(path))).toEqual(['c', 'c/a.yaml', 'no/such', '../x']);
  });

  test('that is no file, or is outside of the project, cannot be read', async () => {
    const { tree } = await reading({ 'c/a.yaml': 'a' });
    expect(() => tree.read('c')).toThrow('c: no such file');
    expect(() => tree.list('c/a.yaml')).toThrow('c/a.yaml: no such folder');
    expect(() => tree.size('../x')).toThrow('../x: outside the project');
  });

  test('may be a link of 4096 bytes, the longest that is followed', async () => {
    const { at, folder } = await newClone();
    for (const [link, target] of [
      ['longest', `${'./'.repeat(2047)}xy`],
      ['longer', `${'./'.repeat(2047)}xyz`],
    ] as const) {
      write(folder, { target, xy: 'x', xyz: 'x' });
      git(folder, 'add', 'xy', 'xyz');
      git(folder, 'update-index', '--add', '--cacheinfo', `120000,${git(folder, 'hash-object', '-w', 'target')},${link}`);
    }
    git(folder, 'commit', '-q', '-m', 'links');
    const tree = await filesAt(at, git(at.repository.folder, 'rev-parse', 'HEAD'));
    expect([tree.typeOf('longest'), tree.typeOf('longer')]).toEqual(['file', 'missing']);
  });

  test('may follow forty links, and no more', async () => {
    const links = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`l${index}`, index === 0 ? 'x' : `l${index - 1}`]));
    const { tree } = await reading({ x: 'x' }, links);
    expect([tree.typeOf('l39'), tree.typeOf('l40')]).toEqual(['file', 'missing']);
  });

  test('in a submodule is an error that says where sources belong', async () => {
    const { at, folder } = await newClone();
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    git(folder, 'commit', '-q', '-m', 'x');
    const tree = await filesAt(at, git(at.repository.folder, 'rev-parse', 'HEAD'));
    expect(() => tree.typeOf('module')).toThrow(
      expect.objectContaining({
        code: 'failed',
        message: '`module` is a submodule, of which this repository holds no files',
        hint: 'keep sources in the repository itself',
      }),
    );
  });
});

describe('hasText', () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

  test('compares a file with a content, except for the ends of lines', async () => {
    const { tree } = await reading({ unix: 'a\nb\n', dos: 'a\r\nb\r\n' }, { link: 'dos' });
    const same = ['unix', 'dos', 'link'].flatMap((path) =>
      ['a\nb\n', 'a\r\nb\r\n', 'a\r\nb\n'].map((text) => tree.hasText(path, bytes(text))),
    );
    expect(same).toEqual(Array.from({ length: 9 }, () => true));
    const other = ['unix', 'dos', 'link'].flatMap((path) =>
      ['a\nb', 'ab', 'a\rb\r', 'a\n\nb\n', ''].map((text) => tree.hasText(path, bytes(text))),
    );
    expect(other).toEqual(Array.from({ length: 15 }, () => false));
  });

  test('is false for a folder, for what is not there, and for what is outside of the project', async () => {
    const { tree } = await reading({ 'c/a.yaml': 'a' });
    expect(['c', 'gone', '..', 'c/a.yaml/b'].map((path) => tree.hasText(path, bytes('')))).toEqual([false, false, false, false]);
  });

  test('reads nothing where the content is the committed one', async () => {
    const { tree, calls } = await reading({ x: 'a\r\nb' });
    expect([tree.hasText('x', bytes('a\r\nb')), calls]).toEqual([true, []]);
    expect([tree.hasText('x', bytes('a\nb')), calls.map(({ form }) => form)]).toEqual([true, ['contents']]);
  });
});

test.each([
  [40, 'sha1'],
  [64, 'sha256'],
])('blobName gives a content a name of %i digits, by %s as git does', async (length, algorithm) => {
  const { folder } = await newClone();
  const expected = createHash(algorithm).update('blob 3\0').update('x\ny').digest('hex');
  expect(blobName(Buffer.from('x\ny'), length)).toBe(expected);
  write(folder, { made: 'x\ny' });
  if (algorithm === 'sha1') expect(git(folder, 'hash-object', 'made')).toBe(expected);
});
