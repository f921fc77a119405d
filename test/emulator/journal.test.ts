import * as fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../src/emulator/store.ts';

// A disk that is full, or quick, where a test wants it so.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, fdatasyncSync: vi.fn(real.fdatasyncSync) };
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
  vi.mocked(fs.fdatasyncSync).mockImplementationOnce(() => {
    throw new Error('no space left');
  });
  expect(() => put('a longer identifier than the next one')).toThrow('no space left');
  expect(readFileSync(`${file}.journal`, 'utf8')).toBe(before);
  expect(ids(store)).toEqual(['a']);
  put('c');
  expect(ids(openStore(file))).toEqual(['a', 'c']);
});

test('a long journal becomes a snapshot', () => {
  vi.mocked(fs.fdatasyncSync).mockImplementation(() => {});
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
