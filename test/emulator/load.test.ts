/** The emulator under load: what it has acknowledged survives a kill in the middle of the work, whole. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { record, rounds } from '../support/figures.ts';
import { startBuilt } from './built-emulator.ts';
import { createClient, type Tally } from './load/client.ts';
import { readAccount } from './load/objects.ts';
import { closeConnections } from './load/wire.ts';

const CLIENTS = rounds(8, 32);
const KILLS = rounds(1, 5);
const SECONDS = rounds(3, 60);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'upkeep-load-'));
});
afterAll(() => {
  closeConnections();
  rmSync(folder, { recursive: true, force: true });
});

test('no acknowledged write is lost, and nothing is torn, by kills under load', { timeout: 180_000 }, async () => {
  const tally: Tally = { requests: 0, acknowledged: 0, latenciesMs: [], wrong: [], replays: 0 };
  const clients = Array.from({ length: CLIENTS }, (_, number) => createClient(number, tally));
  const breaches: string[] = [];
  let busyMs = 0;
  let cutOff = 0;
  for (let life = 0; life <= KILLS; life += 1) {
    const emulator = await startBuilt(join(folder, 'state.json'));
    const account = await readAccount(emulator.url);
    breaches.push(...clients.flatMap((client) => client.settle(account)));
    const started = performance.now();
    // The first client that is late kills it, while the others wait for their answers; all of them work until they are cut off.
    const until = () => {
      const late = performance.now() - started > (SECONDS * 1000) / (KILLS + 1);
      if (late && life < KILLS) emulator.kill();
      return late && life === KILLS;
    };
    const worked = await Promise.all(clients.map((client) => client.work(emulator.url, until)));
    busyMs += performance.now() - started;
    cutOff += worked.filter((whole) => !whole).length;
    if (life < KILLS) await emulator.ended;
    else breaches.push(...(await finalBreaches(emulator.url, clients)));
  }
  report(tally, breaches, busyMs);
  expect(breaches).toEqual([]);
  expect(tally.wrong).toEqual([]);
  expect(cutOff).toBe(CLIENTS * KILLS);
  expect(tally.replays).toBeGreaterThan(0);
  expect(tally.acknowledged).toBeGreaterThan(100);
});

async function finalBreaches(url: string, clients: readonly ReturnType<typeof createClient>[]): Promise<readonly string[]> {
  const account = await readAccount(url);
  return clients.flatMap((client) => client.settle(account));
}

function report({ requests, acknowledged, latenciesMs, wrong }: Tally, breaches: readonly string[], busyMs: number): void {
  const proof = 'emulator under load';
  const sorted = latenciesMs.sort((a, b) => a - b);
  const p99 = Number((sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1));
  const told = { proof, wanted: 'told', holds: true };
  record({ ...told, name: 'clients', value: CLIENTS });
  record({ ...told, name: 'kills', value: KILLS });
  record({ ...told, name: 'requests', value: requests });
  record({ ...told, name: 'acknowledged writes', value: acknowledged });
  record({ ...told, name: 'requests per second', value: Math.round(requests / (busyMs / 1000)) });
  record({ ...told, name: 'p99 of an answer, ms', value: p99 });
  record({ proof, name: 'acknowledged writes lost, or torn', value: breaches.length, wanted: '0', holds: breaches.length === 0 });
  record({ proof, name: 'wrong answers, replays let in among them', value: wrong.length, wanted: '0', holds: wrong.length === 0 });
}
