import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { v3, v4 } from '../../../src/core/api-client/api-version.ts';
import type { ApiRequest } from '../../../src/core/api-client/request.ts';
import { classifyResponse, parseBody } from '../../../src/core/api-client/response.ts';
import { assertProperty } from '../../support/property.ts';
import { CREATE_V4, DELETE_V4, errorOf, READ_V3, READ_V4, START, UPDATE_V3, UPDATE_V4 } from './harness.ts';
import { agentOfEach, OK, type Scripted, scripting } from './scripted.ts';

const scripted = scripting(agentOfEach());

describe('classifyResponse', () => {
  it.each([200, 201, 202])('accepts HTTP %i as a success', async (status) => {
    const { service, events } = scripted(CREATE_V4, [{ status, body: { id: 'x' } }]);
    expect(await service.send(CREATE_V4)).toEqual({ status, body: { id: 'x' } });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 0 });
    const attempt = { method: 'POST', path: '/api/v4/things', attempt: 1, tookMs: 0, status, failure: null, retryInMs: null };
    expect(events).toEqual([{ ...attempt, addresses: [], requestId: null, detail: expect.any(Function) }]);
  });

  it('tells the addresses of a request, its ID at the service, and its form, with every attempt', async () => {
    const answers = [503, 200].map((status) => ({ status, headers: { 'X-Request-Id': `r${status}` }, body: { id: 'x' } }));
    const { service, events } = scripted(UPDATE_V4, answers);
    await service.send(UPDATE_V4, ['thing/a']);
    const about = { addresses: ['thing/a'] };
    expect(events).toMatchObject([
      { ...about, attempt: 1, status: 503, requestId: 'r503', failure: { category: 'throttled' } },
      { ...about, attempt: 2, status: 200, requestId: 'r200', failure: null },
    ]);
    const form = { requestBody: expect.stringMatching(/^\{/), responseBytes: 10, responseHeaders: ['x-request-id'] };
    expect(events.map(({ detail }) => detail())).toEqual([form, { ...form, responseBody: '{id: string}' }]);
  });

  it('accepts 204 without a body on v4 only', async () => {
    const gone = scripted(DELETE_V4, [{ status: 204, body: '' }]);
    expect(await gone.service.send(DELETE_V4)).toEqual({ status: 204, body: undefined });
    const old: ApiRequest = { ...READ_V3, method: 'DELETE', repeatable: false };
    const none = scripted(old, [{ status: 204, body: '' }]);
    expect(await errorOf(none.service.send(old))).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe' });
  });

  it('accepts a v3 response only with error 0', async () => {
    const { service } = scripted(READ_V3, [{ status: 200, body: { error: '0', names: [] } }]);
    expect(await service.send(READ_V3)).toEqual({ status: 200, body: { error: '0', names: [] } });
    const failing = scripted(UPDATE_V3, [{ status: 200, body: { error: 5, msg: 'no such name' } }]);
    expect(await errorOf(failing.service.send(UPDATE_V3))).toMatchObject({
      category: 'rejected',
      mayHaveWritten: 'no',
      status: 200,
      message: 'POST /api/v3/things/update: the service answered error 5: "no such name"',
    });
  });

  it('ignores a member `error` of a v4 response', async () => {
    const { service } = scripted(READ_V4, [{ status: 200, body: { error: 5 } }]);
    expect(await service.send(READ_V4)).toEqual({ status: 200, body: { error: 5 } });
  });

  it('ignores the Content-Type', async () => {
    const { service } = scripted(READ_V4, [{ ...OK, headers: { 'content-type': 'text/html' } }]);
    expect((await service.send(READ_V4)).body).toEqual({ error: 0, fine: true });
  });
});

