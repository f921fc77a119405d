import * as fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../src/emulator/store.ts';

// Wrapped, so that a test can make writes fail and count flushes.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, writeSync: vi.fn(real.writeSync), fdatasync: vi.fn(real.fdatasync) };
});

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a write that fails on disk changes neither memory nor the journal', () => {
  const file = join(folder, 'data.json');
  const store = openStore(file);
  const put = (id: string) => store.transact('owner', 'emulation', (collection) => collection('things').put(id, { id }));
  const ids = (from: typeof store) =>
    from.transact('owner', 'emulation', (collection) => Array.from(collection('things').entries(), ([id]) => id));
  put('a');
  const before = readFileSync(`${file}.journal`, 'utf8');
  vi.mocked(fs.writeSync).mockImplementationOnce(() => {
    throw new Error('no space left');
  });
  expect(() => put('a longer identifier than the next one')).toThrow('no space left');
  expect(readFileSync(`${file}.journal`, 'utf8')).toBe(before);
  expect(ids(store)).toEqual(['a']);
  put('c');
  expect(ids(openStore(file))).toEqual(['a', 'c']);
});

test('callers that wait at the same time share one flush, which begins after the last of their writes', async () => {
  const store = openStore(join(folder, 'data.json'));
  const put = (id: string) => {
    store.transact('owner', 'emulation', (collection) => collection('things').put(id, { id }));
    return store.durable();
  };
  vi.mocked(fs.fdatasync).mockClear();
  await Promise.all(['a', 'b', 'c'].map(put));
  expect(fs.fdatasync).toHaveBeenCalledTimes(1);
  await store.durable();
  expect(fs.fdatasync).toHaveBeenCalledTimes(1);
  const first = put('d');
  // Its flush has begun, so it does not cover a line that is written now.
  await Promise.resolve();
  await Promise.all([first, put('e'), put('f')]);
  expect(fs.fdatasync).toHaveBeenCalledTimes(3);
  store.close();
});

test('after a failed flush no write is reported as durable any more', async () => {
  const store = openStore(join(folder, 'data.json'));
  vi.mocked(fs.fdatasync).mockImplementationOnce((_descriptor, done) => done(new Error('the disk is gone')));
  for (const id of ['a', 'b']) {
    store.transact('owner', 'emulation', (collection) => collection('things').put(id, { id }));
    await expect(store.durable()).rejects.toThrow('the disk is gone');
  }
  expect(fs.fdatasync).toHaveBeenCalled();
  store.close();
});

test('a long journal is replaced by a snapshot', () => {
  const file = join(folder, 'data.json');
  const store = openStore(file);
  for (let value = 1; value <= 1001; value += 1) {
    store.transact('owner', 'emulation', (collection) => collection('things').put('a', { value }));
  }
  expect(readFileSync(`${file}.journal`, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toContain('"value":1000');
  const value = openStore(file).transact('owner', 'emulation', (collection) => collection('things').get('a'));
  expect(value).toEqual({ value: 1001 });
});
