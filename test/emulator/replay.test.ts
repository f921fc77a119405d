/** A replay answers as was recorded, and says so where nothing was. */
import { expect, test } from 'vitest';
import { createApiClient } from '../../src/core/api-client/client.ts';
import type { Json } from '../../src/core/model/json.ts';
import { createReplay, decodedPath } from '../../src/emulator/replay.ts';
import { startReplay } from '../../src/emulator/replay-server.ts';
import type { RecordedExchange, RecordedRequest, RecordedResponse, Recording } from '../../src/recording/recording.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { API_KEY, OWNER } from '../support/harness.ts';

const LIST = '/api/v4/linear-playlist';
const [ID, OTHER, MINE] = ['a1'.repeat(16), 'b2'.repeat(16), 'c3'.repeat(16)];

type Asked = Pick<RecordedRequest, 'path'> & Partial<RecordedRequest>;

function exchange(request: Asked, response: Partial<RecordedResponse> | 'timeout'): RecordedExchange {
  const times = { startMs: 0, tookMs: 1 };
  const asked: RecordedRequest = { method: 'GET', signed: 'query', ...request };
  if (response === 'timeout') return { request: asked, ...times, failure: 'timeout' };
  return { request: asked, ...times, response: { status: 200, headers: { 'content-type': 'application/json' }, ...response } };
}

function recordingOf(...exchanges: readonly RecordedExchange[]): Recording {
  return { schemaVersion: 1, upkeep: '0.1.0', command: 'plan', exchanges };
}

/** Replays requests, and returns the body of each answer; undefined where the request was not recorded. */
function replayed(recording: Recording) {
  const replay = createReplay(recording, OWNER);
  return (request: Asked): Json | undefined => {
    const { method = 'GET', path, query = {}, body } = request;
    const text = replay.answer({ method, path: decodedPath(path), query, body })?.text;
    return text === undefined ? undefined : JSON.parse(text);
  };
}

test('equal requests are answered in recorded order, and from then on with the last answer', () => {
  const ask = replayed(
    recordingOf(
      exchange({ path: LIST }, { body: 1 }),
      exchange({ path: `${LIST}/${ID}` }, { body: 2 }),
      exchange({ path: LIST }, { body: 3 }),
    ),
  );
  expect([LIST, LIST, `${LIST}/${ID}`, LIST].map((path) => ask({ path }))).toEqual([1, 3, 2, 3]);
});

test('method, query and data distinguish requests, their order and the encoding of a path do not', () => {
  const ask = replayed(
    recordingOf(
      exchange({ path: `${LIST}/a%20b`, query: { active: '1', desc: 'x' } }, { body: 'filtered' }),
      exchange({ method: 'PATCH', path: LIST, body: { desc: 'x', repeat: 1 } }, { body: 'patched' }),
    ),
  );
  expect(ask({ path: `${LIST}/%61%20b/`, query: { desc: 'x', active: '1' } })).toBe('filtered');
  expect(ask({ path: `${LIST}/a%20b`, query: { desc: 'x' } })).toBeUndefined();
  expect(ask({ method: 'PATCH', path: LIST, body: { repeat: 1, desc: 'x' } })).toBe('patched');
  expect(ask({ method: 'PATCH', path: LIST, body: { repeat: 2, desc: 'x' } })).toBeUndefined();
  expect(ask({ method: 'DELETE', path: LIST })).toBeUndefined();
});

test('a text of the same shape stands for one that was asked about before it was answered, in later requests and answers, too', () => {
  const ask = replayed(
    recordingOf(
      exchange({ path: LIST, query: { desc: OTHER } }, { body: { items: [] } }),
      exchange({ method: 'POST', path: LIST, body: { desc: `${OTHER} one` } }, { body: { id: ID } }),
      exchange({ path: `${LIST}/${ID}` }, { body: { id: ID, note: `about ${OTHER}` } }),
    ),
  );
  expect(ask({ path: LIST, query: { desc: MINE } })).toEqual({ items: [] });
  expect(ask({ method: 'POST', path: LIST, body: { desc: `${MINE} two` } })).toEqual({ id: ID });
  expect(ask({ path: `${LIST}/${ID}` })).toEqual({ id: ID, note: `about ${MINE}` });
  // Each text stands for one recorded text only.
  expect(ask({ path: LIST, query: { desc: 'd4'.repeat(16) } })).toBeUndefined();
});

test('a text that was answered first is compared, and so are short texts and constants', () => {
  const body = { items: [{ id: ID }, { id: OTHER }] };
  const ask = replayed(
    recordingOf(
      exchange({ path: LIST }, { body }),
      exchange({ path: `${LIST}/${ID}` }, { body: 1 }),
      exchange({ path: LIST, query: { desc: 'short' } }, { body: 2 }),
      exchange({ method: 'POST', path: '/api/v3/x', body: ['HDCP_V2_1'] }, { body: 3 }),
    ),
  );
  expect(ask({ path: `${LIST}/${OTHER}` })).toBeUndefined();
  expect(ask({ path: LIST, query: { desc: 'other' } })).toBeUndefined();
  expect(ask({ method: 'POST', path: '/api/v3/x', body: ['HDCP_V2_2'] })).toBeUndefined();
  expect(ask({ path: `${LIST}/${ID}` })).toBe(1);
});