describe('classifyResponse, by status,', () => {
  const cases: [number, ApiRequest, string, 'no' | 'maybe', number][] = [
    [400, READ_V4, 'credentials', 'no', 2],
    [400, CREATE_V4, 'rejected', 'maybe', 1],
    [400, UPDATE_V4, 'rejected', 'maybe', 2],
    [401, CREATE_V4, 'credentials', 'no', 1],
    [403, READ_V3, 'credentials', 'no', 1],
    [404, READ_V4, 'not-found', 'no', 1],
    [404, DELETE_V4, 'not-found', 'no', 1],
    [409, CREATE_V4, 'rejected', 'no', 1],
    [413, UPDATE_V4, 'rejected', 'no', 1],
    [418, READ_V4, 'rejected', 'no', 1],
    [408, CREATE_V4, 'throttled', 'maybe', 1],
    [429, CREATE_V4, 'throttled', 'maybe', 1],
    [503, CREATE_V4, 'throttled', 'maybe', 1],
    [422, CREATE_V4, 'rejected', 'no', 1],
    [502, CREATE_V4, 'unreachable', 'maybe', 1],
    [504, DELETE_V4, 'timeout', 'maybe', 1],
    [500, CREATE_V4, 'failed', 'maybe', 1],
    [501, READ_V4, 'failed', 'no', 1],
    [501, UPDATE_V4, 'failed', 'maybe', 1],
    [599, READ_V3, 'failed', 'no', 1],
    [302, READ_V4, 'malformed', 'no', 1],
    [307, CREATE_V4, 'malformed', 'maybe', 1],
  ];

  it.each(cases)(
    'HTTP %i becomes an error of the right category, and is retried only where that is safe (case %#)',
    async (status, request, fault, written, tries) => {
      const answer: Scripted = { status, body: { title: 'Because' } };
      const { service } = scripted(request, [answer, answer, answer]);
      const error = await errorOf(service.send(request));
      expect(error).toMatchObject({ category: fault, mayHaveWritten: written, status, operation: `${request.method} ${request.path}` });
      expect(error.advice).toMatch(/\S.*\.$/);
      if (status >= 400) expect(error.message).toContain(': "Because"');
      expect(service.counts.retries).toBe(tries - 1);
    },
  );

  it('uses the status rather than a v3 error of 0', async () => {
    const { service } = scripted(READ_V3, [{ status: 403, body: { error: 0 } }]);
    expect(await errorOf(service.send(READ_V3))).toMatchObject({
      category: 'credentials',
      message: 'GET /api/v3/things: HTTP 403 Forbidden',
    });
  });

  it('names the target of a redirect without its query', async () => {
    const headers = { location: 'https://user:pw@login.example.com/start?msg=secret#x' };
    const absolute = scripted(READ_V4, [{ status: 301, headers }]);
    expect((await errorOf(absolute.service.send(READ_V4))).message).toMatch(/to https:\/\/login\.example\.com\/start; redirects/);
    const relative = scripted(READ_V4, [{ status: 303, headers: { location: '/login?next=x' } }]);
    expect((await errorOf(relative.service.send(READ_V4))).message).toContain('to /login; redirects');
    const nowhere = scripted(READ_V4, [{ status: 304 }]);
    expect((await errorOf(nowhere.service.send(READ_V4))).message).toContain('without saying where');
  });
});

