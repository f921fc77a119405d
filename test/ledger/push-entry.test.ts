import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/ledger/entry.ts';
import { LedgerError } from '../../src/ledger/errors.ts';
import { rebaseEntry, unpushedFile } from '../../src/ledger/push-entry.ts';
import { bare, clone, commit, entry, git, hook, ledgerOf, lock, newClone, originOf, write } from './repositories.ts';

const created = (id: string) => ({ id, origin: 'created' as const });

/** The entries of the ledger by who applied, newest first. */
async function names(at: Parameters<typeof ledgerOf>[0]): Promise<string[]> {
  const found: string[] = [];
  for await (const recorded of ledgerOf(at).history()) found.push(recorded.entry.by);
  return found;
}

describe('an unpushed entry', () => {
  test('is stored completely until it is pushed, with no other file in its folder', async () => {
    const { at, folder } = await newClone();
    const ledger = ledgerOf(at);
    expect(await ledger.pendingRecord()).toBeNull();
    await ledger.keepRecord(entry(), null);
    await ledger.keepRecord(entry({ by: 'bob' }), null);
    expect(await ledger.pendingRecord()).toEqual({ entry: entry({ by: 'bob' }), previous: null });
    expect(await ledgerOf(at, 'staging').pendingRecord()).toBeNull();
    expect(readdirSync(join(folder, '.upkeep/pending'))).toEqual(['production.json']);
  });

  test.each<[string, string]>([
    ['is not JSON', '{'],
    ['is not a map', '[]'],
    ['contains no entry', '{"previous":null,"entry":{}}'],
    ['belongs to another target', JSON.stringify({ previous: null, entry: entry({ target: 'staging' }) })],
    ['names an invalid previous commit', JSON.stringify({ previous: '--all', entry: entry() })],
    ['names no previous commit', JSON.stringify({ entry: entry() })],
  ])('that %s is reported with its file, which stays', async (_what, text) => {
    const { at, folder } = await newClone();
    const path = unpushedFile(folder, 'production');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    await expect(ledgerOf(at).pendingRecord()).rejects.toThrow(LedgerError);
    await expect(ledgerOf(at).pushUnpushed(await lock(at))).rejects.toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('an unpushed entry that did not come from an apply in this folder is refused', () => {
  const text = JSON.stringify({ previous: null, entry: entry() });
  const path = '.upkeep/pending/production.json';

  test.each<[string, (folder: string) => void]>([
    ['a file of a commit', (folder) => write(folder, { [path]: text })],
    ['a file behind a link in place of .upkeep', (folder) => linked(folder, '.upkeep', 'other', 'pending/production.json')],
    ['a file behind a link in place of its folder', (folder) => linked(folder, '.upkeep/pending', 'other', 'production.json')],
    ['a link', (folder) => linked(folder, path, 'other.json', '')],
  ])('as %s, in a clone and in a folder beside a mirror', async (_what, add) => {
    const { url, folder } = await newClone();
    add(folder);
    git(folder, 'add', '-A', '-f');
    commit(folder);
    git(folder, 'push', '-q', 'origin', 'HEAD:main');
    const exported = clone(url);
    rmSync(join(exported, '.git'), { recursive: true });
    const places = [await originOf(clone(url)), await originOf(exported, { ...bare, GIT_DIR: clone(url, '--mirror') })];
    for (const place of places) {
      await expect(ledgerOf(place).pendingRecord()).rejects.toThrow('it came with a commit, or is a link');
      await expect(ledgerOf(place).pushUnpushed(await lock(place))).rejects.toThrow(LedgerError);
      git(url, 'update-ref', '-d', 'refs/upkeep/locks/production');
    }
  });

  /** Writes the entry to a file below `target`, and puts a link to `target` in place of `link`. */
  function linked(folder: string, link: string, target: string, below: string): void {
    write(folder, { [join(target, below)]: text });
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(relative(dirname(link), target), join(folder, link));
  }
});

describe('pushUnpushed', () => {
  test('does nothing without an unpushed entry', async () => {
    const { at } = await newClone();
    expect(await ledgerOf(at).pushUnpushed(await lock(at))).toBeNull();
  });

  test('pushes a rejected entry in the next run, which keeps its lock', async () => {
    const { at, url, first } = await newClone();
    const ledger = ledgerOf(at);
    const one = await (await lock(at)).record(entry({ by: 'one' }), null);
    const refused = entry({ by: 'two', config: { commit: first, digest: entry().config.digest } });
    const taken = await lock(at);
    hook(url, 'pre-receive', 'exit 1');
    await expect(taken.record(refused, one)).rejects.toMatchObject({ code: 'refused' });
    await ledger.keepRecord(refused, one);
    rmSync(join(url, 'hooks/pre-receive'));
    await taken.release();

    const next = await lock(at, 'three');
    const healed = await ledger.pushUnpushed(next);
    expect(healed).toMatchObject({ previous: one, entry: refused });
    expect(await ledger.latest()).toEqual(healed);
    expect([await next.held(), await ledger.pendingRecord()]).toEqual([true, null]);
    await next.record(entry({ by: 'three' }), healed?.commit ?? null);
    expect(await names(at)).toEqual(['three', 'two', 'one']);
  });

  test('does not push an entry again that reached the ledger, even if other entries followed it', async () => {
    const { at } = await newClone();
    const one = await (await lock(at)).record(entry({ by: 'one' }), null);
    await ledgerOf(at).keepRecord(entry({ by: 'one' }), null);
    await (await lock(at)).record(entry({ by: 'two' }), one);
    expect((await ledgerOf(at).pushUnpushed(await lock(at)))?.entry.by).toBe('two');
    expect(await names(at)).toEqual(['two', 'one']);
    expect(await ledgerOf(at).pendingRecord()).toBeNull();
  });

  test('pushes an entry after those that were recorded meanwhile, with the bindings of both, and only once', async () => {
    const { at, url, folder, first } = await newClone();
    const digest = entry().config.digest;
    const start = await (await lock(at)).record(entry({ by: 'start', bindings: { 'playlist/a': created('1') } }), null);
    const late = entry({
      by: 'late',
      config: { commit: first, digest },
      bindings: { 'playlist/a': created('1'), 'playlist/b': created('2') },
    });
    write(folder, { '.upkeep/.gitignore': '*\n' });
    await ledgerOf(at).keepRecord(late, start);
    const kept = readFileSync(unpushedFile(folder, 'production'));
    const other = await originOf(clone(url));
    const second = commit(folder);
    git(folder, 'push', '-q', 'origin', 'HEAD:main');
    await (await lock(other)).record(
      entry({ by: 'other', config: { commit: second, digest }, bindings: { 'playlist/a': created('1'), 'playlist/c': created('3') } }),
      start,
    );
    for (let run = 0; run < 2; run++) {
      const taken = await lock(at);
      const healed = await ledgerOf(at).pushUnpushed(taken);
      await taken.release();
      expect(healed?.entry).toMatchObject({
        by: 'late',
        config: { commit: second },
        bindings: { 'playlist/a': created('1'), 'playlist/b': created('2'), 'playlist/c': created('3') },
        pendingSince: { 'playlist/b': first },
      });
      expect(await names(other)).toEqual(['late', 'other', 'start']);
      writeFileSync(unpushedFile(folder, 'production'), kept);
    }
  });

  test('pushes nothing without the lock, and keeps the entry', async () => {
    const { at } = await newClone();
    const ledger = ledgerOf(at);
    await ledger.keepRecord(entry(), null);
    await expect(ledger.pushUnpushed({ held: async () => false })).rejects.toThrow('the lock of production was taken away');
    expect([await ledger.latest(), (await ledger.pendingRecord())?.entry]).toEqual([null, entry()]);
  });
});

describe('rebaseEntry', () => {
  const merged = (late: LedgerEntry['bindings'], before: LedgerEntry['bindings'] | null, latest: LedgerEntry['bindings']) =>
    rebaseEntry(entry({ bindings: late }), before && entry({ bindings: before }), entry({ bindings: latest })).bindings;

  test.each<[string, Parameters<typeof merged>, LedgerEntry['bindings']]>([
    ['binds what the unpushed apply created', [{ a: created('1') }, null, {}], { a: created('1') }],
    [
      'keeps a newer binding of an address that the unpushed apply created',
      [{ a: created('1') }, null, { a: created('2') }],
      { a: created('2') },
    ],
    [
      'keeps a newer binding of an object that the unpushed apply created',
      [{ a: created('1') }, null, { b: created('1') }],
      { b: created('1') },
    ],
    ['removes the binding of what the unpushed apply deleted', [{}, { a: created('1') }, { a: created('1') }], {}],
    [
      'keeps a newer binding of an address that the unpushed apply deleted',
      [{}, { a: created('1') }, { a: created('2') }],
      { a: created('2') },
    ],
    [
      'binds what the unpushed apply moved to its new address',
      [{ b: created('1') }, { a: created('1') }, { a: created('1') }],
      { b: created('1') },
    ],
    [
      'binds what the unpushed apply recreated to its new object',
      [{ a: created('2') }, { a: created('1') }, { a: created('1') }],
      { a: created('2') },
    ],
    ['keeps the latest bindings of what the unpushed apply did not change', [{ a: created('1') }, { a: created('1') }, {}], {}],
    ['handles addresses that are names of members of every object', [{ constructor: created('1') }, {}, {}], { constructor: created('1') }],
  ])('%s', (_what, bindings, expected) => {
    expect(merged(...bindings)).toEqual(expected);
  });

  test('combines the forgotten IDs of both entries, and takes the owner of the latest entry', () => {
    const late = entry({ forgotten: ['1', '2'], owner: null });
    expect(rebaseEntry(late, null, entry({ forgotten: ['2', '3'] }))).toMatchObject({ forgotten: ['2', '3', '1'], owner: entry().owner });
  });
});
