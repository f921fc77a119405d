/** Tokens of scoped keys, made by an implementation that shares no code with upkeep or the emulator. */
import { importPKCS8, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/server.ts';
import { scopedKey } from '../support/scoped-keys.ts';
import { account, raw, sign, start } from './independent-client.ts';

const LIST = '/api/v4/linear-playlist';
const STATUSES = '/api/v3/drm/vmp-reject-statuses';
const SCOPES = ['playlist:read', 'vmp-reject-statuses:write'];
const own = scopedKey('own', SCOPES, { owner: account.owner });
const foreign = scopedKey('foreign', SCOPES);
const now = Math.floor(Date.now() / 1000);

interface Token {
  readonly kid?: string;
  readonly alg?: string;
  readonly sub?: string;
  readonly scp?: unknown;
  readonly iat?: number;
  readonly exp?: number;
  readonly pem?: string;
}

async function token({ kid = 'own', sub = own.emulated.subject, scp = SCOPES, iat = now, exp = iat + 300, pem = own.pem }: Token = {}) {
  const jwt = new SignJWT({ scp })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
    .setSubject(sub)
    .setIssuedAt(iat)
    .setExpirationTime(exp);
  return jwt.sign(await importPKCS8(pem, 'ES256'));
}

function startWithKeys(more: object = {}): Promise<Emulator> {
  return start({ scopedKeys: [{ ...own.emulated, ...more }] });
}

const send = (emulator: Emulator, jwt: string, path = LIST, init: RequestInit = {}) =>
  raw(emulator, path, { ...init, headers: { ...init.headers, 'x-auth-uplynk-jwt': jwt } });

describe('the token of a scoped key', () => {
  test('lets a request in that has no msg and no sig, on v4 and v3', async () => {
    const emulator = await startWithKeys();
    expect((await send(emulator, await token())).status).toBe(200);
    const body = JSON.stringify({ vmp_reject_statuses: ['PLATFORM_TAMPERED'] });
    expect((await send(emulator, await token(), `${STATUSES}/update`, { method: 'POST', body })).json).toMatchObject({ error: 0 });
    expect(emulator.requests().map(({ owner, status }) => [owner, status])).toEqual([
      [account.owner, 200],
      [account.owner, 200],
    ]);
  });

  test.each<[string, Token]>([
    ['of an unknown key', { kid: 'nobody' }],
    ['signed with another key', { pem: foreign.pem }],
    ['of another subject', { sub: 'somebody' }],
    ['that is over', { iat: now - 600 }],
    ['of the future', { iat: now + 900 }],
    ['that is valid for too long', { exp: now + 301 }],
    ['that ends before it begins', { exp: now - 1 }],
    ['with scopes that the key does not have', { scp: ['drm-policy:write'] }],
    ['with scopes that are no list', { scp: 'playlist:read' }],
  ])('%s is rejected with 401', async (_name, parts) => {
    const emulator = await startWithKeys();
    for (const path of [LIST, STATUSES]) expect((await send(emulator, await token(parts), path)).status).toBe(401);
  });

  test.each(['', 'x', 'a.b', 'a.b.c.d', 'e30.e30.e30', 'bnVsbA.e30.e30', '!.!.!'])(
    'that is no JWT (%j) is rejected with 401',
    async (text) => {
      expect((await send(await startWithKeys(), text)).status).toBe(401);
    },
  );

  test('of a key that has ended is rejected with 401', async () => {
    expect((await send(await startWithKeys({ endsAt: Date.now() - 1 }), await token())).status).toBe(401);
  });

  test('without the scope of the request is refused with 403, by kind and by read or write', async () => {
    const emulator = await startWithKeys();
    const refused = await send(emulator, await token(), STATUSES);
    expect([refused.status, refused.json.msg]).toEqual([403, 'the scope vmp-reject-statuses:read is missing']);
    expect((await send(emulator, await token(), LIST, { method: 'POST', body: '{}' })).status).toBe(403);
    expect((await send(emulator, await token({ scp: [] }))).status).toBe(403);
  });

  test('is refused the second time', async () => {
    const emulator = await startWithKeys();
    const jwt = await token();
    expect([(await send(emulator, jwt)).status, (await send(emulator, jwt)).status]).toEqual([200, 400]);
  });
});

test('the quirk `scopedKeyPost` says how v3 takes its data with a token', async () => {
  const { msg } = sign({ item: { vmp_reject_statuses: [] } });
  const forms = { json: { body: JSON.stringify({ vmp_reject_statuses: [] }) }, form: { body: new URLSearchParams({ msg }) } };
  for (const [accepted, other] of [
    ['json', 'form'],
    ['form', 'json'],
  ] as const) {
    const emulator = await start({ scopedKeys: [own.emulated], quirks: { scopedKeyPost: accepted } });
    const post = async (form: 'json' | 'form') => send(emulator, await token(), `${STATUSES}/update`, { method: 'POST', ...forms[form] });
    expect((await post(accepted)).json).toMatchObject({ error: 0 });
    expect((await post(other)).status).toBe(400);
  }
});

test('a signature of an API key may stand in the header `Authorization`', async () => {
  const emulator = await start();
  const headers = (): { authorization: string } => {
    const { msg, sig } = sign();
    return { authorization: `${msg} ${sig}` };
  };
  expect((await raw(emulator, LIST, { headers: headers() })).status).toBe(200);
  const body = JSON.stringify({ desc: 'new', playlist: [{ beam: { id: 'z' } }] });
  expect((await raw(emulator, LIST, { method: 'POST', body, headers: { ...headers(), 'content-type': 'application/json' } })).status).toBe(
    201,
  );
  expect((await raw(emulator, LIST, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
});