describe('the message about a failed response', () => {
  const credentialsAdvice =
    "Check that owner and key belong to this account, are complete and may use this API, and that this machine's clock is right.";
  const rejectedAdvice =
    "The key was rejected: check that owner and key belong together and are complete, that the key was not revoked and has not ended, and that this machine's clock is right.";
  const scopeAdvice = 'The key may not do this: give it the scope or the permission for POST /api/v4/things, or use another key.';
  const serviceAdvice = 'The fault is on the side of the service: run again later, and show its operators this message if it stays.';
  const busyAdvice = 'Run again later; where it happens often, lower http.requests_per_second or http.concurrency.';
  const unusableAdvice =
    'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.';
  const html = '<html>Sorry</html>';

  it.each<[string, ApiRequest, Scripted, string, string]>([
    ['plain', CREATE_V4, { status: 401 }, 'HTTP 401 Unauthorized', rejectedAdvice],
    [
      'the words of the service',
      READ_V4,
      { status: 400, body: { msg: ' no ' } },
      'HTTP 400 Bad Request: "no" (after 2 tries)',
      credentialsAdvice,
    ],
    ['a blank title', CREATE_V4, { status: 403, body: { title: ' ', msg: 'no' } }, 'HTTP 403 Forbidden: "no"', scopeAdvice],
    ['an empty title', CREATE_V4, { status: 403, body: { title: '', msg: '' } }, 'HTTP 403 Forbidden', scopeAdvice],
    ['no object', CREATE_V4, { status: 409, body: ['no'] }, 'HTTP 409 Conflict', 'Correct what the service objects to, then plan again.'],
    ['a text of no JSON', CREATE_V4, { status: 500, body: html }, 'HTTP 500 Internal Server Error', serviceAdvice],
    ['an unknown status', CREATE_V4, { status: 599, body: html }, 'HTTP 599', serviceAdvice],
    ['a gateway', CREATE_V4, { status: 502, body: html }, 'HTTP 502 Bad Gateway', serviceAdvice],
    [
      'nothing there to read',
      READ_V4,
      { status: 404 },
      'HTTP 404 Not Found',
      'Check base_url, which is the address of the service without /api: the service has nothing at this path.',
    ],
    [
      'nothing there to write',
      CREATE_V4,
      { status: 404 },
      'HTTP 404 Not Found',
      'Plan again: it, or what it names, may have been deleted in the meantime.',
    ],
    ['haste', CREATE_V4, { status: 429, headers: { 'retry-after': '7' } }, 'HTTP 429 Too Many Requests; it asks to wait 7 s', busyAdvice],
    ['haste without a word', CREATE_V4, { status: 429 }, 'HTTP 429 Too Many Requests', busyAdvice],
    [
      'a redirect',
      CREATE_V4,
      { status: 300, headers: { location: '/login?next=x\n#y' } },
      'the service redirects (HTTP 300) to /login; redirects are never followed',
      'Set base_url to where the service really is.',
    ],
    [
      'a v3 answer without `error`',
      UPDATE_V3,
      { status: 200, body: {} },
      'the answer (HTTP 200) cannot be used: the answer has no integer `error`',
      unusableAdvice,
    ],
    [
      'HTML after blanks',
      CREATE_V4,
      { status: 200, body: ` \n${html}` },
      'the answer (HTTP 200) cannot be used: the body is HTML or XML, not JSON',
      unusableAdvice,
    ],
    [
      'half an answer',
      CREATE_V4,
      { status: 200, body: '{' },
      'the answer (HTTP 200) cannot be used: the body is not JSON, or is cut off',
      unusableAdvice,
    ],
  ])('says what came and what to do now: %s', async (_name, request, answer, what, advice) => {
    const { service } = scripted(request, [answer, answer]);
    const error = await errorOf(service.send(request));
    expect(error.message).toBe(`${request.method} ${request.path}: ${what}`);
    expect(error.advice).toBe(advice);
  });

  it.each<[string, number, Record<string, string>, string]>([
    ['a part by its status', 206, {}, 'it is only a part of the answer, and the whole was asked for'],
    ['a part by its range', 200, { 'content-range': 'bytes 0-99/1000' }, 'it is only a part of the answer, and the whole was asked for'],
  ])('%s is unusable, whatever it holds; a write may have happened, and a read is tried again', async (_name, status, headers, what) => {
    const answer: Scripted = { ...OK, status, headers };
    const { service } = scripted(CREATE_V4, [answer]);
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({
      category: 'malformed',
      mayHaveWritten: 'maybe',
      message: `POST /api/v4/things: the answer (HTTP ${status}) cannot be used: ${what}`,
      advice: unusableAdvice,
    });
    expect((await scripted(READ_V4, [answer, OK]).service.send(READ_V4)).status).toBe(200);
  });

  it('accepts an answer that says that it is not compressed', async () => {
    const { service } = scripted(READ_V4, [{ ...OK, headers: { 'content-encoding': 'Identity' } }]);
    expect((await service.send(READ_V4)).status).toBe(200);
  });

  it('reports a status below 200 as unusable', () => {
    const received = { status: 199, bytes: Buffer.from('{}'), header: () => undefined };
    expect(classifyResponse(CREATE_V4, received, v4, START, (text) => text)).toMatchObject({ category: 'rejected', what: 'HTTP 199' });
  });

  it('retries a read of v3 without `error`', async () => {
    const { service } = scripted(READ_V3, [{ status: 200, body: {} }, OK]);
    expect(await service.send(READ_V3)).toMatchObject({ status: 200 });
  });
});

