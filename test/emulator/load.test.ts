/** The emulator under load: acknowledged writes survive a kill completely. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { startBuiltEmulator } from './built-emulator.ts';
import { createClient, type Tally } from './load/client.ts';
import { readAccount } from './load/objects.ts';
import { closeConnections } from './load/wire.ts';

const CLIENTS = rounds(8, 32);
const KILLS = rounds(1, 5);
/** Requests of each life of the emulator. */
const REQUESTS = rounds(1_000, 20_000);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'upkeep-load-'));
});
afterAll(() => {
  closeConnections();
  rmSync(folder, { recursive: true, force: true });
});

test('the emulator loses no acknowledged write and leaves no partial write when it is killed under load', {
  timeout: atMost(600_000),
}, async () => {
  const tally: Tally = { requests: 0, acknowledged: 0, latenciesMs: [], errors: [], replays: 0 };
  const clients = Array.from({ length: CLIENTS }, (_, number) => createClient(number, tally));
  const violations: string[] = [];
  let busyMs = 0;
  let interrupted = 0;
  for (let life = 0; life <= KILLS; life += 1) {
    const emulator = await startBuiltEmulator(join(folder, 'state.json'));
    const account = await readAccount(emulator.url);
    violations.push(...clients.flatMap((client) => client.verify(account)));
    const started = performance.now();
    // The first client after the last request kills the emulator while the others wait for responses; each works until it is interrupted.
    const last = tally.requests + REQUESTS;
    const isDone = () => {
      const isOver = tally.requests >= last;
      if (isOver && life < KILLS) emulator.kill();
      return isOver && life === KILLS;
    };
    const completed = await Promise.all(clients.map((client) => client.work(emulator.url, isDone)));
    busyMs += performance.now() - started;
    interrupted += completed.filter((isComplete) => !isComplete).length;
    if (life < KILLS) await emulator.ended;
    else violations.push(...(await finalViolations(emulator.url, clients)));
  }
  report(tally, violations, busyMs);
  expect(violations).toEqual([]);
  expect(tally.errors).toEqual([]);
  expect(interrupted).toBe(CLIENTS * KILLS);
  expect(tally.replays).toBeGreaterThan(0);
  expect(tally.acknowledged).toBeGreaterThan(100);
});

async function finalViolations(url: string, clients: readonly ReturnType<typeof createClient>[]): Promise<readonly string[]> {
  const account = await readAccount(url);
  return clients.flatMap((client) => client.verify(account));
}

function report({ requests, acknowledged, latenciesMs, errors }: Tally, violations: readonly string[], busyMs: number): void {
  const proof = 'emulator under load';
  const sorted = latenciesMs.sort((a, b) => a - b);
  const p99 = Number((sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1));
  const measured = { requests, 'requests per second': Math.round(requests / (busyMs / 1000)), 'p99 of a response, ms': p99 };
  for (const [name, value] of Object.entries(measured)) record({ proof, name, value, wanted: 'more than 0', holds: value > 0 });
  const name = `writes acknowledged to ${CLIENTS} clients over ${KILLS} kills`;
  record({ proof, name, value: acknowledged, wanted: 'more than 100', holds: acknowledged > 100 });
  record({ proof, name: 'acknowledged writes lost, or incomplete', value: violations.length, wanted: '0', holds: violations.length === 0 });
  record({ proof, name: 'wrong responses, accepted replays among them', value: errors.length, wanted: '0', holds: errors.length === 0 });
}
