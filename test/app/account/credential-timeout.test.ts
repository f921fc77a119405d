/** The time limit of a credential command, on a clock that the test moves. */
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keyOf } from '../../../src/app/account/credentials.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { target as plain } from '../../support/planning.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Reads a key from a command, and returns the outcome in words. */
async function keyFrom(command: readonly string[], folder = temporaryFolder()): Promise<string> {
  const target = { ...plain, name: 'live', credentials: { owner: { env: 'OWNER' }, apiKey: { command: [...command] } } };
  const io = fakeIo({ env: { PATH: process.env.PATH } });
  const context = { target, purpose: 'read', io, folder, untrustedFolder: null, project: { targets: [target], notify: [] } } as const;
  return keyOf(context).then((key) => ('apiKey' in key ? key.apiKey : ''), String);
}

test('a credential command that ignores SIGTERM is killed after 30 seconds, and not before', async () => {
  const stubborn = [process.execPath, '-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"];
  const found = keyFrom(stubborn);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await Promise.race([found, new Promise((resolve) => setImmediate(resolve, 'still waiting'))])).toBe('still waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(await found).toContain('took too long');
});

test('the child processes of a credential command are killed with it', async () => {
  const folder = temporaryFolder();
  // The grandchild holds a pipe of which this test has the other end, and which closes with it.
  execFileSync('/bin/sh', ['-c', 'mkfifo alive'], { cwd: folder });
  const found = keyFrom(['/bin/sh', '-c', 'sh -c "echo begun; exec sleep 600" >alive & wait'], folder);
  const alive = await open(join(folder, 'alive'), 'r');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await found).toContain('took too long');
  expect(await alive.readFile('utf8')).toMatch(/^(?:begun\n)?$/);
  await alive.close();
});
