import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encoded, isSafePath, v2, v3, v4 } from '../../../src/core/api-client/api-version.ts';
import { assertProperty } from '../../support/property.ts';
import {
  CREATE_V4,
  createTestClient,
  DELETE_V4,
  decodeMessage,
  errorOf,
  ORIGIN,
  OWNER,
  READ_V3,
  READ_V4,
  START,
  UPDATE_V3,
  UPDATE_V4,
} from './harness.ts';
import { agentOfEach } from './scripted.ts';

const signature = { parameters: { msg: 'a+/=', sig: 'f0' }, headers: {} };
const AUTH = 'msg=a%2B%2F%3D&sig=f0';

describe('v4', () => {
  it('signs nothing but owner and time', () => {
    expect([READ_V4, CREATE_V4, UPDATE_V4, DELETE_V4].map((request) => v4.signed(request))).toEqual(new Array(4).fill({}));
  });

  it('puts filters and signature into the query of a GET, and sends no body', () => {
    const wire = v4.wire({ ...READ_V4, query: { desc: 'a b+c&d=é', active: '1' } }, signature);
    expect(wire).toEqual({ method: 'GET', path: `/api/v4/things?desc=a%20b%2Bc%26d%3D%C3%A9&active=1&${AUTH}`, headers: {} });
  });

  it('sends a DELETE without a body, even where one is given', () => {
    expect(v4.wire({ ...DELETE_V4, body: {} }, signature)).toEqual({ method: 'DELETE', path: `/api/v4/things/a?${AUTH}`, headers: {} });
  });

  it.each([CREATE_V4, UPDATE_V4])('sends the data of a $method as JSON beside a signed query', (request) => {
    expect(v4.wire(request, signature)).toEqual({
      method: request.method,
      path: `${request.path}?${AUTH}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    });
  });

  it('reports no error for a 2xx response', () => {
    expect([undefined, null, { error: 5 }, []].map((body) => v4.bodyError(body))).toEqual(new Array(4).fill(undefined));
  });
});

describe('v3', () => {
  it('signs the data of a POST as item, and sends a form with nothing in the query', () => {
    expect(v3('form').signed(UPDATE_V3)).toEqual({ item: { names: ['a'] } });
    expect(v3('form').wire(UPDATE_V3, signature)).toEqual({
      method: 'POST',
      path: '/api/v3/things/update',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: AUTH,
    });
  });

  it('as `json`, signs the query and sends the data as the body', () => {
    expect(v3('json').signed(UPDATE_V3)).toEqual({});
    expect(v3('json').wire(UPDATE_V3, signature)).toEqual({
      method: 'POST',
      path: `/api/v3/things/update?${AUTH}`,
      headers: { 'content-type': 'application/json' },
      body: '{"names":["a"]}',
    });
  });

  it('as `json`, a POST without data has no body', () => {
    const { body: _, ...empty } = UPDATE_V3;
    expect(v3('json').wire(empty, signature)).toEqual({ method: 'POST', path: `/api/v3/things/update?${AUTH}`, headers: {} });
  });

  it.each(['form', 'json'] as const)('as `%s`, signs GET and DELETE in the query', (post) => {
    for (const request of [READ_V3, { ...READ_V3, method: 'DELETE' as const }]) {
      expect(v3(post).signed(request)).toEqual({});
      expect(v3(post).wire(request, signature)).toEqual({ method: request.method, path: `/api/v3/things?${AUTH}`, headers: {} });
    }
  });

  it.each(['form', 'json'] as const)('as `%s`, sends a DELETE without a body, even where one is given', (post) => {
    const wire = v3(post).wire({ ...READ_V3, method: 'DELETE', body: {} }, signature);
    expect(wire).toEqual({ method: 'DELETE', path: `/api/v3/things?${AUTH}`, headers: {} });
  });

  it.each([0, -0, '0', ' 0 ', '+0', '00'])('reads error %j as success', (error) => {
    expect(v3('form').bodyError({ error })).toBeUndefined();
  });

  it.each([1, -1, 5, '5', '-2', '12', '100000000000000'])('reads error %j as a rejection', (error) => {
    expect(v3('form').bodyError({ error })).toEqual({ category: 'rejected', what: `the service answered error ${Number(error)}` });
  });

  it.each([
    undefined,
    null,
    [],
    'error',
    { error: null },
    { error: false },
    { error: 0.5 },
    { error: '' },
    { error: '0x0' },
    { error: [0] },
  ])('reads %j as malformed', (body) => {
    expect(v3('form').bodyError(body)).toMatchObject({ category: 'malformed', what: expect.stringContaining('`error`') });
  });

  it('ignores an inherited member `error`', () => {
    expect(v3('form').bodyError(Object.create({ error: 0 }))).toMatchObject({ category: 'malformed' });
  });
});

describe('v2', () => {
  const ASK = { method: 'GET', path: '/api2/thing/get', body: { ids: ['a'] }, repeatable: true } as const;

  it('signs the query beside owner and time, and sends a form although it is a read', () => {
    expect(v2('form').signed(ASK)).toEqual({ ids: ['a'] });
    expect(v2('form').wire(ASK, signature)).toEqual({
      method: 'POST',
      path: '/api2/thing/get',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: AUTH,
    });
  });

  it('as `json`, which a scoped key may use, signs nothing else and sends the query as the body of a POST', () => {
    expect(v2('json').signed(ASK)).toEqual({});
    expect(v2('json').wire(ASK, signature)).toEqual({
      method: 'POST',
      path: `/api2/thing/get?${AUTH}`,
      headers: { 'content-type': 'application/json' },
      body: '{"ids":["a"]}',
    });
  });

  it.each([undefined, null, 'ids', ['ids']])('signs only owner and time where the query is %j', (body) => {
    expect(v2('form').signed({ ...ASK, body })).toEqual({});
  });

  it('reads `error` like v3', () => {
    expect(v2('form').bodyError({ error: 0 })).toBeUndefined();
    expect(v2('form').bodyError({ error: 1 })).toMatchObject({ category: 'rejected' });
    expect(v2('form').bodyError({ assets: [] })).toMatchObject({ category: 'malformed' });
  });
});

it('only v2, and the writes of v3 with data, have their data and proof in a form, and only where that is set', () => {
  const forms = [v2('form'), v2('json'), v3('form'), v3('json'), v4].map((version) =>
    [READ_V3, UPDATE_V3, DELETE_V4].map((request) => version.usesForm(request)),
  );
  const [all, none] = [
    [true, true, true],
    [false, false, false],
  ];
  expect(forms).toEqual([all, none, [false, true, false], none, none]);
});

describe('encoded', () => {
  it('writes members that URLSearchParams reads back', () => {
    assertProperty(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), (members) => {
        const own = { ...members };
        expect(Object.fromEntries(new URLSearchParams(encoded(own)))).toEqual(own);
      }),
    );
  });
});

describe('isSafePath', () => {
  it('accepts every ID that is encoded and is not a dot segment', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const dots = id.split(/[/\\]/).some((part) => part === '.' || part === '..');
        expect(isSafePath(`/api/v4/things/${encodeURIComponent(id)}`)).toBe(!dots);
      }),
    );
  });

  it('accepts the three APIs', () => {
    expect(['/api2/asset/get', '/api/v3/things', '/api/v4/things'].map(isSafePath)).toEqual([true, true, true]);
  });

  it.each(['a.b', '...', 'a..b', '.a', 'a.', '%252e', 'a%2fb'])('accepts the ID %s', (id) => {
    expect(isSafePath(`/api/v4/things/${id}`)).toBe(true);
  });

  it.each([
    '/api2',
    '/api2/..',
    '/api22/things',
    '/api/v2/things',
    '/api/v4',
    '/api/v4/',
    '/api/v4/things/',
    '/api/v4//things',
    '/api/v5/things',
    'api/v4/things',
    '/api/v4/things/..',
    '/api/v4/things/.',
    '/api/v4/things/%2e',
    '/api/v4/./things',
    '/x/api/v4/things',
    'https://elsewhere.example.com/api/v4/things',
    '/api/v4/things/%2e%2E',
    '/api/v4/things/.%2e/x',
    '/api/v4/things/..%2Fdrm',
    '/api/v4/things/a%5c..',
    '/api/v4/things?desc=x',
    '/api/v4/things#x',
    '/api/v4/a b',
    '/api/v4/é',
    '/api/v4/a\r\nHost: x',
  ])('refuses %j', (path) => {
    expect(isSafePath(path)).toBe(false);
  });
});

/** A read of v2, which is sent as a form. */
const READ_V2 = { method: 'GET', path: '/api2/thing/get', body: { ids: ['a', 'b'] }, repeatable: true } as const;
const agent = agentOfEach();

/** A client whose service gives these answers; the messages that it gets are kept. */
function asking(...answers: readonly { readonly status: number; readonly body: unknown }[]) {
  const messages: unknown[] = [];
  for (const { status, body } of answers) {
    agent()
      .get(ORIGIN)
      .intercept({ method: 'POST', path: READ_V2.path })
      .reply(({ body: form }) => {
        messages.push(decodeMessage(new URLSearchParams(String(form)).get('msg')));
        return { statusCode: status, data: JSON.stringify(body) };
      });
  }
  return { ...createTestClient({ dispatcher: agent() }), messages };
}

it('a request of v2 has its query beside owner and time, counts as a read, and is logged as the POST that is sent', async () => {
  const { service, messages, events } = asking({ status: 200, body: { error: 0, things: [] } });
  expect((await service.send(READ_V2)).body).toEqual({ error: 0, things: [] });
  expect(messages).toEqual([{ ids: ['a', 'b'], _owner: OWNER, _timestamp: START / 1000 }]);
  expect(service.counts).toEqual({ reads: 1, writes: 0, retries: 0 });
  expect(events).toMatchObject([{ method: 'POST', path: READ_V2.path }]);
});

it('a request of v2 is retried as a read, and has certainly written nothing', async () => {
  const { service, messages } = asking({ status: 503, body: {} }, { status: 200, body: { error: 1, msg: 'no such call' } });
  expect(await errorOf(service.send(READ_V2))).toMatchObject({
    category: 'rejected',
    mayHaveWritten: 'no',
    message: 'POST /api2/thing/get: the service answered error 1: "no such call" (after 2 tries)',
  });
  expect(messages).toHaveLength(2);
});
