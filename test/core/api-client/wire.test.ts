import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/core/api-client/request.ts';
import { signatureOf } from '../../../src/core/api-client/sign.ts';
import {
  API_KEY,
  CREATE_V4,
  createTestClient,
  DELETE_V4,
  decodeMessage,
  errorOf,
  ORIGIN,
  OWNER,
  READ_V3,
  READ_V4,
  type Settings,
  START,
  UPDATE_V3,
  UPDATE_V4,
} from './harness.ts';
import { httpDispatcher } from './http-dispatcher.ts';

/** One request as it arrived. */
interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

/** Sends the request to a service that answers with the statuses in turn, and gives what arrived there. */
async function onTheWire(request: ApiRequest, settings: Settings = {}, statuses: readonly number[] = [200]): Promise<Arrived[]> {
  const arrived: Arrived[] = [];
  for (const status of statuses) {
    nock(ORIGIN)
      .intercept(/.*/, request.method)
      .reply(function (url, body) {
        arrived.push({
          method: request.method,
          url,
          headers: this.req.headers,
          body: typeof body === 'string' ? body : JSON.stringify(body),
        });
        return [status, { error: 0 }];
      });
  }
  await createTestClient({ dispatcher: httpDispatcher(), ...settings }).service.send(request);
  expect(nock.isDone()).toBe(true);
  return arrived;
}

/** The one request that arrived. */
async function single(request: ApiRequest, settings: Settings = {}): Promise<Arrived> {
  const [first, ...more] = await onTheWire(request, settings);
  if (first === undefined || more.length > 0) throw new Error('expected one request');
  return first;
}

const AUTH_ONLY = { _owner: OWNER, _timestamp: START / 1000 };

function expectSigned(members: URLSearchParams, meaning: unknown): void {
  expect(decodeMessage(members.get('msg'))).toEqual(meaning);
  expect(members.get('sig')).toBe(signatureOf(members.get('msg') ?? '', API_KEY));
}

describe('on the wire', () => {
  it.each([READ_V4, READ_V3, DELETE_V4])('$method $path: signed in the query, without a body', async (request) => {
    const { url, body, headers } = await single(request);
    const { pathname, searchParams } = new URL(url, ORIGIN);
    expect(pathname).toBe(request.path);
    expect([...searchParams.keys()]).toEqual(['msg', 'sig']);
    expectSigned(searchParams, AUTH_ONLY);
    expect(body).toBe('');
    expect(headers['content-type']).toBeUndefined();
  });

  it('puts filters beside the signature, encoded once', async () => {
    const { url } = await single({ ...READ_V4, query: { desc: 'Évening + 50%25 & more', active: '1' } });
    const { searchParams } = new URL(url, ORIGIN);
    expect(searchParams.get('desc')).toBe('Évening + 50%25 & more');
    expect(searchParams.get('active')).toBe('1');
    expectSigned(searchParams, AUTH_ONLY);
  });

  it.each([CREATE_V4, UPDATE_V4])('$method $path: signed in the query, JSON in the body, the path as it was given', async (request) => {
    const { url, body, headers } = await single(request);
    expect(url.split('?')[0]).toBe(request.path);
    expectSigned(new URL(url, ORIGIN).searchParams, AUTH_ONLY);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body)).toEqual(request.body);
  });

  it('sends a v3 POST as a form with the item inside msg, and nothing in the query', async () => {
    const { url, body, headers } = await single(UPDATE_V3);
    expect(url).toBe('/api/v3/things/update');
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded');
    const form = new URLSearchParams(body);
    expect([...form.keys()]).toEqual(['msg', 'sig']);
    expectSigned(form, { ...AUTH_ONLY, item: { names: ['a'] } });
  });

  it('sends a v3 POST with `v3_post: json` with the signature in the query and the item as JSON', async () => {
    const { url, body, headers } = await single(UPDATE_V3, { v3Post: 'json' });
    expectSigned(new URL(url, ORIGIN).searchParams, AUTH_ONLY);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body)).toEqual({ names: ['a'] });
  });

  it('keeps the path of the base URL', async () => {
    const { url } = await single(READ_V4, { baseUrl: `${ORIGIN}/gateway/eu` });
    expect(url).toMatch(/^\/gateway\/eu\/api\/v4\/things\?msg=/);
  });

  it('signs a retry after 400 with another msg within the same second', async () => {
    const [first, second] = await onTheWire(UPDATE_V3, {}, [400, 200]);
    const texts = [first, second].map((arrived) => new URLSearchParams(arrived?.body).get('msg'));
    expect(texts[0]).not.toBe(texts[1]);
    expect(decodeMessage(texts[0] ?? null)).toEqual(decodeMessage(texts[1] ?? null));
  });

  it('reports a broken connection as unreachable, with its cause', async () => {
    nock(ORIGIN)
      .post(/.*/)
      .replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    const error = await errorOf(createTestClient({ dispatcher: httpDispatcher() }).service.send(CREATE_V4));
    expect(error).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe', message: expect.stringContaining('(ECONNRESET)') });
    expect(error.cause).toMatchObject({ message: 'ECONNRESET socket hang up' });
  });
});
