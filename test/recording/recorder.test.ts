/** What is in a recording, in which order, and when it is refused. */
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/app/run/secrets.ts';
import { createApiClient } from '../../src/core/api-client/client.ts';
import { createTransport } from '../../src/core/api-client/transport.ts';
import { API_KEY, OWNER } from '../support/harness.ts';
import { documentOf, NOW, recorderOf, responseOf, type SentRequest, textOf, VOCABULARY, wireOf } from './support.ts';

const ID = '8bd3c1f0aa2b4c55b9e1f0cbb4d2a7e1';
const LIST = '/api/v4/linear-playlist';

/** Records one exchange. */
function recorded(sent: SentRequest, response = responseOf(undefined, 204)) {
  const recorder = recorderOf();
  recorder.observe(wireOf(sent))(response);
  const [exchange] = documentOf(recorder).exchanges;
  if (!exchange) throw new Error('nothing was recorded');
  return exchange;
}

describe('a recorded request', () => {
  test('has its path, query and data, and not its signature', () => {
    const { request } = recorded({
      method: 'PATCH',
      path: `${LIST}/${ID}`,
      query: { active: '1' },
      data: { desc: 'Late film', repeat: -1 },
    });
    expect(request).toEqual({
      method: 'PATCH',
      path: expect.stringMatching(/^\/api\/v4\/linear-playlist\/[0-9a-f]{32}$/),
      query: { active: '1' },
      signed: 'query',
      sentAs: 'json',
      body: { desc: expect.stringMatching(/^[A-Z][a-z]{3} [a-z]{4}$/), repeat: -1 },
    });
  });

  test('shows the item of a form', () => {
    const path = '/api/v3/drm/vmp-reject-statuses/update';
    const data = { vmp_reject_statuses: ['PLATFORM_UNVERIFIED', 'SOMETHING_ELSE'] };
    expect(recorded({ method: 'POST', path, data, inForm: true }).request).toEqual({
      method: 'POST',
      path,
      signed: 'form',
      sentAs: 'form',
      body: { vmp_reject_statuses: ['PLATFORM_UNVERIFIED', expect.stringMatching(/^[A-Z]{9}_[A-Z]{4}$/)] },
    });
  });

  test('says whether a header or a token proved who sent it', () => {
    const recorder = recorderOf();
    const send = (headers: { readonly [name: string]: string }) =>
      recorder.observe({ method: 'GET', path: LIST, headers })(responseOf(undefined, 401));
    send({ authorization: `${'m'.repeat(40)} ${'5'.repeat(64)}` });
    send({ 'x-auth-uplynk-jwt': `${'h'.repeat(40)}.${'c'.repeat(40)}.${'s'.repeat(40)}` });
    send({});
    expect(documentOf(recorder).exchanges.map(({ request }) => request.signed)).toEqual(['header', 'token', 'nowhere']);
  });
});

