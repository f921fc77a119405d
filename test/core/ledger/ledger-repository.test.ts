/** A ledger in a repository of its own, which anybody with write access to it may have changed (design section 6). */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesAt } from '../../../src/core/ledger/commit-files.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { openLedgerRepository } from '../../../src/core/ledger/ledger-repository.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import { openRepository } from '../../../src/core/ledger/repository.ts';
import { writeCommit } from '../../../src/core/ledger/single-file-commit.ts';
import { type SnapshotFiles, writeSnapshot } from '../../../src/core/ledger/snapshot.ts';
import { createBareRepository } from '../../support/git-repository.ts';
import { bare, commit, emptyFolder, entry, git, ledgerOf, lock, newClone, putEntries } from './repositories.ts';

const REF = 'refs/upkeep/production';

/** A clone of a project, and an empty ledger repository beside it. */
async function newLedger() {
  const { folder, first, url } = await newClone();
  const ledger = join(emptyFolder(), 'ledger.git');
  createBareRepository(ledger);
  const open = async (target = 'production') => openLedgerRepository(await openRepository(folder, bare), target, ledger, bare);
  return { folder, first, url, ledger, open, at: await open() };
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

function filesOf(files: { readonly [path: string]: string }, ...folders: readonly string[]): SnapshotFiles {
  return { files: new Map(Object.entries(files).map(([path, content]) => [path, text(content)])), folders: new Set(folders) };
}

/** Everything of the project's clone that must stay as it is. */
const visible = (folder: string): unknown => [
  git(folder, 'for-each-ref'),
  git(folder, 'count-objects', '-v'),
  git(folder, 'config', '--list', '--local'),
  existsSync(join(folder, '.git/shallow')),
];

/** Makes a tree with these rows of `git mktree` the commit of a ref of the ledger repository. */
function putTree(ledger: string, rows: readonly string[]): string {
  const folder = emptyFolder();
  git(folder, 'clone', '-q', ledger, 'work');
  const work = join(folder, 'work');
  const blob = (content: string): string => {
    commit(work, { content });
    return git(work, 'rev-parse', 'HEAD:content');
  };
  const tree = rows.map((row) => row.replace(/<([^>]*)>/, (_all, content: string) => blob(content))).join('\n');
  commit(work, { tree: `${tree}\n` });
  const made = git(work, '-c', 'alias.make=!git mktree --missing <tree', 'make');
  const head = git(work, 'commit-tree', '-m', 'hostile', made);
  git(work, 'push', '-q', '--force', ledger, `${head}:refs/hostile/tree`);
  return head;
}

/** Entries of so many runs, `run-0` first. */
const runs = (count: number): readonly LedgerEntry[] => Array.from({ length: count }, (_, index) => entry({ by: `run-${index}` }));

describe('the copy of a ledger repository', () => {
  test('lies beside the local files of the target, for this user alone, and leaves the clone as it is', async () => {
    const { folder, at, open, first } = await newLedger();
    const before = visible(folder);
    const made = await (await lock(at)).pushEntry(entry({ config: { commit: first, digest: entry().config.digest } }), null);
    const others = await Promise.all([open(), open(), open('staging')]);
    expect((await ledgerOf(others[0] ?? at).latest())?.commit).toBe(made);
    const copies = others.map(({ repository }) => repository.folder);
    expect([copies[1], copies[2] === copies[0]]).toEqual([copies[0], false]);
    expect(copies.map((copy) => copy.startsWith(join(folder, '.git/upkeep')))).toEqual([true, true, true]);
    expect(statSync(dirname(copies[0] ?? '')).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(copies[0] ?? '')).filter((name) => name !== 'seen')).toHaveLength(1);
    expect(visible(folder)).toEqual(before);
  });

  test('may be deleted: the next run makes it again', async () => {
    const { at, open } = await newLedger();
    const made = await (await lock(at)).pushEntry(entry(), null);
    rmSync(at.repository.folder, { recursive: true });
    expect((await ledgerOf(await open()).latest())?.commit).toBe(made);
  });

  test.each([
    [
      'a path',
      (ledger: string) => ledger,
      /^there must be a bare repository there: create it \(git init --bare .*ledger\.git\), or correct/,
    ],
    ['an address', () => 'https://127.0.0.1:1/acme/ledger.git', /^create an empty repository there .* or correct `ledger` of the target$/],
  ])('says what to do where there is no ledger repository at %s', async (_what, addressOf, hint) => {
    const { folder } = await newClone();
    const address = addressOf(join(emptyFolder(), 'ledger.git'));
    const at = await openLedgerRepository(await openRepository(folder, bare), 'production', address, bare);
    await expect(ledgerOf(at).latest()).rejects.toMatchObject({ code: 'unreachable', hint: expect.stringMatching(hint) });
  });

  test('is refused where it is a link', async () => {
    const { at, open } = await newLedger();
    const elsewhere = emptyFolder();
    rmSync(at.repository.folder, { recursive: true });
    symlinkSync(elsewhere, at.repository.folder);
    await expect(open()).rejects.toThrow('is a link');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('gets the last entry alone, however many there are', async () => {
    const { ledger, open } = await newLedger();
    const objects: number[] = [];
    const calls: number[] = [];
    for (const count of [1, 12]) {
      const last = putEntries(ledger, runs(count));
      const target = await open();
      rmSync(target.repository.folder, { recursive: true });
      const fresh = await open();
      let made = 0;
      const run: typeof fresh.repository.run = (args, call) => {
        made += 1;
        return fresh.repository.run(args, call);
      };
      expect((await ledgerOf({ ...fresh, repository: { ...fresh.repository, run } }).latest())?.commit).toBe(last);
      objects.push(Number(/count: (\d+)/.exec(git(fresh.repository.folder, '--git-dir', '.', 'count-objects', '-v'))?.[1]));
      calls.push(made);
    }
    expect(objects).toEqual([3, 3]);
    expect(calls[1]).toBe(calls[0]);
    expect(git(ledger, 'rev-list', '--count', REF)).toBe('13');
  });

  test('is fetched into a few times for a long history, and once for the entry before the last', async () => {
    const { ledger: repository, open } = await newLedger();
    putEntries(repository, runs(20));
    const fresh = await open();
    let fetches = 0;
    const run: typeof fresh.repository.run = (args, call) => {
      fetches += args.includes('fetch') ? 1 : 0;
      return fresh.repository.run(args, call);
    };
    const ledger = ledgerOf({ ...fresh, repository: { ...fresh.repository, run } });
    const read: string[] = [];
    for await (const found of ledger.history()) {
      read.push(found.entry.by);
      if (read.length === 2) expect(fetches).toBe(2);
    }
    expect(read).toEqual(Array.from({ length: 20 }, (_, index) => `run-${19 - index}`));
    expect(fetches).toBe(6);
  });

  test('walks the history of entries, and finds one by its ID but no commit of the project', async () => {
    const { at, open, first } = await newLedger();
    const one = await (await lock(at)).pushEntry(entry({ by: 'one' }), null);
    const snapshot = await writeSnapshot(at.repository, filesOf({ 'upkeep.yaml': 'version: 1\n' }));
    const two = await (await lock(at)).pushEntry(
      entry({ by: 'two', config: { commit: first, digest: entry().config.digest }, snapshots: { [first]: snapshot } }),
      one,
    );
    rmSync(at.repository.folder, { recursive: true });
    const ledger = ledgerOf(await open());
    expect([(await ledger.entryAt(one))?.entry.by, (await ledger.entryAt(two))?.previous]).toEqual(['one', one]);
    for (const other of [first, snapshot, 'f'.repeat(40), 'f'.repeat(64)]) expect(await ledger.entryAt(other), other).toBeNull();
  });
});

describe('writeSnapshot', () => {
  const files = { 'upkeep.yaml': 'version: 1\r\n', 'config/a.yaml': '', 'config/deep/er/b.yaml': 'ä\0\xff', 'config/a': 'x' };

  test('gives the same commit for the same files, in any order, and keeps contents and folders', async () => {
    const { at, open } = await newLedger();
    const made = await writeSnapshot(at.repository, filesOf(files, '.', 'config', 'config/empty', './config/deep/'));
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    const other = await open('staging');
    expect(await writeSnapshot(other.repository, filesOf(reversed, 'config/empty'))).toBe(made);
    expect(await writeSnapshot(other.repository, filesOf({ ...files, 'config/a': 'y' }, 'config/empty'))).not.toBe(made);
    const read = await filesAt(at, made);
    for (const [path, content] of Object.entries(files)) expect(Buffer.from(read.read(path)).toString()).toBe(content);
    expect([read.list('config').toSorted(), read.list('config/empty')]).toEqual([['a', 'a.yaml', 'deep', 'empty'], []]);
    expect(git(at.repository.folder, '--git-dir', '.', 'fsck', '--strict')).not.toContain('error');
    expect(git(at.repository.folder, '--git-dir', '.', 'cat-file', 'commit', made)).not.toContain('parent');
  });
});

describe('a hostile ledger repository', () => {
  test('does not replace the ref of a ledger by one whose name ends like it', async () => {
    const { at, ledger } = await newLedger();
    const made = await writeCommit(at.repository, { name: 'entry.json', text: '{}', message: 'x', parents: [], at: 0 });
    const names = [`refs/x/${REF}`, `refs/heads/${REF}`, `${REF}x`];
    git(at.repository.folder, '--git-dir', '.', 'push', '-q', ledger, ...names.map((name) => `${made}:${name}`));
    expect(await ledgerOf(at).latest()).toBeNull();
    // While a branch has that name, git refuses every push to the ledger.
    const taken = await lock(at);
    await expect(taken.pushEntry(entry(), null)).rejects.toMatchObject({ code: 'refused' });
    git(ledger, 'update-ref', '-d', `refs/heads/${REF}`);
    const one = await taken.pushEntry(entry(), null);
    expect((await ledgerOf(at).latest())?.commit).toBe(one);
  });

  test('cannot pass off an entry of another target, or a commit of other files, as an entry', async () => {
    const { at, ledger } = await newLedger();
    const one = await (await lock(at, 'ada', { target: 'staging' })).pushEntry(entry({ target: 'staging' }), null);
    git(ledger, 'update-ref', REF, one);
    await expect(ledgerOf(at).latest()).rejects.toThrow('it belongs to the target staging');
    git(ledger, 'update-ref', REF, putTree(ledger, ['100644 blob <x>\tother.json']));
    await expect(ledgerOf(at).latest()).rejects.toThrow('holds no entry.json');
    git(ledger, 'update-ref', REF, putTree(ledger, ['120000 blob </etc/passwd>\tentry.json']));
    await expect(ledgerOf(at).latest()).rejects.toThrow('is not JSON');
  });

  test('cannot lead out of the files of a configuration by links, submodules or odd names', async () => {
    const { at, ledger, folder } = await newLedger();
    const before = visible(folder);
    const hostile = putTree(ledger, [
      '120000 blob </etc/passwd>\tabsolute.yaml',
      '120000 blob <../../../../../../etc/passwd>\tabove.yaml',
      '120000 blob <loop.yaml>\tloop.yaml',
      `160000 commit ${'a'.repeat(40)}\tsubmodule`,
      '100644 blob <version: 1>\tupkeep.yaml',
    ]);
    const files = await filesAt(at, hostile);
    expect(['absolute.yaml', 'above.yaml', 'loop.yaml', '../upkeep.yaml', 'upkeep.yaml'].map((path) => files.typeOf(path))).toEqual([
      'outside',
      'outside',
      'missing',
      'outside',
      'file',
    ]);
    expect(() => files.typeOf('submodule/x.yaml')).toThrow('is a submodule');
    expect(visible(folder)).toEqual(before);
  });

  test('cannot make a run fetch the history of a project that somebody pushed there', async () => {
    const { at, ledger, folder, open } = await newLedger();
    for (let count = 0; count < 10; count++) commit(folder, { big: `${count}`.repeat(10_000) });
    const parent = git(folder, 'rev-parse', 'HEAD');
    git(folder, 'push', '-q', ledger, 'HEAD:refs/heads/main');
    git(at.repository.folder, '--git-dir', '.', 'fetch', '-q', ledger, 'refs/heads/main');
    const long = await writeCommit(at.repository, {
      name: 'entry.json',
      text: JSON.stringify(entry()),
      message: 'x',
      parents: [parent],
      at: 0,
    });
    git(at.repository.folder, '--git-dir', '.', 'push', '-q', ledger, `${long}:${REF}`);
    rmSync(at.repository.folder, { recursive: true });
    const fresh = await open();
    expect((await ledgerOf(fresh).latest())?.commit).toBe(long);
    expect(git(fresh.repository.folder, '--git-dir', '.', 'count-objects')).toMatch(/^3 objects/);
  });
});

describe('the address of a ledger repository', () => {
  test.each(['inside.git', 'deep/inside.git', 'deep/er', '.', 'deep/link/x.git'])(
    'may not be %s in the work tree of a project below its top',
    async (path) => {
      const { folder } = await newClone({ 'deep/er/upkeep.yaml': 'version: 1\n' });
      mkdirSync(join(folder, 'deep/real'));
      symlinkSync('real', join(folder, 'deep/link'));
      const project = await openRepository(join(folder, 'deep/er'), bare);
      const opened = (address: string): Promise<LedgerRemote> => openLedgerRepository(project, 'production', address, bare);
      await expect(opened(join(folder, path))).rejects.toThrow('lies in the work tree');
      const outside = join(emptyFolder(), 'outside');
      symlinkSync(folder, outside);
      await expect(opened(join(outside, path))).rejects.toThrow('lies in the work tree');
      expect((await opened(`${folder}.git`)).remote).toBe(`${folder}.git`);
    },
  );
});
