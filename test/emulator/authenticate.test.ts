import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/server.ts';
import vectors from '../api-client/signature-vectors.json' with { type: 'json' };
import { account, raw, sign, start, v3, v4 } from './independent-client.ts';

const list = '/api/v4/linear-playlist';
const statuses = '/api/v3/drm/vmp-reject-statuses';

function get(emulator: Emulator, path: string, parameters: { [name: string]: string }) {
  return raw(emulator, `${path}?${new URLSearchParams(parameters)}`);
}

/** `msg` of any bytes, signed as the account would. */
function signed(msg: string, apiKey = account.apiKey) {
  return { msg, sig: createHmac('sha256', apiKey).update(msg).digest('hex') };
}

function message(text: string | Buffer) {
  return signed(deflateSync(text).toString('base64'));
}

const authentic = () => `{"_owner":"${account.owner}","_timestamp":${Math.floor(Date.now() / 1000)}}`;

describe('lets in', () => {
  test.each([0, 1, 6, 9])('any compression level (%i)', async (level) => {
    const { msg, sig } = signed(deflateSync(authentic(), { level }).toString('base64'));
    expect((await get(await start(), list, { msg, sig })).status).toBe(200);
  });

  test.each([
    ['A', 'GET', list],
    ['B', 'POST', `${statuses}/update`],
    ['C', 'POST', '/api/v3/drm/use-static-encryption-key/update'],
    ['D', 'GET', statuses],
  ])('a message signed by another implementation (vector %s)', async (name, method, path) => {
    const vector = vectors.find((candidate) => candidate.name.startsWith(name)) ?? { msg: '', sig: '' };
    const parameters = new URLSearchParams({ msg: vector.msg, sig: vector.sig });
    const emulator = await start({ now: () => 1_700_000_000_000 });
    const answered =
      method === 'GET' ? await raw(emulator, `${path}?${parameters}`) : await raw(emulator, path, { method, body: parameters });
    expect(answered.status).toBe(200);
    expect(answered.json.error ?? 0).toBe(0);
  });

  test('a v3 POST with its signature in the query and JSON in the body', async () => {
    const emulator = await start();
    const body = JSON.stringify({ vmp_reject_statuses: ['A'] });
    const headers = { 'content-type': 'application/json' };
    const { json } = await raw(emulator, `${statuses}/update/?${new URLSearchParams(sign())}`, { method: 'POST', body, headers });
    expect(json).toEqual({ vmp_reject_statuses: ['A'], error: 0 });
    expect(emulator.requests()[0]?.body).toEqual({ vmp_reject_statuses: ['A'] });
  });

  test('a v3 POST with signature and item in the query', async () => {
    const parameters = new URLSearchParams(sign({ item: { vmp_reject_statuses: ['A'] } }));
    const { json } = await raw(await start(), `${statuses}/update?${parameters}`, { method: 'POST' });
    expect(json.vmp_reject_statuses).toEqual(['A']);
  });

  test('a v4 body whatever its content type says', async () => {
    const emulator = await start();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8']) {
      const body = JSON.stringify({ playlist: [{ beam: { id: 'a' } }] });
      const path = `${list}/?${new URLSearchParams(sign())}`;
      expect((await raw(emulator, path, { method: 'POST', body, headers: { 'content-type': type } })).status).toBe(201);
    }
  });

  test('each account to its own documents only', async () => {
    const other = { owner: 'f'.repeat(32), apiKey: 'another key' };
    const emulator = await start({ accounts: [account, other] });
    await v4(emulator, 'POST', '/linear-playlist', { playlist: [{ beam: { id: 'a' } }] });
    expect((await get(emulator, list, sign({}, other))).json.total_items).toBe(0);
    expect((await get(emulator, list, sign())).json.total_items).toBe(1);
    expect(emulator.requests().map(({ owner }) => owner)).toEqual([account.owner, other.owner, account.owner]);
  });

  test('accounts that share a key', async () => {
    const other = { owner: 'e'.repeat(32), apiKey: account.apiKey };
    const emulator = await start({ accounts: [account, other] });
    await get(emulator, list, sign({}, other));
    expect(emulator.requests()[0]?.owner).toBe(other.owner);
  });
});