describe('the failure of one attempt', () => {
  const failed = (request: ApiRequest, status: number, body = '{}', headers: { readonly [name: string]: string } = {}) => {
    const version = request.path.startsWith('/api/v3/') ? v3('form') : v4;
    const received = { status, bytes: Buffer.from(body), header: (name: string) => headers[name] };
    return classifyResponse(request, received, version, START, (text) => text);
  };
  const refused = '{"error":1,"msg":"bad signature"}';
  const rejected = '{"error":1,"msg":"no such name"}';

  it.each([
    ['401', failed(CREATE_V4, 401), 'credentials', 'never', true],
    ['403', failed(CREATE_V4, 403), 'credentials', 'never', true],
    ['400 to a read', failed(READ_V4, 400), 'credentials', 'once', true],
    ['400 to a write', failed(CREATE_V4, 400), 'rejected', 'once', false],
    ['an error about credentials', failed(READ_V3, 200, refused), 'credentials', 'never', true],
    ['another error', failed(READ_V3, 200, rejected), 'rejected', 'never', true],
    ['404', failed(READ_V4, 404), 'not-found', 'never', true],
    ['409', failed(READ_V4, 409), 'rejected', 'never', true],
    ['429', failed(READ_V4, 429), 'throttled', 'repeatable', false],
    ['500', failed(READ_V4, 500), 'failed', 'repeatable', false],
    ['501', failed(READ_V4, 501), 'failed', 'never', false],
    ['502', failed(READ_V4, 502), 'unreachable', 'repeatable', false],
    ['504', failed(READ_V4, 504), 'timeout', 'repeatable', false],
    ['a redirect', failed(READ_V4, 302), 'malformed', 'never', false],
    ['a part', failed(READ_V4, 206), 'malformed', 'reads', false],
    ['no JSON', failed(READ_V4, 200, 'x'), 'malformed', 'reads', false],
    ['no `error`', failed(READ_V3, 200), 'malformed', 'reads', false],
  ])(
    'says which requests may be retried, and whether the service certainly did nothing: %s',
    (_name, failure, category, retryClass, nothing) => {
      expect(failure).toMatchObject({ category, retryClass, notReceived: nothing });
    },
  );

  it('names the error of v3 and its text, and says what to check', () => {
    expect(failed(READ_V3, 200, refused)).toMatchObject({
      what: 'the service answered error 1: "bad signature"',
      advice: expect.stringMatching(/^Check that owner and key .* is right\.$/),
    });
    expect(failed(READ_V3, 200, rejected)).toMatchObject({
      what: 'the service answered error 1: "no such name"',
      advice: 'Correct what the service objects to, then plan again.',
    });
  });

  it('has a time to wait only where the service asks for one', () => {
    expect(failed(READ_V4, 503, '{}', { 'retry-after': '2' })).toMatchObject({ retryAfterMs: 2000 });
    expect(failed(READ_V4, 503)).not.toHaveProperty('retryAfterMs');
  });
});

