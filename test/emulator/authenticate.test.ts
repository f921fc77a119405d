import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/server.ts';
import vectors from '../core/api-client/signature-vectors.json' with { type: 'json' };
import { account, raw, sign, start, v3, v4 } from './independent-client.ts';

const list = '/api/v4/linear-playlist';
const statuses = '/api/v3/drm/vmp-reject-statuses';

function get(emulator: Emulator, path: string, parameters: { [name: string]: string }) {
  return raw(emulator, `${path}?${new URLSearchParams(parameters)}`);
}

/** Returns the parameters of a `msg`, correctly signed. */
function signed(msg: string, apiKey = account.apiKey) {
  return { msg, sig: createHmac('sha256', apiKey).update(msg).digest('hex') };
}

function message(text: string | Buffer) {
  return signed(deflateSync(text).toString('base64'));
}

const validMessage = () => `{"_owner":"${account.owner}","_timestamp":${Math.floor(Date.now() / 1000)}}`;

describe('a request is accepted', () => {
  test.each([0, 1, 6, 9])('with a msg of compression level %i', async (level) => {
    const { msg, sig } = signed(deflateSync(validMessage(), { level }).toString('base64'));
    expect((await get(await start(), list, { msg, sig })).status).toBe(200);
  });

  test.each([
    ['A', 'GET', list],
    ['B', 'POST', `${statuses}/update`],
    ['C', 'POST', '/api/v3/drm/use-static-encryption-key/update'],
    ['D', 'GET', statuses],
  ])('with a message that another implementation signed (vector %s)', async (name, method, path) => {
    const vector = vectors.find((candidate) => candidate.name.startsWith(name)) ?? { msg: '', sig: '' };
    const parameters = new URLSearchParams({ msg: vector.msg, sig: vector.sig });
    const emulator = await start({ now: () => 1_700_000_000_000 });
    const response =
      method === 'GET' ? await raw(emulator, `${path}?${parameters}`) : await raw(emulator, path, { method, body: parameters });
    expect(response.status).toBe(200);
    expect(response.json.error ?? 0).toBe(0);
  });

  test('as a v3 POST with the signature in the query and JSON in the body', async () => {
    const emulator = await start();
    const body = JSON.stringify({ vmp_reject_statuses: ['A'] });
    const headers = { 'content-type': 'application/json' };
    const { json } = await raw(emulator, `${statuses}/update/?${new URLSearchParams(sign())}`, { method: 'POST', body, headers });
    expect(json).toEqual({ vmp_reject_statuses: ['A'], error: 0 });
    expect(emulator.requests()[0]?.body).toEqual({ vmp_reject_statuses: ['A'] });
  });

  test('as a v3 POST with signature and item in the query', async () => {
    const parameters = new URLSearchParams(sign({ item: { vmp_reject_statuses: ['A'] } }));
    const { json } = await raw(await start(), `${statuses}/update?${parameters}`, { method: 'POST' });
    expect(json.vmp_reject_statuses).toEqual(['A']);
  });

  test.each<[string, number]>([
    ['', 201],
    ['application/json', 201],
    ['Application/JSON; charset=utf-8', 201],
    ['application/x-www-form-urlencoded', 415],
    ['text/plain;charset=UTF-8', 415],
    ['application/jsonp', 415],
  ])('as a v4 POST only with a JSON content type or none: %j is answered %i', async (type, status) => {
    const emulator = await start();
    const body = JSON.stringify({ playlist: [{ beam: { id: 'a' } }] });
    const path = `${list}/?${new URLSearchParams(sign())}`;
    expect((await raw(emulator, path, { method: 'POST', body, headers: { 'content-type': type } })).status).toBe(status);
    expect(emulator.requests()[0]?.changes).toBe(status === 201 ? 1 : 0);
  });

  test('for the documents of its own account only', async () => {
    const other = { owner: 'f'.repeat(32), apiKey: 'another key' };
    const emulator = await start({ accounts: [account, other] });
    await v4(emulator, 'POST', '/linear-playlist', { playlist: [{ beam: { id: 'a' } }] });
    expect((await get(emulator, list, sign({}, other))).json.total_items).toBe(0);
    expect((await get(emulator, list, sign())).json.total_items).toBe(1);
    expect(emulator.requests().map(({ owner }) => owner)).toEqual([account.owner, other.owner, account.owner]);
  });

  test('for the right account if two accounts share a key', async () => {
    const other = { owner: 'e'.repeat(32), apiKey: account.apiKey };
    const emulator = await start({ accounts: [account, other] });
    await get(emulator, list, sign({}, other));
    expect(emulator.requests()[0]?.owner).toBe(other.owner);
  });
});

