import { expect, test } from 'vitest';
import { forkMember } from '../../../src/cli/fleet/forked.ts';

test('a process that the system refuses is told in words, and takes orders in vain', async () => {
  // More than one variable may hold on any system that tests run on.
  const member = forkMember({ target: 'a', argv: [], env: { LONG: 'x'.repeat(4 * 1024 * 1024) } }, () => undefined);
  member.order({ type: 'interrupt' });
  expect(await member.ended).toBe('could not be started (E2BIG)');
});

test('a program that is not there ends with the exit code of Node', async () => {
  // Beside the sources there is no built program.
  const member = forkMember({ target: 'a', argv: [], env: { PATH: process.env.PATH } }, () => undefined);
  expect(await member.ended).toBe(1);
  member.order({ type: 'interrupt' });
});
