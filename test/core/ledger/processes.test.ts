/** Runs that share nothing but the remote: each a process of its own, some of them killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { LockHeldError } from '../../../src/core/ledger/errors.ts';
import { readLock, unlock } from '../../../src/core/ledger/lock.ts';
import { bare, clone, emptyFolder, entry, ledgerOf, lock, newRemote, originOf } from './repositories.ts';

const top = new URL('../../..', import.meta.url).pathname;

/** Takes the lock, says how it went, and then records an entry or waits to be killed. Arguments: folder, name, what to do, the entry. */
const program = `
import { openRepository } from './src/core/ledger/repository.ts';
import { acquire } from './src/core/ledger/lock.ts';
const [folder, by, task, entry] = process.argv.slice(2);
const at = { repository: await openRepository(folder, process.env), remote: 'origin' };
const holder = { by, where: 'pid ' + process.pid };
const { signal } = new AbortController();
try {
  const lock = await acquire({ ...at, target: 'production', holder, timeoutSeconds: 0, now: Date.now, elapsed: Date.now, sleep: async () => {}, signal });
  console.log(JSON.stringify({ won: lock.id }));
  if (task === 'push') await lock.pushEntry(JSON.parse(entry), null);
  else setInterval(() => undefined, 1000);
} catch (error) {
  console.log(JSON.stringify({ lost: error.name, to: error.holder?.by, message: error.message }));
}
`;

const script = join(emptyFolder(), 'run.mjs');
buildSync({ stdin: { contents: program, resolveDir: top }, bundle: true, platform: 'node', format: 'esm', outfile: script });

function run(folder: string, by: string, task: 'push' | 'wait') {
  const child = spawn(process.execPath, [script, folder, by, task, JSON.stringify(entry({ by }))], { env: { ...bare } });
  const said = new Promise<Record<string, string>>((resolve, reject) => {
    child.stdout.once('data', (bytes: Buffer) => resolve(JSON.parse(bytes.toString())));
    child.stderr.once('data', (bytes: Buffer) => reject(new Error(bytes.toString())));
  });
  return { child, said, ended: once(child, 'exit') };
}

test('one of eight processes acquires the lock, and the others name it as the holder', async () => {
  const { url } = newRemote();
  const shared = clone(url);
  // Half of them in one clone, as the jobs of one CI machine may be, half in clones of their own.
  const folders = Array.from({ length: 8 }, (_, index) => (index < 4 ? shared : clone(url)));
  const runs = folders.map((folder, index) => run(folder, `run-${index}`, 'wait'));
  const results = await Promise.all(runs.map(({ said }) => said));
  const winners = results.flatMap(({ won }, index) => (won === undefined ? [] : [`run-${index}`]));
  expect(winners).toHaveLength(1);
  for (const result of results) if (result.won === undefined) expect(result).toMatchObject({ lost: 'LockHeldError', to: winners[0] });
  for (const { child } of runs) child.kill('SIGKILL');
  await Promise.all(runs.map(({ ended }) => ended));
});

test('the lock of a killed run stays until unlock deletes it, and the next run can record', async () => {
  const { url } = newRemote();
  const at = await originOf(clone(url));
  const { child, said, ended } = run(clone(url), 'dead', 'wait');
  const { won } = await said;
  child.kill('SIGKILL');
  await ended;
  await expect(lock(at, 'bob')).rejects.toThrow(LockHeldError);
  await expect(lock(at, 'bob')).rejects.toMatchObject({ holder: { by: 'dead', id: won } });
  await unlock(at, 'production', won ?? '');
  const next = run(clone(url), 'carol', 'push');
  expect(await next.said).toHaveProperty('won');
  await next.ended;
  expect((await ledgerOf(at).latest())?.entry.by).toBe('carol');
  expect(await readLock(at, 'production')).toBeNull();
});
