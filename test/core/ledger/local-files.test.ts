import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { LedgerError } from '../../../src/core/ledger/errors.ts';
import {
  checkFolder,
  ensureHistoryFolder,
  localFolderOfUser,
  readLocalFile,
  writeLocalFile,
} from '../../../src/core/ledger/local-files.ts';
import { temporaryFolder } from '../../support/harness.ts';

const HASH = createHash('sha256').update('/projects/one').digest('hex');

test.each([
  ['XDG_STATE_HOME', { XDG_STATE_HOME: '/state', HOME: '/home/ada' }, '/state'],
  ['the home of the user where XDG_STATE_HOME is not set', { HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['the home of the user where XDG_STATE_HOME is relative', { XDG_STATE_HOME: 'state', HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['the home that the system knows where HOME is not set', {}, join(homedir(), '.local/state')],
  ['the home that the system knows where HOME is relative', { HOME: 'ada' }, join(homedir(), '.local/state')],
])('without a repository, the local files of the project lie in %s', (_what, env, base) => {
  expect(localFolderOfUser('/projects/one', env)).toBe(join(base, 'upkeep', HASH));
});

/** The folder of the local files of the target, which does not exist yet. */
const newFolder = (): string => join(localFolderOfUser('/projects/one', { XDG_STATE_HOME: join(temporaryFolder(), 'state') }), 'live');

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a local file', () => {
  test('is null where nothing was written, and replaces the one before, of which nothing is left', () => {
    const folder = newFolder();
    expect(readLocalFile(folder, 'pending.json', 100)).toBeNull();
    writeLocalFile(folder, 'pending.json', 'first');
    writeLocalFile(folder, 'pending.json', 'second');
    expect(readLocalFile(folder, 'pending.json', 100)).toBe('second');
    expect(readdirSync(folder)).toEqual(['pending.json']);
  });

  test('and its folders are for this user alone, also folders that were open to others', () => {
    const folder = newFolder();
    writeLocalFile(folder, 'pending.json', 'own');
    const folders = [dirname(dirname(folder)), dirname(folder), folder];
    expect([modeOf(join(folder, 'pending.json')), ...folders.map(modeOf)]).toEqual([0o600, 0o700, 0o700, 0o700]);
    for (const path of folders) chmodSync(path, 0o755);
    readLocalFile(folder, 'pending.json', 100);
    expect(folders.map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  });

  test('keeps the mode of a folder that only this user may open', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    checkFolder(folder);
    expect(modeOf(folder)).toBe(0o500);
  });

  test('of the maximum size is read, and one of a byte more is not', () => {
    const folder = newFolder();
    writeLocalFile(folder, 'pending.json', 'x'.repeat(100));
    expect(readLocalFile(folder, 'pending.json', 100)).toHaveLength(100);
    writeLocalFile(folder, 'pending.json', 'x'.repeat(101));
    expect(() => readLocalFile(folder, 'pending.json', 100)).toThrow(`${join(folder, 'pending.json')} is too large`);
  });

  test('that is a folder or a link is not read', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'pending.json'), { recursive: true });
    expect(() => readLocalFile(folder, 'pending.json', 100_000)).toThrow('pending.json is not a regular file');
    symlinkSync(join(folder, 'pending.json'), join(folder, 'link.json'));
    expect(() => readLocalFile(folder, 'link.json', 100)).toThrow('link.json is a link, and is not followed');
  });

  test('whose folder is a file is neither read nor written, and the hint says what to do', () => {
    const folder = newFolder();
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, '');
    const hint = 'move it away: upkeep makes what it needs itself';
    for (const use of [() => readLocalFile(folder, 'pending.json', 100), () => writeLocalFile(folder, 'pending.json', 'own')]) {
      expect(use).toThrow(expect.objectContaining({ message: `${folder} is not a folder`, hint }));
    }
  });

  test('that cannot be put in its place leaves no draft', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'pending.json', 'full'), { recursive: true });
    expect(() => writeLocalFile(folder, 'pending.json', 'own')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['pending.json']);
  });
});

test('the folder of the history lies beside the local files of the targets, for this user alone', () => {
  const project = dirname(newFolder());
  mkdirSync(dirname(project), { recursive: true });
  const folder = ensureHistoryFolder(project);
  expect([folder, modeOf(folder), modeOf(dirname(folder))]).toEqual([join(dirname(project), 'history'), 0o700, 0o700]);
});

test('a local file in a folder of another user is neither read nor written', () => {
  const folder = join(localFolderOfUser('/projects/one', { XDG_STATE_HOME: temporaryFolder() }), 'live');
  writeLocalFile(folder, 'pending.json', 'own');
  expect(readLocalFile(folder, 'pending.json', 100)).toBe('own');
  const anotherUser = vi.spyOn(process, 'getuid').mockReturnValue(4242);
  try {
    expect(() => readLocalFile(folder, 'pending.json', 100)).toThrow(LedgerError);
    expect(() => readLocalFile(folder, 'pending.json', 100)).toThrow('belongs to another user');
    expect(() => writeLocalFile(folder, 'pending.json', 'theirs')).toThrow('belongs to another user');
  } finally {
    anotherUser.mockRestore();
  }
  expect(readLocalFile(folder, 'pending.json', 100)).toBe('own');
});
