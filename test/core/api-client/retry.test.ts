import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptFailure, RetryClass } from '../../../src/core/api-client/attempts.ts';
import { timedOutAfter } from '../../../src/core/api-client/errors.ts';
import {
  httpDate,
  mayTryAgain,
  type RetryDeps,
  retryAfterMs,
  retryBudget,
  sendWithRetries,
  waitMs,
} from '../../../src/core/api-client/retry.ts';
import { assertProperty } from '../../support/property.ts';
import {
  CREATE_V4,
  createTestClient,
  DELETE_V4,
  decodeMessage,
  errorOf,
  fakeClock,
  ORIGIN,
  OWNER,
  READ_V4,
  START,
  UPDATE_V3,
  UPDATE_V4,
} from './harness.ts';
import { agentOfEach, OK, type Scripted, scripting } from './scripted.ts';

const failure = (again: RetryClass, more: Partial<AttemptFailure> = {}): AttemptFailure => ({
  category: 'throttled',
  what: '',
  advice: '',
  retryClass: again,
  notReceived: true,
  ...more,
});

describe('mayTryAgain', () => {
  it.each<[RetryClass, boolean, boolean, boolean]>([
    ['never', false, false, false],
    ['once', true, true, false],
    ['reads', true, false, false],
    ['repeatable', true, true, false],
    ['always', true, true, true],
  ])('%s: read %s, repeatable write %s, create %s', (again, read, update, create) => {
    const allowed = [READ_V4, UPDATE_V4, CREATE_V4].map((request) => mayTryAgain(request, failure(again, { notReceived: false }), false));
    expect(allowed).toEqual([read, update, create]);
  });

  it('retries any request once that was not sent', () => {
    expect([mayTryAgain(CREATE_V4, failure('once'), false), mayTryAgain(CREATE_V4, failure('once'), true)]).toEqual([true, false]);
  });

  it('retries a 400 only once', () => {
    expect(mayTryAgain(READ_V4, failure('once'), true)).toBe(false);
  });
});

describe('waitMs', () => {
  it('returns a random part of a delay that doubles from 200 ms to 5 s', () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 5000].map((count) => waitMs(failure('always'), count, () => 1));
    expect(ceilings).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(waitMs(failure('always'), 3, () => 0.25)).toBe(200);
    expect(waitMs(failure('always'), 3, () => 0)).toBe(0);
  });

  it('is never shorter than Retry-After', () => {
    assertProperty(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (asked, count, chance) => {
        expect(waitMs(failure('always', { retryAfterMs: asked }), count, () => chance)).toBeGreaterThanOrEqual(asked);
      }),
    );
  });

  it('is 0 after a possible replay', () => {
    expect(waitMs(failure('once'), 1, () => 1)).toBe(0);
  });
});