describe('an unusable body', () => {
  const flaws: [string, string][] = [
    ['', 'empty'],
    ['<html><body>Sign in</body></html>', 'HTML'],
    ['{"error": 0, "fine": tr', 'cut off'],
    ['', 'empty'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'deeper than 64'],
  ];

  it.each(flaws)('%j is retried for a read until the time is up', async (body, said) => {
    const { service, clock } = scripted(READ_V4, new Array(20).fill({ status: 200, body }));
    const error = await errorOf(service.send(READ_V4));
    expect(error).toMatchObject({ category: 'malformed', mayHaveWritten: 'no', status: 200 });
    expect(error.message).toContain(said);
    expect(error.message).toMatch(/\(after \d+ tries\)$/);
    expect(service.counts.retries).toBe(clock.slept.length);
  });

  it.each(flaws)('%j is not retried for a write, which may have happened', async (body) => {
    const { service } = scripted(UPDATE_V4, [{ status: 200, body }, OK]);
    expect(await errorOf(service.send(UPDATE_V4))).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe' });
    expect(service.counts.retries).toBe(0);
  });

  it('does not count brackets inside strings', async () => {
    const body = { text: `"\\${'['.repeat(500)}`, deep: JSON.parse(`${'['.repeat(63)}${']'.repeat(63)}`) };
    const { service } = scripted(READ_V4, [{ status: 200, body }]);
    expect((await service.send(READ_V4)).body).toEqual(body);
  });

  const shown = (text: string) =>
    classifyResponse(READ_V4, { status: 200, bytes: Buffer.from(text), header: () => undefined }, v4, START, (each) => each);

  it('is detected by its depth, whatever its strings contain', () => {
    const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a', 'é') });
    const nested = fc.tuple(fc.jsonValue(), text, fc.nat(70), fc.constantFrom(...'[{'));
    assertProperty(
      fc.property(nested, ([value, said, levels, bracket]) => {
        const inner = { said, value: JSON.stringify(value), [said]: [said] };
        const [before, after] = bracket === '[' ? ['[', ']'] : ['{"x":', '}'];
        const body = `${before.repeat(levels)}${JSON.stringify([inner, said, inner])}${after.repeat(levels)}`;
        expect(shown(body)).toEqual(
          levels + 3 > 64
            ? expect.objectContaining({ what: 'the answer (HTTP 200) cannot be used: the body nests deeper than 64 levels' })
            : { status: 200, body: JSON.parse(body) },
        );
      }),
    );
  });

  it.each([
    ['[', ']'],
    ['[1, ', ']'],
    ['{"x":', '}'],
    ['{"a[{": 1, "x":', '}'],
    ['["]}", ', ']'],
    ['["\\\\\\"]", ', ']'],
    ['[{}, [], ', ']'],
  ])('is nested up to 64 levels and no deeper: of %j', (before, after) => {
    const nested = (levels: number): string => `${before.repeat(levels)}0${after.repeat(levels)}`;
    const deepest = before === '[{}, [], ' ? 63 : 64;
    expect(shown(nested(deepest))).toEqual({ status: 200, body: JSON.parse(nested(deepest)) });
    expect(shown(nested(65))).toMatchObject({ what: 'the answer (HTTP 200) cannot be used: the body nests deeper than 64 levels' });
  });

  it('that is cut off at 64 levels is no JSON, and at 65 too deep, also within a string', () => {
    expect(shown('['.repeat(64))).toMatchObject({ what: expect.stringContaining('cut off') });
    expect(shown(`${'['.repeat(64)}"[[`)).toMatchObject({ what: expect.stringContaining('cut off') });
    expect(shown('['.repeat(65))).toMatchObject({ what: expect.stringContaining('deeper than 64') });
  });

  it.each([
    '{"id": "a", "id": "b"}',
    '{"items": [{"id": 1, "x:y": 2}, {"id": 1, "playlist": {}, "id": 1}]}',
    String.raw`{"id": 1, "i\u0064": 2}`,
  ])('that names a member of an object twice cannot be used: %s', (body) => {
    expect(shown(body)).toMatchObject({
      category: 'malformed',
      what: 'the answer (HTTP 200) cannot be used: an object in the body has two members of one name',
    });
  });

  it('may have equal names in several objects, and colons in names and texts', () => {
    const body = { id: 'a:b', 'c:"d': [{ id: ':' }, { id: '\\":' }, {}], ['__proto__']: { id: 1 } };
    expect(shown(JSON.stringify(body))).toEqual({ status: 200, body });
  });

  it('of 204 is none, whatever was received', () => {
    const header = () => undefined;
    expect(parseBody({ status: 204, bytes: Buffer.from('{'), header })).toStrictEqual({ body: undefined });
    expect(parseBody({ status: 204, bytes: Buffer.from(''), problem: 'damaged', header })).toStrictEqual({ body: undefined });
  });

  it('is not assumed where a body is wide but not deep', () => {
    const wide = { lists: Array.from({ length: 100 }, () => []), objects: Array.from({ length: 100 }, () => ({})) };
    expect(shown(JSON.stringify(wide))).toEqual({ status: 200, body: wide });
  });

  it('without `error` on v3 is malformed', async () => {
    const { service } = scripted(UPDATE_V3, [{ status: 200, body: { names: [] } }]);
    expect(await errorOf(service.send(UPDATE_V3))).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe' });
  });
});

