/** Errors that nobody awaits or catches: each is said in words, and fails the run. Those of one of several targets: multi-target.test.ts. */
import { expect, test } from 'vitest';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { stage } from '../support/harness.ts';

const DESIRED = config({ playlists: manyPlaylists(1) });

test('an unhandled error that belongs to no target fails the run: nothing more is begun, exit 1, and no stack trace', async () => {
  const set = await stage(DESIRED);
  const onUnhandledError = (handle: (error: unknown) => void) => handle(new TypeError('x is not a function'));
  const { code, stderr } = await set.runWith({ onUnhandledError }, 'apply', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('error: unexpected: TypeError: x is not a function\n');
  expect(stderr).not.toMatch(/^ +at /m);
  expect(set.writes()).toEqual([]);
});

test('a stronger exit code of the run stays, and so does an interrupt by the user', async () => {
  const set = await stage(DESIRED);
  const onUnhandledError = (handle: (error: unknown) => void) => handle('a text');
  expect((await set.runWith({ onUnhandledError }, 'plan', '--wrong')).code).toBe(8);
  expect((await set.runWith({ onUnhandledError, signal: AbortSignal.abort() }, 'plan')).code).toBe(130);
});
