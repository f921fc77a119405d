/** What must be on disk before a run goes on: the journal of creates, and the entry that could not be pushed. */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { openJournal } from '../../../src/app/history/apply-journal.ts';
import { saveUnpushed } from '../../../src/core/ledger/push-entry.ts';
import { entry } from '../../core/ledger/repositories.ts';
import { temporaryFolder } from '../../support/harness.ts';

// Wrapped, so that a test can read the calls and their order.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const wrapped = { appendFileSync: vi.fn(real.appendFileSync), fsyncSync: vi.fn(real.fsyncSync) };
  return { ...real, ...wrapped, writeFileSync: vi.fn(real.writeFileSync), renameSync: vi.fn(real.renameSync) };
});

beforeEach(() => void vi.clearAllMocks());

test('each line of the journal is flushed to disk after it is written, before the create is sent', () => {
  const journal = openJournal(join(temporaryFolder(), 'upkeep', 'project', 'live'), () => 0);
  for (const lines of [1, 2, 3]) {
    expect(lines === 2 ? journal.recordResult(['playlist/a']) : journal.recordIntent(['playlist/a'])).toEqual(
      lines === 2 ? undefined : null,
    );
    const [written, flushed] = [vi.mocked(fs.appendFileSync).mock, vi.mocked(fs.fsyncSync).mock];
    expect([written.calls.length, flushed.calls.length]).toEqual([lines, lines]);
    expect(flushed.calls.at(-1)?.[0]).toBe(written.calls.at(-1)?.[0]);
    expect(flushed.invocationCallOrder.at(-1)).toBeGreaterThan(written.invocationCallOrder.at(-1) ?? Number.POSITIVE_INFINITY);
  }
  expect(journal.close(new Map())).toBeNull();
});

test('a create whose line of the journal cannot be flushed is not sent', () => {
  const journal = openJournal(join(temporaryFolder(), 'upkeep', 'project', 'live'), () => 0);
  vi.mocked(fs.fsyncSync).mockImplementationOnce(() => {
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
  });
  expect(journal.recordIntent(['playlist/a'])).toBe('its journal cannot be written to this disk (EIO)');
  expect(journal.close(new Map())).toBeNull();
});

test('an entry that could not be pushed is flushed into a new file of its own, which then takes the place of the earlier one', async () => {
  const folder = join(temporaryFolder(), 'upkeep', 'project', 'live');
  const path = join(folder, 'pending.json');
  for (const by of ['ada', 'bob']) saveUnpushed(folder, { entry: entry({ by }), previous: null });
  const [written, renamed] = [vi.mocked(fs.writeFileSync).mock, vi.mocked(fs.renameSync).mock];
  const drafts = written.calls.map(([draft]) => String(draft));
  expect(new Set([path, ...drafts]).size).toBe(3);
  expect(drafts.map((draft) => dirname(draft))).toEqual([folder, folder]);
  // A file that exists, also a link, is never opened; and a power cut after the rename finds the whole text.
  expect(written.calls.map(([, , options]) => options)).toEqual([
    { flag: 'wx', flush: true, mode: 0o600 },
    { flag: 'wx', flush: true, mode: 0o600 },
  ]);
  expect(renamed.calls).toEqual(drafts.map((draft) => [draft, path]));
  expect(fs.readFileSync(path, 'utf8')).toContain('"bob"');
  expect(fs.readdirSync(folder)).toEqual(['pending.json']);
});