describe('retryAfterMs', () => {
  it('parses seconds and HTTP dates; a date in the past is 0', () => {
    expect(retryAfterMs(' 7 ', START)).toBe(7000);
    expect(retryAfterMs(new Date(START + 9000).toUTCString(), START)).toBe(9000);
    expect(retryAfterMs(new Date(START - 9000).toUTCString(), START)).toBe(0);
  });

  it.each([undefined, '', '-1', '1.5', 'soon', '1e3', '99999999999', '2023-11-14', 'Xyz, nonsense GMT'])('ignores %j', (header) => {
    expect(retryAfterMs(header, START)).toBeUndefined();
  });

  it('accepts only dates in HTTP format', () => {
    expect(httpDate('Tue, 14 Nov 2023 22:13:20 GMT')).toBe(START);
    expect(httpDate(' Tue, 14 Nov 2023 22:13:20 GMT ')).toBe(START);
    expect(httpDate('Tue 14 Nov 2023 22:13:20 GMT')).toBe(START);
    expect(httpDate('Tuesday, 14-Nov-23 22:13:20 GMT')).toBe(START);
    expect(httpDate('Tue Nov 14 22:13:20 2023')).toBe(START);
    expect(httpDate('Sun Nov  6 08:49:37 1994')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    expect(httpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    expect(httpDate('Tuesday, 14-Xyz-23 22:13:20 GMT')).toBeUndefined();
    expect(httpDate('2023-11-14')).toBeUndefined();
    expect(httpDate('on Tue, 14 Nov 2023 22:13:20 GMT')).toBeUndefined();
    expect(httpDate('Tue, 14 Nov 2023 22:13:20 GMT+0100')).toBeUndefined();
  });
});

function spendAll(budget: ReturnType<typeof retryBudget>): number {
  let spent = 0;
  while (budget.spend()) spent++;
  return spent;
}

it('retryBudget allows 100 retries, and one more for every five successes', () => {
  const budget = retryBudget();
  expect(spendAll(budget)).toBe(100);
  for (let index = 0; index < 4; index++) budget.earn();
  expect(budget.spend()).toBe(false);
  budget.earn();
  expect(spendAll(budget)).toBe(1);
  expect(budget.spent()).toBe(101);
});

it('retryBudget never allows more than 100 retries at once', () => {
  const budget = retryBudget();
  for (let index = 0; index < 10_000; index++) budget.earn();
  expect(spendAll(budget)).toBe(100);
});

const agent = agentOfEach();
const scripted = scripting(agent);

describe('sendWithRetries', () => {
  const passing: Scripted[] = [
    { status: 408 },
    { status: 429 },
    { status: 500 },
    { status: 502 },
    { status: 503 },
    { status: 504 },
    { code: 'ECONNRESET' },
  ];

  it.each(passing)('retries an idempotent request after %j', async (answer) => {
    for (const request of [READ_V4, UPDATE_V4, UPDATE_V3]) {
      const { service, clock, events } = scripted(request, [answer, OK]);
      expect(await service.send(request)).toMatchObject({ status: 200 });
      expect(clock.slept).toEqual([200]);
      expect(events.map(({ attempt, retryInMs }) => [attempt, retryInMs])).toEqual([
        [1, 200],
        [2, null],
      ]);
    }
  });

  const unsent: Scripted[] = [
    { code: 'ECONNREFUSED', syscall: 'connect' },
    { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
    { code: 'UND_ERR_CONNECT_TIMEOUT' },
  ];

  it.each(unsent)('retries a create after %j, because nothing was sent', async (answer) => {
    const { service } = scripted(CREATE_V4, [answer, { status: 201, body: { id: 'x' } }]);
    expect(await service.send(CREATE_V4)).toMatchObject({ status: 201 });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
  });

  it('gives up after two tries where the name of the host is unknown', async () => {
    const unknown = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
    const { service } = scripted(CREATE_V4, [unknown, unknown]);
    await expect(service.send(CREATE_V4)).rejects.toThrow('cannot resolve services.example.com (after 2 tries)');
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
  });

  const doubtful: Scripted[] = [...passing, { status: 400 }, { status: 503, headers: { 'retry-after': '0' } }];

  it.each(doubtful)('never retries a create or delete after %j, and reports that it may have happened', async (answer) => {
    for (const request of [CREATE_V4, DELETE_V4]) {
      const { service, clock } = scripted(request, [answer, OK]);
      expect(await errorOf(service.send(request))).toMatchObject({ mayHaveWritten: 'maybe' });
      expect(service.counts.retries).toBe(0);
      expect(clock.slept).toEqual([]);
    }
  });

  it('reports how long the service asks to wait', async () => {
    const asking = scripted(CREATE_V4, [{ status: 429, headers: { 'retry-after': '7' } }]);
    expect(await errorOf(asking.service.send(CREATE_V4))).toMatchObject({ category: 'throttled', retryAfterMs: 7000 });
    const silent = scripted(CREATE_V4, [{ status: 429 }]);
    expect((await errorOf(silent.service.send(CREATE_V4))).retryAfterMs).toBeUndefined();
  });

  it('does not retry after an invalid certificate', async () => {
    const { service } = scripted(READ_V4, [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, OK]);
    const error = await errorOf(service.send(READ_V4));
    expect(error).toMatchObject({ category: 'unreachable', advice: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
    expect(service.counts.retries).toBe(0);
  });

  it('treats a host of which every address refuses as a refused connection', async () => {
    const refusals = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', syscall: 'connect' }),
    );
    agent().get(ORIGIN).intercept({ method: 'POST', path: /./ }).replyWithError(new AggregateError(refusals));
    const { service } = createTestClient({ dispatcher: agent(), http: { giveUpSeconds: 0 } });
    const error = await errorOf(service.send(CREATE_V4));
    expect(error).toMatchObject({ category: 'unreachable', mayHaveWritten: 'no', message: expect.stringContaining('(ECONNREFUSED)') });
    expect(error.cause).toMatchObject({ message: 'ECONNREFUSED connect ECONNREFUSED ::1' });
  });

  it('treats an unknown error as a broken connection', async () => {
    agent().get(ORIGIN).intercept({ method: 'POST', path: /./ }).replyWithError(new Error('odd'));
    const error = await errorOf(createTestClient({ dispatcher: agent() }).service.send(CREATE_V4));
    expect(error).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe', cause: { message: 'odd' } });
    expect(error.message).toMatch(/complete$/);
  });

  it('retries a 400 once without delay, because it may be a replay', async () => {
    const { service, clock } = scripted(UPDATE_V4, [{ status: 400 }, OK]);
    expect(await service.send(UPDATE_V4)).toMatchObject({ status: 200 });
    expect(clock.slept).toEqual([]);
  });

  it('retries only one 400, even with other failures between', async () => {
    const { service } = scripted(READ_V4, [{ status: 400 }, { status: 503 }, { status: 400 }, OK]);
    expect(await errorOf(service.send(READ_V4))).toMatchObject({
      category: 'credentials',
      status: 400,
      message: expect.stringContaining('(after 3 tries)'),
    });
  });

  it('retries a 400 also where other failures came before', async () => {
    const { service } = scripted(READ_V4, [{ status: 503 }, { status: 400 }, OK]);
    expect(await service.send(READ_V4)).toMatchObject({ status: 200 });
    expect(service.counts.retries).toBe(2);
  });

  it('backs off exponentially, and gives up in time with the last failure', async () => {
    const { service, clock } = scripted(READ_V4, new Array(20).fill({ status: 503 }));
    const error = await errorOf(service.send(READ_V4));
    expect(error).toMatchObject({
      category: 'throttled',
      status: 503,
      message: 'GET /api/v4/things: HTTP 503 Service Unavailable (after 8 tries)',
    });
    expect(clock.slept).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
    expect(clock.now() - START).toBeLessThan(20_000);
  });

  it('waits as long as Retry-After says', async () => {
    const date = { 'retry-after': new Date(START + 4000 + 7000).toUTCString() };
    const { service, clock } = scripted(READ_V4, [{ status: 429, headers: { 'retry-after': '4' } }, { status: 503, headers: date }, OK]);
    expect(await service.send(READ_V4)).toMatchObject({ status: 200 });
    expect(clock.slept).toEqual([4000, 7000]);
  });

  it('gives up at once where Retry-After exceeds the remaining time', async () => {
    const { service, clock } = scripted(READ_V4, [{ status: 429, headers: { 'retry-after': '3600' } }, OK]);
    const error = await errorOf(service.send(READ_V4));
    expect(error).toMatchObject({ category: 'throttled', status: 429, message: expect.stringContaining('asks to wait 3600 s') });
    expect(clock.slept).toEqual([]);
  });

  it.each([
    '315360000',
    '999999999',
    '9'.repeat(400),
    '-5',
    'NaN',
    '1e9',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Sat, 99 Foo 9999 99:99:99 GMT',
  ])('neither waits without limit nor crashes with Retry-After: %s', async (asked) => {
    const { service, clock } = scripted(READ_V4, new Array(20).fill({ status: 503, headers: { 'retry-after': asked } }));
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'throttled', status: 503 });
    expect(clock.now() - START).toBeLessThan(20_000);
  });

  it('keeps its deadline when the system clock is set back', async () => {
    let waits = 0;
    const clock = fakeClock();
    const sleep = async (ms: number): Promise<void> => clock.advance(++waits === 2 ? ms - 3_600_000 : ms);
    const { service } = scripted(READ_V4, new Array(40).fill({ status: 503 }), { clock, sleep });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'throttled' });
    expect(waits).toBeLessThan(10);
  });

  it('starts no attempt after the deadline, even if it got its slot late', async () => {
    const http = { requestsPerSecond: 0.1, giveUpSeconds: 5 };
    const { service } = scripted(READ_V4, [{ status: 500 }, OK], { http });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'failed', status: 500 });
    expect(service.counts).toEqual({ reads: 1, writes: 0, retries: 0 });
  });

  it('reports that an earlier attempt may have written', async () => {
    const { service } = scripted(UPDATE_V4, [{ code: 'ECONNRESET' }, { status: 409 }]);
    expect(await errorOf(service.send(UPDATE_V4))).toMatchObject({ category: 'rejected', mayHaveWritten: 'maybe' });
  });
});