describe('a recorded response', () => {
  test('keeps what the API documents define, and replaces the rest with equal pseudonyms for equal texts', () => {
    const playlist = {
      '@id': `${LIST}/${ID}`,
      '@type': 'LinearPlaylist',
      id: ID,
      active: 1,
      later: { since: 'May', id: 1_234_567, few: 12, north: 51.507351 },
    };
    const { response } = recorded({ path: `${LIST}/${ID}` }, responseOf(playlist));
    const body = JSON.stringify(response?.body);
    const [, id = ''] = /"id":"([0-9a-f]{32})"/.exec(body) ?? [];
    expect(body).toMatch(
      new RegExp(
        `^{"@id":"/api/v4/linear-playlist/${id}","@type":"LinearPlaylist","id":"${id}","active":1,"[a-z]{5}":{"[a-z]{5}":"[A-Z][a-z]{2}","id":\\d{7},"[a-z]{3}":12,"[a-z]{5}":\\d{2}[.]\\d{6}}}$`,
      ),
    );
    expect(body).not.toMatch(/1234567|51\.507351/);
  });

  test('keeps numeric strings of documented numbers only, and the settings of policies', () => {
    const policy = {
      policy_name: '2024',
      created: '1700000000000',
      widevine: { content_key_specs: [{ track_type: 'HD', security_level: '3' }] },
    };
    const { response } = recorded({ path: '/api/v3/drm/policies' }, responseOf({ configs: [policy], owner: OWNER, error: '0' }));
    const [config] = Object(response?.body).configs;
    expect(config).toEqual({ ...policy, policy_name: expect.stringMatching(/^\d{4}$/) });
    expect(config.policy_name).not.toBe('2024');
    expect(response?.body).toMatchObject({ owner: '(owner)', error: '0' });
  });

  test('names owners apart from one another', () => {
    const { response } = recorded(
      { path: '/api/v3/drm/policies' },
      responseOf({ configs: [{ owner: 'b' }, { owner: OWNER }], owner: 'b' }),
    );
    expect(response?.body).toEqual({ configs: [{ owner: '(owner)' }, { owner: '(owner 2)' }], owner: '(owner)' });
  });

  test('keeps the common words of an error text', () => {
    const error = { '@type': 'Error', code: 'not_found', status_code: 404, title: `The playlist ${ID} of Miller does not exist` };
    const { response } = recorded({ path: `${LIST}/${ID}` }, responseOf(error, 404));
    expect(response).toMatchObject({ status: 404, body: { '@type': 'Error', code: 'not_found', status_code: 404 } });
    expect(Object(response?.body).title).toMatch(/^The playlist [0-9a-f]{32} of [A-Z][a-z]{5} does not exist$/);
  });

  test('keeps no word of a `title` or `msg` that is no error, and no number below a member that no document names', () => {
    const policy = { policy_name: 'SD', title: 'list of all assets', msg: 'the policy', campaign: [{ frequency: 4_915_112_345_678 }] };
    const { response } = recorded({ path: LIST }, responseOf({ items: [policy] }));
    const text = JSON.stringify(response?.body);
    for (const kept of ['list', 'assets', 'the policy', '4915112345678']) expect(text).not.toContain(kept);
  });

  test('has the headers that upkeep reads, without what they could tell', () => {
    const headers = {
      'content-type': 'application/json; boundary=canary',
      'content-encoding': 'gzip, canary',
      etag: 'W/"canary"',
      'retry-after': new Date(NOW + 30_000).toUTCString(),
      location: 'https://canary.example.com/',
      date: new Date(NOW + 5_000).toUTCString(),
      'x-request-id': 'canary',
      'set-cookie': 'session=canary',
    };
    const { response } = recorded({ path: LIST }, responseOf({ text: 'not JSON' }, 302, headers));
    expect(response).toEqual({
      status: 302,
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip, x-unknown',
        etag: expect.stringMatching(/^W\/"[a-z]{6}"$/),
        'retry-after': '30',
        location: '(removed)',
        'x-request-id': '(removed)',
      },
      clockSeconds: 5,
      text: expect.stringMatching(/^[a-z]{3} [A-Z]{4}$/),
    });
    expect(JSON.stringify(response)).not.toContain('canary');
  });

  test('of a long body that is not JSON has its beginning', () => {
    const { response } = recorded({ path: LIST }, responseOf({ text: `<html>${'x'.repeat(10_000)}` }));
    expect([response?.text?.length, response?.text?.[0]]).toEqual([4_000, '<']);
  });

  test('says that its body could not be decompressed', () => {
    const unreadable = { ...responseOf(undefined), problem: 'it cannot be decompressed as gzip' };
    expect(recorded({ path: LIST }, unreadable).response).toMatchObject({ status: 200, unreadable: true });
  });
});

test('a transport shows an observer the end of each exchange, also of one that fails', async () => {
  const recorder = recorderOf();
  const observed = { baseUrl: 'http://127.0.0.1', connections: 1, maxBodyMib: 1, observe: recorder.observe };
  const answering = createTransport({ ...observed, fetch: async () => new Response('{"error":0}') });
  const failing = createTransport({ ...observed, fetch: () => Promise.reject(new Error('no route to host.example.com')) });
  for (const transport of [answering, failing]) await transport.exchange(wireOf({ path: LIST }), 1_000, (text) => text);
  expect(documentOf(recorder).exchanges).toMatchObject([{ response: { body: { error: 0 } } }, { failure: 'unreachable' }]);
});