describe('keeps out', () => {
  const late = () => Date.now() - 301_000;
  const early = () => Date.now() + 302_000;
  test.each([
    ['no signature', () => ({}), 'msg is missing'],
    ['no sig', () => ({ msg: sign().msg }), 'sig is missing'],
    ['another key', () => sign({}, { ...account, apiKey: 'wrong' }), 'signature does not match'],
    ['a sig in capitals', () => ({ ...sign(), sig: sign().sig.toUpperCase() }), 'signature does not match'],
    ['a short sig', () => ({ ...sign(), sig: 'abc' }), 'signature does not match'],
    ['a changed msg', () => ({ ...sign(), msg: sign().msg }), 'signature does not match'],
    ['an owner without account', () => sign({}, { ...account, owner: 'nobody' }), 'owner is not known'],
    ['an old timestamp', () => sign({}, account, late()), 'timestamp is too far'],
    ['a future timestamp', () => sign({}, account, early()), 'timestamp is too far'],
    ['a timestamp that is a text', () => message(`{"_owner":"${account.owner}","_timestamp":"1"}`), '_timestamp is not an integer'],
    ['no timestamp', () => message(`{"_owner":"${account.owner}"}`), '_timestamp is not an integer'],
  ])('%s: 401 on v4, error 1 on v3', async (_name, parameters, reason) => {
    const emulator = await start();
    const four = await get(emulator, list, parameters());
    expect(four.status).toBe(401);
    expect(four.json).toEqual({ '@type': 'Error', code: 'unauthorized', status_code: 401, title: expect.stringContaining(reason) });
    const three = await get(emulator, statuses, parameters());
    expect([three.status, three.json]).toEqual([200, { error: 1, msg: expect.stringContaining(reason) }]);
    expect(emulator.requests()).toMatchObject([
      { owner: null, status: 401 },
      { owner: null, status: 200 },
    ]);
  });

  test.each([
    ['that is not base64', () => signed('***='), 'not base64'],
    ['of a length that base64 has not', () => signed('abcde'), 'not base64'],
    ['that is raw deflate', () => signed(deflateRawSync(authentic()).toString('base64')), 'not zlib'],
    ['that inflates without end', () => message(Buffer.alloc(9 * 1024 * 1024, 32)), 'too long'],
    ['that is not JSON', () => message('hello'), 'msg is not JSON'],
    ['that is not UTF-8', () => message(Buffer.from([0xff, 0xfe])), 'not UTF-8'],
    ['that is a list', () => message('[]'), 'not a JSON object'],
  ])('a msg %s: 400', async (_name, parameters, reason) => {
    const emulator = await start();
    const four = await get(emulator, list, parameters());
    expect([four.status, four.json.title]).toEqual([400, expect.stringContaining(reason)]);
    const three = await get(emulator, statuses, parameters());
    expect([three.status, three.json.error, three.json.msg]).toEqual([400, 1, expect.stringContaining(reason)]);
  });

  test('the same msg and sig a second time: 400 on both, unless told otherwise', async () => {
    for (const path of [list, statuses]) {
      const parameters = sign();
      const strict = await start();
      expect((await get(strict, path, parameters)).status).toBe(200);
      const again = await get(strict, path, parameters);
      expect([again.status, again.text]).toEqual([400, expect.stringContaining('sent before')]);
      const lenient = await start({ refuseReplays: false });
      expect([(await get(lenient, path, parameters)).status, (await get(lenient, path, parameters)).status]).toEqual([200, 200]);
    }
  });

  test('a replay is forgotten when its timestamp is too old anyway', async () => {
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
  ])('a %s with a body', async (method, path) => {
    const emulator = await start();
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        `${emulator.url}${path}?${new URLSearchParams(sign())}`,
        { method, headers: { 'content-length': 2 } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject).end('{}');
    });
    expect(status).toBe(400);
  });

  test('a v4 body that is not JSON, or is missing', async () => {
    const emulator = await start();
    for (const body of ['{', '']) {
      const answered = await raw(emulator, `${list}?${new URLSearchParams(sign())}`, { method: 'POST', body });
      expect([answered.status, answered.json.title]).toEqual([400, 'the body is not JSON']);
    }
  });

  test('a v4 signature in a form body', async () => {
    expect((await raw(await start(), list, { method: 'POST', body: new URLSearchParams(sign()) })).status).toBe(401);
  });

  test('a wrong signature cannot write', async () => {
    const emulator = await start();
    await raw(emulator, `${statuses}/update`, {
      method: 'POST',
      body: new URLSearchParams(sign({ item: { vmp_reject_statuses: ['A'] } }, { ...account, apiKey: 'x' })),
    });
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual([]);
  });
});