describe('the signatures of attempts', () => {
  it('are new for every attempt, with the time of that attempt', async () => {
    const seen: URLSearchParams[] = [];
    agent()
      .get(ORIGIN)
      .intercept({ method: 'GET', path: (path) => path.startsWith(READ_V4.path) })
      .reply((options) => {
        seen.push(new URL(options.path, ORIGIN).searchParams);
        return { statusCode: 503, data: '' };
      })
      .persist();
    await errorOf(createTestClient({ dispatcher: agent() }).service.send(READ_V4));
    expect(seen).toHaveLength(8);
    expect(new Set(seen.map((query) => query.get('msg'))).size).toBe(8);
    expect(seen.map((query) => decodeMessage(query.get('msg')))).toEqual(
      [0, 200, 600, 1400, 3000, 6200, 11_200, 16_200].map((ms) => ({ _owner: OWNER, _timestamp: Math.floor((START + ms) / 1000) })),
    );
  });
});

describe('the error of a request that timed out', () => {
  /** The error of a request of which every attempt ends without an answer. */
  async function timedOut(timeoutMs: number, giveUpMs: number, notReceived = false): Promise<string> {
    const clock = fakeClock();
    const means: RetryDeps = {
      ...clock,
      timeoutMs,
      giveUpMs,
      random: () => 0,
      acquireSlot: () => Promise.resolve(true),
      beforeAttempt: () => Promise.resolve(),
      blocked: () => undefined,
      retries: { spend: () => true, spent: () => 0 },
      after: () => {},
      async attempt(_request, _count, ms) {
        clock.advance(ms);
        return timedOutAfter(ms, !notReceived);
      },
    };
    return (await errorOf(sendWithRetries(READ_V4, means))).what;
  }

  it('names the time-out that was set, where there was one attempt', async () => {
    expect(await timedOut(1000, 0)).toBe('no complete answer within 1 s');
    expect(await timedOut(4000, 3000)).toBe('no complete answer within 4 s');
  });

  it('names the whole wait, where there were several attempts, and not what was left for the last one', async () => {
    expect(await timedOut(1000, 3500)).toBe('no complete answer within 3.5 s (after 4 tries)');
    expect(await timedOut(1000, 3500, true)).toBe('no connection within 3.5 s (after 4 tries)');
  });

  it('is that of the gateway, where a gateway timed out', async () => {
    const { service } = scripted(
      READ_V4,
      Array.from({ length: 30 }, () => ({ status: 504 })),
    );
    expect((await errorOf(service.send(READ_V4))).what).toMatch(/^HTTP 504 Gateway Timeout \(after \d+ tries\)$/);
  });
});