test('each attempt of a client is an exchange', async () => {
  const recorder = recorderOf();
  const statuses = [503, 429, 200];
  const client = createApiClient({
    baseUrl: 'http://127.0.0.1',
    credentials: { owner: OWNER, apiKey: API_KEY },
    http: { concurrency: 1, requestsPerSecond: 0, timeoutSeconds: 5, giveUpSeconds: 60, maxBodyMib: 1 },
    v3Post: 'form',
    fetch: async () => new Response('{"error":0}', { status: statuses.shift() ?? 500 }),
    sleep: async () => undefined,
    observe: recorder.observe,
  });
  await client.send({ method: 'GET', path: '/api/v3/drm/policies', repeatable: true });
  await client.close();
  expect(documentOf(recorder).exchanges.map(({ response }) => response?.status)).toEqual([503, 429, 200]);
});

test('exchanges stand in the order in which they were sent, with their times; those without an end are left out', () => {
  let elapsed = 5_000;
  const recorder = recorderOf({ elapsed: () => elapsed });
  const [slow, fast] = [recorder.observe(wireOf({ path: LIST })), recorder.observe(wireOf({ path: '/api/v3/drm/policies' }))];
  recorder.observe(wireOf({ path: '/api/v4/assets' }));
  elapsed += 20;
  fast({ category: 'timeout', what: 'at host.example.com', advice: '', retryClass: 'always', notReceived: true });
  elapsed += 10;
  slow(responseOf({ items: [] }));
  expect(documentOf(recorder).exchanges).toMatchObject([
    { request: { path: LIST }, startMs: 0, tookMs: 30, response: { status: 200 } },
    { request: { path: '/api/v3/drm/policies' }, startMs: 0, tookMs: 20, failure: 'timeout' },
  ]);
  expect([recorder.count, textOf(recorder).includes('example.com')]).toEqual([2, false]);
});

test('a recording has a line for each short object, and shows no invisible character', () => {
  const recorder = recorderOf();
  recorder.observe(wireOf({ path: LIST }))(responseOf({ items: [{ beam: { id: ID } }, { ad: { dur: 90 } }], profile: '\u202e\u200b' }));
  const text = textOf(recorder);
  expect(text).toMatch(/^ +"items": \[\{ "beam": \{ "id": "[0-9a-f]{32}" \} \}, \{ "ad": \{ "dur": 90 \} \}\],?$/m);
  expect(text).not.toMatch(/[\u200b\u202e]/);
});

describe('a recording is refused', () => {
  const keepsAll = {
    ...VOCABULARY,
    parameters: new Set(['key']),
    members: new Map([['key', { isNumber: false, isBoolean: false, words: new Set([API_KEY, 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIi']) }]]),
  };

  test.each([
    ['a credential of this run', API_KEY],
    ['a token', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIi'],
  ])('where %s is left in it', (what, value) => {
    const secrets = createSecrets();
    secrets.add(API_KEY);
    const recorder = recorderOf({ vocabulary: keepsAll, redact: secrets.redact });
    recorder.observe(wireOf({ path: LIST, query: { key: value } }))(responseOf(undefined, 204));
    expect(recorder.finish()).toEqual({ left: what });
  });

  test('where a signature is left in it', () => {
    const words = new Set<string>();
    const members = new Map([['key', { isNumber: false, isBoolean: false, words }]]);
    const recorder = recorderOf({ vocabulary: { ...keepsAll, members } });
    const wire = wireOf({ path: LIST });
    const sig = new URLSearchParams(wire.path.split('?')[1]).get('sig') ?? '';
    words.add(sig);
    recorder.observe(wire)(responseOf({ key: sig }));
    expect(recorder.finish()).toEqual({ left: 'a signature' });
  });
});
