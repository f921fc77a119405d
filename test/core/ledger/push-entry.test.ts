import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/errors.ts';
import { rebaseEntry } from '../../../src/core/ledger/push-entry.ts';
import { localFile } from '../../support/local-files.ts';
import { clone, commit, entry, git, hook, ledgerOf, lock, newClone, originOf } from './repositories.ts';

const created = (id: string) => ({ id, origin: 'created' as const });

/** The entries of the ledger by who applied, newest first. */
async function names(at: Parameters<typeof ledgerOf>[0]): Promise<string[]> {
  const found: string[] = [];
  for await (const each of ledgerOf(at).history()) found.push(each.entry.by);
  return found;
}

describe('an unpushed entry', () => {
  test('is stored completely until it is pushed, with no other file in its folder', async () => {
    const { at, folder } = await newClone();
    const ledger = ledgerOf(at);
    expect(ledger.unpushedEntry()).toBeNull();
    ledger.keepUnpushed(entry(), null);
    ledger.keepUnpushed(entry({ by: 'bob' }), null);
    expect(ledger.unpushedEntry()).toEqual({ entry: entry({ by: 'bob' }), previous: null });
    expect(ledgerOf(at, 'staging').unpushedEntry()).toBeNull();
    expect(readdirSync(dirname(localFile(folder, 'pending.json', 'production')))).toEqual(['pending.json']);
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
    const path = localFile(folder, 'pending.json', 'production');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(() => ledgerOf(at).unpushedEntry()).toThrow(LedgerError);
    await expect(ledgerOf(at).pushUnpushed(await lock(at))).rejects.toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('pushUnpushed', () => {
  test('does nothing without an unpushed entry', async () => {
    const { at } = await newClone();
    expect(await ledgerOf(at).pushUnpushed(await lock(at))).toBeNull();
  });

  test('pushes a rejected entry in the next run, which keeps its lock', async () => {
    const { at, url, first } = await newClone();
    const ledger = ledgerOf(at);
    const one = await (await lock(at)).pushEntry(entry({ by: 'one' }), null);
    const refused = entry({ by: 'two', config: { commit: first, digest: entry().config.digest } });
    const taken = await lock(at);
    hook(url, 'pre-receive', 'exit 1');
    await expect(taken.pushEntry(refused, one)).rejects.toMatchObject({ code: 'refused' });
    ledger.keepUnpushed(refused, one);
    rmSync(join(url, 'hooks/pre-receive'));
    await taken.release();

    const next = await lock(at, 'three');
    const healed = await ledger.pushUnpushed(next);
    expect(healed).toMatchObject({ previous: one, entry: refused });
    expect(await ledger.latest()).toEqual(healed);
    expect([await next.held(), ledger.unpushedEntry()]).toEqual([true, null]);
    await next.pushEntry(entry({ by: 'three' }), healed?.commit ?? null);
    expect(await names(at)).toEqual(['three', 'two', 'one']);
  });

  test('does not push an entry again that reached the ledger, even if other entries followed it', async () => {
    const { at } = await newClone();
    const one = await (await lock(at)).pushEntry(entry({ by: 'one' }), null);
    ledgerOf(at).keepUnpushed(entry({ by: 'one' }), null);
    await (await lock(at)).pushEntry(entry({ by: 'two' }), one);
    expect((await ledgerOf(at).pushUnpushed(await lock(at)))?.entry.by).toBe('two');
    expect(await names(at)).toEqual(['two', 'one']);
    expect(await ledgerOf(at).unpushedEntry()).toBeNull();
  });

  test('pushes an entry after those that were recorded meanwhile, with the bindings of both, and only once', async () => {
    const { at, url, folder, first } = await newClone();
    const digest = entry().config.digest;
    const start = await (await lock(at)).pushEntry(entry({ by: 'start', bindings: { 'playlist/a': created('1') } }), null);
    const late = entry({
      by: 'late',
      config: { commit: first, digest },
      bindings: { 'playlist/a': created('1'), 'playlist/b': created('2') },
    });
    ledgerOf(at).keepUnpushed(late, start);
    const kept = readFileSync(localFile(folder, 'pending.json', 'production'));
    const other = await originOf(clone(url));
    const second = commit(folder);
    git(folder, 'push', '-q', 'origin', 'HEAD:main');
    await (await lock(other)).pushEntry(
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
      writeFileSync(localFile(folder, 'pending.json', 'production'), kept);
    }
  });

  test('pushes nothing without the lock, and keeps the entry', async () => {
    const { at } = await newClone();
    const ledger = ledgerOf(at);
    ledger.keepUnpushed(entry(), null);
    await expect(ledger.pushUnpushed({ held: async () => false })).rejects.toThrow('the lock of production was taken away');
    expect([await ledger.latest(), ledger.unpushedEntry()?.entry]).toEqual([null, entry()]);
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