describe('a request is rejected', () => {
  const now = Date.now();
  // sign() uses the real clock, which is at most a few seconds later than this one.
  const tooOld = () => now - 301_000;
  const tooNew = () => now + 301_000;

  test.each([
    ['no signature', () => ({}), 'msg is missing'],
    ['no sig', () => ({ msg: sign().msg }), 'sig is missing'],
    ['another key', () => sign({}, { ...account, apiKey: 'wrong' }), 'signature does not match'],
    ['a sig in upper case', () => ({ ...sign(), sig: sign().sig.toUpperCase() }), 'signature does not match'],
    ['a short sig', () => ({ ...sign(), sig: 'abc' }), 'signature does not match'],
    ['a changed msg', () => ({ ...sign(), msg: sign().msg }), 'signature does not match'],
    ['an owner without an account', () => sign({}, { ...account, owner: 'nobody' }), 'owner is not known'],
    ['an old timestamp', () => sign({}, account, tooOld()), 'timestamp is too far'],
    ['a future timestamp', () => sign({}, account, tooNew()), 'timestamp is too far'],
    ['a timestamp that is a string', () => message(`{"_owner":"${account.owner}","_timestamp":"1"}`), '_timestamp is not an integer'],
    ['no timestamp', () => message(`{"_owner":"${account.owner}"}`), '_timestamp is not an integer'],
  ])('if it has %s, with 401 on v4 and error 1 on v3', async (_name, parameters, reason) => {
    const emulator = await start({ now: () => now });
    const v4Response = await get(emulator, list, parameters());
    expect(v4Response.status).toBe(401);
    expect(v4Response.json).toEqual({ '@type': 'Error', code: 'unauthorized', status_code: 401, title: expect.stringContaining(reason) });
    const v3Response = await get(emulator, statuses, parameters());
    expect([v3Response.status, v3Response.json]).toEqual([200, { error: 1, msg: expect.stringContaining(reason) }]);
    expect(emulator.requests()).toMatchObject([
      { owner: null, status: 401 },
      { owner: null, status: 200 },
    ]);
  });

  test.each([
    ['that is not base64', () => signed('***='), 'not base64'],
    ['of a length that base64 cannot have', () => signed('abcde'), 'not base64'],
    ['that is raw deflate', () => signed(deflateRawSync(validMessage()).toString('base64')), 'not zlib'],
    ['that inflates to more than 8 MiB', () => message(Buffer.alloc(9 * 1024 * 1024, 32)), 'too long'],
    ['that is not JSON', () => message('hello'), 'msg is not JSON'],
    ['that is not UTF-8', () => message(Buffer.from([0xff, 0xfe])), 'not UTF-8'],
    ['that is a list', () => message('[]'), 'not a JSON object'],
  ])('if it has a msg %s, with 400', async (_name, parameters, reason) => {
    const emulator = await start();
    const v4Response = await get(emulator, list, parameters());
    expect([v4Response.status, v4Response.json.title]).toEqual([400, expect.stringContaining(reason)]);
    const v3Response = await get(emulator, statuses, parameters());
    expect([v3Response.status, v3Response.json.error, v3Response.json.msg]).toEqual([400, 1, expect.stringContaining(reason)]);
  });

  test('if it has the msg and sig of an earlier one, with 400, unless replays are allowed', async () => {
    for (const path of [list, statuses]) {
      const parameters = sign();
      const strict = await start();
      expect((await get(strict, path, parameters)).status).toBe(200);
      const again = await get(strict, path, parameters);
      expect([again.status, again.text]).toEqual([400, expect.stringContaining('sent before')]);
      const lenient = await start({ refuseReused: false });
      expect([(await get(lenient, path, parameters)).status, (await get(lenient, path, parameters)).status]).toEqual([200, 200]);
    }
  });

  test('as too old, not as a replay, once its timestamp is no longer accepted', async () => {
    const clock = { now: Date.now() };
    const emulator = await start({ now: () => clock.now, timestampToleranceSeconds: 10 });
    const parameters = sign();
    await get(emulator, list, parameters);
    clock.now += 30_000;
    expect((await get(emulator, list, parameters)).status).toBe(401);
    expect((await get(emulator, list, sign({}, account, clock.now))).status).toBe(200);
  });

  test.each([
    ['GET', list],
    ['DELETE', `${list}/one`],
    ['GET', statuses],
  ])('if it is a %s with a body', async (method, path) => {
    const emulator = await start();
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(
        `${emulator.url}${path}?${new URLSearchParams(sign())}`,
        { method, headers: { 'content-length': 2 } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      outgoing.on('error', reject).end('{}');
    });
    expect(status).toBe(400);
  });

  test('if its v4 body is missing or is not JSON', async () => {
    const emulator = await start();
    for (const body of ['{', '']) {
      const headers = { 'content-type': 'application/json' };
      const response = await raw(emulator, `${list}?${new URLSearchParams(sign())}`, { method: 'POST', body, headers });
      expect([response.status, response.json.title]).toEqual([400, 'the body is not JSON']);
    }
  });

  test('if its v4 signature is in a form body', async () => {
    expect((await raw(await start(), list, { method: 'POST', body: new URLSearchParams(sign()) })).status).toBe(401);
  });

  test('without a write if its signature is wrong', async () => {
    const emulator = await start();
    await raw(emulator, `${statuses}/update`, {
      method: 'POST',
      body: new URLSearchParams(sign({ item: { vmp_reject_statuses: ['A'] } }, { ...account, apiKey: 'x' })),
    });
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual([]);
  });
});
