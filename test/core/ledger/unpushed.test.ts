/** The entry of an apply that is not in the ledger yet: how it is kept, read, pushed, and put after later entries. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { GitError } from '../../../src/core/ledger/errors.ts';
import { deleteUnpushed, pushEntry, readUnpushed, rebaseEntry, saveUnpushed, snapshotOf } from '../../../src/core/ledger/push-entry.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { entry, isEntry } from './repositories.ts';
import { scriptedGit } from './scripted-git.ts';

const COMMIT = '1'.repeat(40);
const FILES = '2'.repeat(40);
const PREVIOUS = '3'.repeat(40);
const check = (value: unknown): value is LedgerEntry => isEntry(value);

const newLocalFolder = (): string => join(temporaryFolder(), 'upkeep/project/production');

describe('readUnpushed', () => {
  test('returns what saveUnpushed kept until deleteUnpushed, which may be called twice', () => {
    const localFolder = newLocalFolder();
    expect(readUnpushed(localFolder, 'production', check)).toBeNull();
    for (const previous of [null, COMMIT, 'a'.repeat(64)]) {
      saveUnpushed(localFolder, { entry: entry(), previous });
      expect(readUnpushed(localFolder, 'production', check)).toEqual({ entry: entry(), previous });
    }
    for (let call = 0; call < 2; call++) deleteUnpushed(localFolder);
    expect([readUnpushed(localFolder, 'production', check), readdirSync(localFolder)]).toEqual([null, []]);
  });

  const kept = (previous: unknown): string => JSON.stringify({ previous, entry: entry() });

  test.each([
    ['{', 'it is not JSON'],
    ['null', 'it does not have the form of an entry'],
    ['{"previous":null}', 'it does not have the form of an entry'],
    [JSON.stringify({ previous: null, entry: entry({ target: 'staging' }) }), 'it does not belong here'],
    [JSON.stringify({ entry: entry() }), 'it does not belong here'],
    ...[1, 'g'.repeat(40), '1'.repeat(39), '1'.repeat(65), `x${COMMIT}`, `${COMMIT}\n`].map((previous) => [
      kept(previous),
      'it does not belong here',
    ]),
  ])('reports a file that cannot be used, with what to do: %s', (text, reason) => {
    const localFolder = newLocalFolder();
    mkdirSync(localFolder, { recursive: true });
    writeFileSync(join(localFolder, 'pending.json'), text);
    expect(() => readUnpushed(localFolder, 'production', check)).toThrow(
      expect.objectContaining({
        name: 'LedgerError',
        message: `the entry kept in ${join(localFolder, 'pending.json')} cannot be used: ${reason}`,
        hint: 'move the file away; `plan` shows what has to be adopted',
      }),
    );
  });

  test('passes on an error of the program', () => {
    const localFolder = newLocalFolder();
    saveUnpushed(localFolder, { entry: entry(), previous: null });
    const broken = (_value: unknown): _value is LedgerEntry => {
      throw new TypeError('broken');
    };
    expect(() => readUnpushed(localFolder, 'production', broken)).toThrow(new TypeError('broken'));
  });
});

const config = { commit: COMMIT, digest: entry().config.digest };

test('snapshotOf returns the commit of the files of a configuration', () => {
  expect(snapshotOf(entry({ config, snapshots: { [COMMIT]: FILES } }))).toBe(FILES);
  expect(snapshotOf(entry({ config, snapshots: { [FILES]: FILES } }))).toBeNull();
  expect(snapshotOf(entry({ config }))).toBeNull();
  expect(snapshotOf(entry({ snapshots: { null: FILES } }))).toBeNull();
});

describe('pushEntry', () => {
  /** A remote where a push fails with an error, and which then says so about its ref. */
  const remoteWith = (error: Error | null, head: string | Error) =>
    scriptedGit((args) => {
      if (args.includes('ls-remote')) return head instanceof Error ? head : `${head}\trefs/upkeep/production\n`;
      if (args.includes('push')) return error ?? '';
      return args.includes('commit-tree') ? `${COMMIT}\n` : '';
    });
  const lost = new GitError('unreachable', 'git push: hung up', '');
  const at = ({ repository }: ReturnType<typeof scriptedGit>) => ({ repository, remote: 'origin' });

  test('succeeds where the answer is lost and the ref is the entry', async () => {
    expect(await pushEntry(at(remoteWith(lost, COMMIT)), entry(), null, [])).toBe(COMMIT);
    const quiet = remoteWith(null, COMMIT);
    expect(await pushEntry(at(quiet), entry(), null, [])).toBe(COMMIT);
    expect(quiet.calls.some(([args]) => args.includes('ls-remote'))).toBe(false);
  });

  test.each<[string, string | Error]>([
    ['is another entry', PREVIOUS],
    ['cannot be read', new GitError('unreachable', 'git ls-remote: hung up', '')],
  ])('throws the error of the push where the ref %s', async (_what, head) => {
    await expect(pushEntry(at(remoteWith(lost, head)), entry(), null, [])).rejects.toBe(lost);
  });

  test('passes on an error of the program while it reads the ref', async () => {
    const broken = new TypeError('broken');
    await expect(pushEntry(at(remoteWith(lost, broken)), entry(), null, [])).rejects.toBe(broken);
  });

  test.each<[string, Partial<LedgerEntry>, string | null, boolean, readonly string[]]>([
    ['the entry before and the configuration', { config }, PREVIOUS, false, [PREVIOUS, COMMIT]],
    ['the configuration, for a first entry', { config }, null, false, [COMMIT]],
    ['the entry before alone, where the work tree was dirty', {}, PREVIOUS, false, [PREVIOUS]],
    [
      'the files of the configuration, in a ledger repository',
      { config, snapshots: { [COMMIT]: FILES } },
      PREVIOUS,
      true,
      [PREVIOUS, FILES],
    ],
    ['the entry before alone, in a ledger repository without the files', { config }, PREVIOUS, true, [PREVIOUS]],
  ])('makes parents of %s', async (_what, more, previous, isSeparate, parents) => {
    const { repository, calls } = remoteWith(null, COMMIT);
    const place = isSeparate ? ({ repository, remote: '/ledger.git', byAddress: true } as const) : { repository, remote: 'origin' };
    await pushEntry(place, entry({ ...more, at: '2026-03-01T10:00:00.900Z' }), previous, [{ ref: 'refs/x', was: FILES, becomes: null }]);
    const made = calls.find(([args]) => args.includes('commit-tree'));
    expect(made?.[0].filter((_arg, index, all) => all[index - 1] === '-p')).toEqual(parents);
    expect(made?.[1]?.env).toMatchObject({ GIT_AUTHOR_DATE: `@${Date.UTC(2026, 2, 1, 10) / 1000} +0000` });
    expect(calls.filter(([args]) => args.includes('cat-file')).map(([args]) => args.at(-1))).toEqual(
      parents.map((each) => `${each}^{tree}`),
    );
    const pushed = calls.find(([args]) => args.includes('push'))?.[0] ?? [];
    expect(pushed.slice(-2)).toEqual([`${COMMIT}:refs/upkeep/production`, ':refs/x']);
    expect(pushed).toContain(`--force-with-lease=refs/upkeep/production:${previous ?? ''}`);
  });
});

describe('rebaseEntry', () => {
  test('takes the configuration and its files from the latest entry', () => {
    const late = entry({ config, snapshots: { [COMMIT]: FILES }, by: 'late' });
    const latest = entry({ config: { ...config, commit: PREVIOUS }, snapshots: { [PREVIOUS]: COMMIT } });
    expect(rebaseEntry(late, null, latest)).toMatchObject({ by: 'late', config: latest.config, snapshots: { [PREVIOUS]: COMMIT } });
    expect(rebaseEntry(late, null, entry())).not.toHaveProperty('snapshots');
  });

  test('notes what it adds as applied last with its own configuration, and keeps what the latest entry notes', () => {
    const bindings = { a: { id: '1', origin: 'created' as const }, b: { id: '2', origin: 'adopted' as const } };
    const late = entry({ config, bindings, pendingSince: { z: PREVIOUS } });
    expect(rebaseEntry(late, entry({ bindings: {} }), entry({ bindings: {}, pendingSince: { a: null, c: FILES } }))).toMatchObject({
      bindings,
      pendingSince: { a: COMMIT, b: COMMIT, c: FILES },
    });
    expect(rebaseEntry(late, late, entry({ bindings: {} })).pendingSince).toEqual({});
  });
});