describe('the timeout of an attempt', () => {
  /** What each attempt is given in milliseconds, where each takes 3 s, after a wait for its slot, and fails. */
  async function given(timeoutMs: number, giveUpMs: number, slotMs = 0): Promise<number[]> {
    const clock = fakeClock();
    const times: number[] = [];
    const means: RetryDeps = {
      ...clock,
      timeoutMs,
      giveUpMs,
      random: () => 0,
      async acquireSlot() {
        clock.advance(slotMs);
        return true;
      },
      beforeAttempt: () => Promise.resolve(),
      blocked: () => undefined,
      retries: { spend: () => true, spent: () => 0 },
      after: () => {},
      async attempt(_request, _count, ms) {
        times.push(ms);
        clock.advance(3000);
        return { category: 'failed', what: 'no', advice: 'none.', retryClass: 'always', notReceived: true };
      },
    };
    expect(await errorOf(sendWithRetries(READ_V4, means))).toMatchObject({ category: 'failed' });
    return times;
  }

  it('is the configured one, or the remaining time if that is less', async () => {
    expect(await given(4000, 10_000)).toEqual([4000, 4000, 4000, 1000]);
  });

  it('is never 0: what gets its slot when the time is over is not sent', async () => {
    expect(await given(4000, 4000, 999)).toEqual([4000, 1]);
    expect(await given(4000, 4000, 1000)).toEqual([4000]);
  });

  it('is the configured one for the first attempt, even if give_up_seconds is less', async () => {
    expect(await given(30_000, 20_000)).toEqual([30_000, 17_000, 14_000, 11_000, 8000, 5000, 2000]);
    expect(await given(30_000, 0)).toEqual([30_000]);
  });
});
