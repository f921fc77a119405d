import * as fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../src/emulator/store.ts';

// A disk that refuses, or loses count, where a test wants it so.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, writeSync: vi.fn(real.writeSync), fdatasync: vi.fn(real.fdatasync) };
});

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a line that the disk refuses leaves no trace, in memory or in the file', () => {
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

test('all who wait at once share one flush, which begins after the last of them wrote', async () => {
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
  // Its flush has begun, so that a line written now is not covered by it.
  await Promise.resolve();
  await Promise.all([first, put('e'), put('f')]);
  expect(fs.fdatasync).toHaveBeenCalledTimes(3);
  store.close();
});

test('after a flush that failed nothing is promised any more', async () => {
  const store = openStore(join(folder, 'data.json'));
  vi.mocked(fs.fdatasync).mockImplementationOnce((_descriptor, done) => done(new Error('the disk is gone')));
  for (const id of ['a', 'b']) {
    store.transact('owner', 'emulation', (collection) => collection('things').put(id, { id }));
    await expect(store.durable()).rejects.toThrow('the disk is gone');
  }
  expect(fs.fdatasync).toHaveBeenCalled();
  store.close();
});

test('a long journal becomes a snapshot', () => {
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
