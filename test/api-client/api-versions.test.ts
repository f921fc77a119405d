import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encoded, isSafePath } from '../../src/api-client/api-version.ts';
import { v2 } from '../../src/api-client/v2.ts';
import { v3 } from '../../src/api-client/v3.ts';
import { v4 } from '../../src/api-client/v4.ts';
import { CREATE_V4, DELETE_V4, READ_V3, READ_V4, UPDATE_V3, UPDATE_V4 } from './harness.ts';

const signature = { msg: 'a+/=', sig: 'f0' };
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

  it('never objects to a 2xx answer', () => {
    expect([undefined, null, { error: 5 }, []].map((body) => v4.objection(body))).toEqual(new Array(4).fill(undefined));
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

  it.each([0, -0, '0', ' 0 ', '+0', '00'])('takes error %j for success', (error) => {
    expect(v3('form').objection({ error })).toBeUndefined();
  });

  it.each([1, -1, 5, '5', '-2', '12', '100000000000000'])('takes error %j for a refusal', (error) => {
    expect(v3('form').objection({ error })).toEqual({ kind: 'rejected', what: `the service answered error ${Number(error)}` });
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
  ])('takes %j for no answer at all', (body) => {
    expect(v3('form').objection(body)).toMatchObject({ kind: 'malformed', what: expect.stringContaining('`error`') });
  });

  it('takes nothing that an object inherits for an error of its own', () => {
    expect(v3('form').objection(Object.create({ error: 0 }))).toMatchObject({ kind: 'malformed' });
  });
});

describe('v2', () => {
  const ASK = { method: 'GET', path: '/api2/thing/get', body: { ids: ['a'] }, repeatable: true } as const;

  it('signs what is asked beside owner and time, and sends a form although it reads', () => {
    expect(v2.signed(ASK)).toEqual({ ids: ['a'] });
    expect(v2.wire(ASK, signature)).toEqual({
      method: 'POST',
      path: '/api2/thing/get',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: AUTH,
    });
  });

  it.each([undefined, null, 'ids', ['ids']])('signs nothing where %j is asked', (body) => {
    expect(v2.signed({ ...ASK, body })).toEqual({});
  });

  it('tells success and refusal by `error`, as v3 does', () => {
    expect(v2.objection({ error: 0 })).toBeUndefined();
    expect(v2.objection({ error: 1 })).toMatchObject({ kind: 'rejected' });
    expect(v2.objection({ assets: [] })).toMatchObject({ kind: 'malformed' });
  });
});

describe('encoded', () => {
  it('reads back as what was put in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), (members) => {
        const own = { ...members };
        expect(Object.fromEntries(new URLSearchParams(encoded(own)))).toEqual(own);
      }),
    );
  });
});

describe('leadsStraight', () => {
  it('accepts every ID that is encoded and is not a dot segment', () => {
    fc.assert(
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
