import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { diskFiles, findProjectFile, memoryFiles } from '../../../src/core/config/project-folder.ts';
import { folderWith } from './fixture.ts';

describe('diskFiles', () => {
  test('returns the type of files, folders and missing paths', () => {
    const files = diskFiles(folderWith({ 'a/b.yaml': 'x: 1' }));
    expect(['a/b.yaml', 'a', '.', './a/', 'c', 'a/b.yaml/c'].map((path) => files.typeOf(path))).toEqual([
      'file',
      'folder',
      'folder',
      'folder',
      'missing',
      'missing',
    ]);
    expect(files.list('a')).toEqual(['b.yaml']);
    expect(files.size('a/b.yaml')).toBe(4);
    expect(new TextDecoder().decode(files.read('a/b.yaml'))).toBe('x: 1');
  });

  test('never reads outside the folder, by path or by link', () => {
    const elsewhere = folderWith({ secret: 's' });
    const folder = folderWith({ 'in/file': 'f' });
    symlinkSync(elsewhere, join(folder, 'out'));
    symlinkSync(join(elsewhere, 'secret'), join(folder, 'in/link'));
    symlinkSync(join(folder, 'in/file'), join(folder, 'inside'));
    symlinkSync('circle', join(folder, 'circle'));
    const files = diskFiles(folder);
    for (const path of ['..', '../x', 'in/../../x', '/etc/hosts', 'out', 'out/secret', 'in/link', 'a\\b', 'a\0b']) {
      expect([path, files.typeOf(path)]).toEqual([path, 'outside']);
      expect(() => files.read(path)).toThrow('outside the project');
    }
    expect(files.typeOf('inside')).toBe('file');
    expect(['inside', './in/', '.'].map((path) => files.resolve?.(path))).toEqual(['in/file', 'in', '.']);
    expect(() => files.resolve?.('out')).toThrow('outside the project');
    expect(files.typeOf('circle')).toBe('missing');
    expect(() => files.read('nowhere')).toThrow('no such file');
  });

  test('treats a sibling whose name begins with that of the folder as outside', () => {
    const folder = folderWith({ 'a/x': '', 'ab/x': 'y' });
    symlinkSync(join(folder, 'ab'), join(folder, 'a/link'));
    expect(diskFiles(join(folder, 'a')).typeOf('link/x')).toBe('outside');
  });

  test('treats other kinds of files as special', async () => {
    const folder = folderWith({});
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(folder, 'socket'), listening));
    expect(diskFiles(folder).typeOf('socket')).toBe('special');
    await new Promise((closed) => server.close(closed));
  });

  test('treats a name that is too long as missing', () => {
    expect(diskFiles(folderWith({})).typeOf('x'.repeat(5000))).toBe('missing');
  });
});

test('memoryFiles contains its files in one folder', () => {
  const files = memoryFiles([{ name: 'a.yaml', text: 'é' }]);
  expect([files.typeOf('a.yaml'), files.typeOf('.'), files.typeOf('b')]).toEqual(['file', 'folder', 'missing']);
  expect([files.list('.'), files.size('a.yaml')]).toEqual([['a.yaml'], 2]);
  expect(() => files.read('b')).toThrow('no such file');
});

describe('findProjectFile', () => {
  test('finds the nearest upkeep.yaml in a parent folder', () => {
    const folder = realpathSync(folderWith({ 'upkeep.yaml': '', 'a/upkeep.yaml': '', 'a/b/c/x': '', 'd/x': '' }));
    expect(findProjectFile(join(folder, 'a/b/c'))).toBe(join(folder, 'a/upkeep.yaml'));
    expect(findProjectFile(join(folder, 'd'))).toBe(join(folder, 'upkeep.yaml'));
  });

  test('uses the given folder or file', () => {
    const folder = folderWith({ 'a/upkeep.yaml': '', 'a/other.yaml': '' });
    expect(findProjectFile(folder, 'a')).toBe(join(folder, 'a/upkeep.yaml'));
    expect(findProjectFile(folder, 'a/other.yaml')).toBe(join(folder, 'a/other.yaml'));
    expect(findProjectFile(folder, 'b')).toBeNull();
  });

  test('ends the search at the top of the work tree, which has a folder or a file named .git', () => {
    const folder = realpathSync(
      folderWith({ 'upkeep.yaml': '', 'a/.git/HEAD': '', 'a/b/x': '', 'c/.git': 'gitdir: /elsewhere', 'c/d/x': '' }),
    );
    expect(['a/b', 'a', 'c/d'].map((place) => findProjectFile(join(folder, place)))).toEqual([null, null, null]);
    expect(findProjectFile(join(folder, 'a/b'), folder)).toBe(join(folder, 'upkeep.yaml'));
    writeFileSync(join(folder, 'a/upkeep.yaml'), '');
    expect(findProjectFile(join(folder, 'a/b'))).toBe(join(folder, 'a/upkeep.yaml'));
  });

  test('ends the search outside git at the first folder or file of another user, but not in the working directory', () => {
    const folder = realpathSync(folderWith({ 'upkeep.yaml': '', '.git/HEAD': '', 'a/b/x': '', 'c/upkeep.yaml': '' }));
    const anotherUser = vi.spyOn(process, 'getuid').mockReturnValue(4242);
    expect(['a/b', 'a'].map((place) => findProjectFile(join(folder, place)))).toEqual([null, null]);
    expect(findProjectFile(join(folder, 'c'))).toBe(join(folder, 'c/upkeep.yaml'));
    expect(findProjectFile(join(folder, 'a'), folder)).toBe(join(folder, 'upkeep.yaml'));
    anotherUser.mockRestore();
  });

  test('returns null at the root, and ignores a folder named upkeep.yaml', () => {
    const folder = folderWith({ x: '' });
    mkdirSync(join(folder, 'upkeep.yaml'));
    expect(findProjectFile(folder)).toBeNull();
  });
});