describe('an error of v3 to a read', () => {
  it.each([
    'the signature does not match',
    'Invalid API key',
    'bad api_key',
    'no apikey',
    'Not authorised',
    'permission missing',
    'Authentication failed',
    'Unauthorized',
    'the owner is not known',
    'timestamp is too old',
    'Access denied',
  ])('whose text is %j means that the credentials were rejected', async (msg) => {
    const { service } = scripted(READ_V3, [{ status: 200, body: { error: 1, msg } }]);
    expect(await errorOf(service.send(READ_V3))).toMatchObject({
      category: 'credentials',
      advice: expect.stringContaining('owner and key'),
    });
  });

  it.each(['busy', 'no such policy', ''])('whose text is %j says nothing about credentials', async (msg) => {
    const { service } = scripted(READ_V3, [{ status: 200, body: { error: 1, msg } }]);
    expect((await errorOf(service.send(READ_V3))).category).toBe('rejected');
  });
});

it('an error of v3 to a write is not about credentials, whatever its text quotes', async () => {
  const { service } = scripted(UPDATE_V3, [{ status: 200, body: { error: 1, msg: 'policy "signature" is not valid' } }]);
  expect((await errorOf(service.send(UPDATE_V3))).category).toBe('rejected');
});

describe('the clock difference', () => {
  const dated = (ms: number): Scripted => ({ status: 401, headers: { date: new Date(START + ms).toUTCString() } });

  it.each([
    [61_000, ' The clock of this machine is 61 s behind that of the service.'],
    [-61_000, ' The clock of this machine is 61 s ahead of that of the service.'],
    [-3_600_000, ' The clock of this machine is 3600 s ahead of that of the service.'],
  ])('is part of the advice when it is %i ms', async (ms, said) => {
    const { service } = scripted(READ_V4, [dated(ms)]);
    const { advice } = await errorOf(service.send(READ_V4));
    expect(advice).toContain(said);
    expect(advice).toMatch(/key/);
  });

  const v3Error = { status: 200, body: { error: 1, msg: 'not now' } };
  const refusals: [string, ApiRequest, Scripted & { readonly status: number }, string][] = [
    ['401 of v4', READ_V4, { status: 401 }, 'credentials'],
    ['403 of v4', UPDATE_V4, { status: 403 }, 'credentials'],
    ['400 of v4 to a read', READ_V4, { status: 400 }, 'credentials'],
    ['400 of v4 to a write', CREATE_V4, { status: 400 }, 'rejected'],
    ['401 of v3', READ_V3, { status: 401 }, 'credentials'],
    ['an error of v3 to a read', READ_V3, v3Error, 'credentials'],
    ['an error of v3 to a write', UPDATE_V3, v3Error, 'rejected'],
  ];

  it.each(refusals)('is named with its figure after %s', async (_name, request, answer, fault) => {
    const wrong = { ...answer, headers: { date: new Date(START + 3_600_000).toUTCString() } };
    const { service } = scripted(request, [wrong, wrong]);
    const error = await errorOf(service.send(request));
    expect(error).toMatchObject({
      category: fault,
      advice: expect.stringContaining('The clock of this machine is 3600 s behind that of the service.'),
    });
  });

  it('does not change an error of v3 where it is small', async () => {
    const { service } = scripted(READ_V3, [{ ...v3Error, headers: { date: new Date(START).toUTCString() } }]);
    expect(await errorOf(service.send(READ_V3))).toMatchObject({
      category: 'rejected',
      message: expect.stringContaining('error 1: "not now"'),
    });
  });

  it.each(['', 'yesterday', 'Xyz, 99 Foo 9999999 GMT'])('is not derived from the date %j', async (date) => {
    const { service } = scripted(READ_V4, [{ status: 401, headers: { date } }]);
    expect((await errorOf(service.send(READ_V4))).advice).not.toContain('The clock of this machine');
  });

  it('is not mentioned without a date', async () => {
    const { service } = scripted(READ_V4, [{ status: 401 }]);
    expect((await errorOf(service.send(READ_V4))).advice).toMatch(/clock is right\.$/);
  });

  it.each([0, 60_000, -60_000])('is not mentioned at %i ms', async (ms) => {
    const { service } = scripted(READ_V4, [dated(ms)]);
    expect((await errorOf(service.send(READ_V4))).advice).not.toContain('The clock of this machine');
  });
});
