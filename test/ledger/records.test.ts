import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOfUser } from '../../src/ledger/records.ts';

const HASH = createHash('sha256').update('/projects/one').digest('hex');

test.each([
  ['XDG_STATE_HOME', { XDG_STATE_HOME: '/state', HOME: '/home/ada' }, '/state'],
  ['the home of the user where XDG_STATE_HOME is not set', { HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['the home of the user where XDG_STATE_HOME is relative', { XDG_STATE_HOME: 'state', HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['the home that the system knows where HOME is not set', {}, join(homedir(), '.local/state')],
])('without a repository, the records of a project lie in %s', (_what, env, base) => {
  expect(recordsOfUser('/projects/one', env)).toBe(join(base, 'upkeep', HASH));
});
