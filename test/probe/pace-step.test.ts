/** The search for the rate limit ends at the first 429, or at three times the configured rate. */
import { expect, test } from 'vitest';
import { createProbeService } from '../../src/probe/exchange.ts';
import { paceLevels, paceRequests, searchPace } from '../../src/probe/pace-step.ts';
import { fixedWindow, type Server, slidingWindow } from '../api-client/simulation.ts';

/** Searches on a clock of its own; `accepts` decides about the request that arrives at a time. */
async function search(accepts: Server, configured: number, signal = new AbortController().signal) {
  let elapsed = 0;
  const starts: number[] = [];
  const service = createProbeService({
    transport: {
      async exchange() {
        starts.push(elapsed);
        return { status: accepts(elapsed) ? 200 : 429, bytes: new Uint8Array(), header: () => undefined };
      },
    },
    baseUrl: 'https://service.example',
    credentials: { owner: 'me', apiKey: 'key' },
    signatureIn: 'query',
    v3Post: 'form',
    requestsPerSecond: 1,
    timeoutMs: 1000,
    now: () => elapsed,
    elapsed: () => elapsed,
    async sleep(ms) {
      // Answers arrive before the next request is due.
      await new Promise(setImmediate);
      elapsed += ms;
    },
    redact: (text) => text,
    signal,
  });
  return { ...(await searchPace(service, configured)), starts };
}

test('a service without a limit is asked up to three times the configured rate, and no further', async () => {
  const { answer, rate, starts } = await search(() => true, 10);
  expect([answer, rate]).toEqual([{ found: '30 a second', detail: 'no 429' }, null]);
  expect(starts).toHaveLength(paceRequests(10));
  const busiest = Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 1000).length));
  expect(busiest).toBeLessThanOrEqual(31);
});

test.each([
  ['6', slidingWindow(6), '5 a second', 5],
  ['6, by the second of its clock', fixedWindow(6), '5 a second', 5],
])('a limit of %s below the configured rate of 10 gives a setting', async (_name, server, found, setting) => {
  const { answer, rate } = await search(server, 10);
  expect([answer.found, rate]).toEqual([found, setting]);
});

test('a limit above the configured rate needs no setting', async () => {
  const { answer, rate } = await search(slidingWindow(16), 10);
  expect([answer, rate]).toEqual([{ found: '15 a second', detail: '429 at 20 a second' }, null]);
});

test('the first 429 ends the search: at most what was under way follows it', async () => {
  let refused = 0;
  await search((at) => {
    const accepted = at < 1500;
    if (!accepted) refused++;
    return accepted;
  }, 10);
  expect(refused).toBe(1);
});

test('the search ends where the user interrupts, with nothing found out', async () => {
  const interrupt = new AbortController();
  interrupt.abort();
  const { answer, starts } = await search(() => true, 10, interrupt.signal);
  expect([answer, starts]).toEqual([{ found: null, detail: 'interrupted' }, []]);
});

test('without a configured rate the ramp is that of 10 a second', () => {
  expect(paceLevels(0)).toEqual(paceLevels(10));
});
