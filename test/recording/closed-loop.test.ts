/** The probe of a replay finds what the recorded probe found. */
import { expect, test } from 'vitest';
import { createTransport } from '../../src/core/api-client/transport.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import type { ServiceQuirks } from '../../src/emulator/quirks.ts';
import { startReplay } from '../../src/emulator/replay-server.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import type { ProbeAnswer } from '../../src/probe/probe-report.ts';
import { runProbe } from '../../src/probe/run-probe.ts';
import { openScratchJournal } from '../../src/probe/scratch.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { rounds } from '../support/figures.ts';
import { API_KEY, OWNER } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { documentOf, recorderOf } from './support.ts';

const START = Date.UTC(2026, 0, 5, 12);
const ASSET = 'a'.repeat(32);
const SEED = {
  playlist: Array.from({ length: 12 }, (_, index) => ({
    id: `d${index}`.padStart(32, '0'),
    desc: `Playlist of Miller ${index}`,
    playlist: [{ beam: { id: `${index}`.padStart(32, 'b') } }],
  })),
  'drm-policy': Array.from({ length: 12 }, (_, index) => ({ policy_name: `policy of Miller ${index}` })),
  'vmp-reject-statuses': ['PLATFORM_UNVERIFIED'],
};

/** A clock that only waiting moves. */
function virtualClock() {
  let elapsed = 0;
  return {
    now: () => START + elapsed,
    elapsed: () => elapsed,
    async sleep(ms: number) {
      elapsed += ms;
    },
  };
}

/** Probes a service, reads and writes, and records it. Figures that measure time are left out of the answers. */
async function probe(baseUrl: string, clock: ReturnType<typeof virtualClock>) {
  const recorder = recorderOf({ ...clock, command: 'probe' });
  const transport = createTransport({ baseUrl, connections: 1, maxBodyMib: 1, observe: recorder.observe });
  let journal = '';
  const { answers, leftBehind } = await runProbe({
    connection: {
      ...clock,
      transport,
      baseUrl,
      credentials: { owner: OWNER, apiKey: API_KEY },
      signatureIn: 'query',
      v3Post: 'form',
      requestsPerSecond: 1,
      timeoutMs: atMost(2_000),
      redact: (text) => text,
      signal: new AbortController().signal,
    },
    steps: ['read', 'write'],
    asset: ASSET,
    journal: openScratchJournal({
      read: () => journal,
      append(line) {
        journal += `${line}\n`;
      },
      clear() {
        journal = '';
      },
    }),
    configured: { 'service.v3_post': 'form', 'service.scoped_key_v3_post': 'form', 'service.reference_api': 'v2' },
  });
  await transport.close();
  const found = answers.filter(({ id }) => id !== 'answer-size').map(({ id, found: answer, state }: ProbeAnswer) => [id, answer, state]);
  return { found, leftBehind, recorder };
}

const QUIRKS: readonly Partial<ServiceQuirks>[] = [
  {},
  { compression: 'accepted', numericStrings: true, listOrder: 'shuffled', unknownMembers: true },
  {
    compression: 'always',
    smartStartElements: 'objects',
    emptyLists: 'missing',
    lookUps: 'object',
    storedNames: 'trimmed',
    createdStatus: 200,
  },
  { patchMerges: true, abridgedPolicies: true, unsetSchedule: 'empty', unsetSlicers: 'empty', listOrder: 'reversed' },
  { answeredIds: 'existing' },
  { answeredNames: 'asSent', storedNames: 'trimmed', unsetSchedule: 'absent' },
];

test.each(QUIRKS.slice(0, rounds(2, QUIRKS.length)))('the probe of a replay finds what was found with %o', async (quirks) => {
  const clock = virtualClock();
  const emulator = await startEmulator({
    emulatedKinds,
    accounts: [{ owner: OWNER, apiKey: API_KEY }],
    seed: SEED,
    now: clock.now,
    quirks,
  });
  cleanUpAfterTest(emulator.close);
  const real = await probe(emulator.url, clock);
  const recording = documentOf(real.recorder);
  expect(JSON.stringify(recording)).not.toMatch(/Miller|b{10}/);

  const again = virtualClock();
  const unrecorded: string[] = [];
  const server = await startReplay({
    recording,
    owner: OWNER,
    host: '127.0.0.1',
    port: 0,
    now: again.now,
    onUnrecorded: (request) => void unrecorded.push(request),
  });
  cleanUpAfterTest(server.close);
  const replayed = await probe(server.url, again);
  expect(unrecorded).toEqual([]);
  expect(replayed.found).toEqual(real.found);
  expect([real.leftBehind, replayed.leftBehind]).toEqual([[], []]);
});