test('letters after an ID may be hexadecimal digits in the recording, and digits stand for digits only', () => {
  const ask = replayed(
    recordingOf(
      exchange({ path: LIST, query: { desc: `${OTHER}cafe film` } }, { body: 1 }),
      exchange({ path: LIST, query: { desc: 'episode 101' } }, { body: 2 }),
    ),
  );
  expect(ask({ path: LIST, query: { desc: 'episode one' } })).toBeUndefined();
  expect(ask({ path: LIST, query: { desc: 'Episode 203' } })).toBeUndefined();
  expect(ask({ path: LIST, query: { desc: 'chapter 203' } })).toBe(2);
  expect(ask({ path: LIST, query: { desc: `${MINE}zone film` } })).toBe(1);
});

test('an ID that begins with many digits stands for any other ID', () => {
  const ask = replayed(recordingOf(exchange({ path: LIST, query: { desc: OTHER } }, { body: 1 })));
  expect(ask({ path: LIST, query: { desc: `${'4'.repeat(17)}b31c5d42568dd08` } })).toBe(1);
});

test('one text never stands for two, and two never for one', () => {
  const ask = replayed(recordingOf(exchange({ method: 'POST', path: LIST, body: [OTHER, OTHER, ID] }, { body: 1 })));
  expect(ask({ method: 'POST', path: LIST, body: [MINE, 'd4'.repeat(16), 'e5'.repeat(16)] })).toBeUndefined();
  expect(ask({ method: 'POST', path: LIST, body: [MINE, MINE, MINE] })).toBeUndefined();
  expect(ask({ method: 'POST', path: LIST, body: [MINE, MINE, 'e5'.repeat(16)] })).toBe(1);
});

/** Starts a replay and a client of it. */
async function startClient(recording: Recording) {
  const unrecorded: string[] = [];
  const now = Date.UTC(2026, 0, 5, 12);
  const server = await startReplay({
    recording,
    owner: OWNER,
    host: '127.0.0.1',
    port: 0,
    now: () => now,
    onUnrecorded: (request) => void unrecorded.push(request),
  });
  cleanUpAfterTest(server.close);
  const client = createApiClient({
    baseUrl: server.url,
    credentials: { owner: OWNER, apiKey: API_KEY },
    http: { concurrency: 2, requestsPerSecond: 0, timeoutSeconds: 10, giveUpSeconds: 10, maxBodyMib: 1 },
    v3Post: 'form',
    now: () => now,
    sleep: async () => undefined,
  });
  cleanUpAfterTest(client.close);
  return { server, client, unrecorded };
}

test('a replay is read by the client: compressed answers, forms, broken connections, the clock, and the owner', async () => {
  const update = '/api/v3/drm/vmp-reject-statuses/update';
  const statuses = { vmp_reject_statuses: ['PLATFORM_UNVERIFIED'] };
  const { server, client, unrecorded } = await startClient(
    recordingOf(
      exchange({ path: '/api/v3/drm/policies' }, 'timeout'),
      exchange(
        { path: '/api/v3/drm/policies' },
        { headers: { 'content-encoding': 'gzip' }, clockSeconds: -40, body: { configs: [], owner: '(owner)', error: 0 } },
      ),
      exchange({ method: 'POST', path: update, signed: 'form', sentAs: 'form', body: statuses }, { body: { ...statuses, error: 0 } }),
    ),
  );
  const { body } = await client.send({ method: 'GET', path: '/api/v3/drm/policies', repeatable: true });
  expect([body, client.clock.aheadMs]).toEqual([{ configs: [], owner: OWNER, error: 0 }, 40_000]);
  expect(await client.send({ method: 'POST', path: update, body: statuses, repeatable: true })).toMatchObject({ body: { error: 0 } });
  expect([server.counts, unrecorded]).toEqual([{ requests: 3, unrecorded: 0 }, []]);
});

test('a request that was not recorded fails with what was asked, and is counted', async () => {
  const { server, client, unrecorded } = await startClient(recordingOf(exchange({ path: LIST }, { body: { items: [], total_items: 0 } })));
  const asked = client.send({ method: 'GET', path: `${LIST}/${ID}`, query: { active: '1' }, repeatable: true });
  await expect(asked).rejects.toMatchObject({
    category: 'failed',
    status: 501,
    message: expect.stringContaining(`GET ${LIST}/${ID}?active=1`),
  });
  const v3 = client.send({ method: 'GET', path: '/api/v3/drm/policies', repeatable: true });
  await expect(v3).rejects.toMatchObject({ category: 'failed', message: expect.stringContaining('the recording has no such request') });
  expect([server.counts, unrecorded]).toEqual([{ requests: 2, unrecorded: 2 }, [`GET ${LIST}/${ID}?active=1`, 'GET /api/v3/drm/policies']]);
});

test('a request without a signature of the right form is refused', async () => {
  const { server } = await startClient(recordingOf(exchange({ path: LIST }, { body: {} })));
  for (const query of ['', '?msg=abcd', '?msg=abcd&sig=123']) expect((await fetch(`${server.url}${LIST}${query}`)).status).toBe(401);
  expect((await fetch(`${server.url}${LIST}?msg=!&sig=${'0'.repeat(64)}`)).status).toBe(400);
  expect((await fetch(`${server.url}${LIST}`, { headers: { 'x-auth-uplynk-jwt': 'no token' } })).status).toBe(401);
  expect((await fetch(`${server.url}${LIST}`, { headers: { 'x-auth-uplynk-jwt': 'a.b.c' } })).status).toBe(200);
});
