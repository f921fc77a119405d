import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { LedgerError } from '../../src/ledger/errors.ts';
import { readRecord, recordsOfUser, writeRecord } from '../../src/ledger/records.ts';
import { temporaryFolder } from '../support/harness.ts';

const HASH = createHash('sha256').update('/projects/one').digest('hex');

test.each([
  ['XDG_STATE_HOME', { XDG_STATE_HOME: '/state', HOME: '/home/ada' }, '/state'],
  ['the home of the user where XDG_STATE_HOME is not set', { HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['the home of the user where XDG_STATE_HOME is relative', { XDG_STATE_HOME: 'state', HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['the home that the system knows where HOME is not set', {}, join(homedir(), '.local/state')],
])('without a repository, the records of a project lie in %s', (_what, env, base) => {
  expect(recordsOfUser('/projects/one', env)).toBe(join(base, 'upkeep', HASH));
});

test('a record in a folder of another user is neither read nor written', () => {
  const folder = join(recordsOfUser('/projects/one', { XDG_STATE_HOME: temporaryFolder() }), 'live');
  writeRecord(folder, 'pending.json', 'own');
  expect(readRecord(folder, 'pending.json', 100)).toBe('own');
  const anotherUser = vi.spyOn(process, 'getuid').mockReturnValue(4242);
  try {
    expect(() => readRecord(folder, 'pending.json', 100)).toThrow(LedgerError);
    expect(() => readRecord(folder, 'pending.json', 100)).toThrow('belongs to another user');
    expect(() => writeRecord(folder, 'pending.json', 'theirs')).toThrow('belongs to another user');
  } finally {
    anotherUser.mockRestore();
  }
  expect(readRecord(folder, 'pending.json', 100)).toBe('own');
});
