import { describe, expect, it } from 'vitest';
import { type RetryDeps, sendWithRetries } from '../../src/api-client/retry-loop.ts';
import { bench, CREATE_V4, DELETE_V4, fakeClock, faultOf, ORIGIN, OWNER, opened, READ_V4, START, UPDATE_V3, UPDATE_V4 } from './harness.ts';
import { agentOfEach, OK, type Scripted, scripting } from './scripted.ts';

const agent = agentOfEach();
const scripted = scripting(agent);

describe('trying again', () => {
  const passing: Scripted[] = [
    { status: 408 },
    { status: 429 },
    { status: 500 },
    { status: 502 },
    { status: 503 },
    { status: 504 },
    { code: 'ECONNRESET' },
  ];

  it.each(passing)('a repeatable request is sent again after %j', async (answer) => {
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

  it.each(unsent)('a create is sent again after %j, because it never was on its way', async (answer) => {
    const { service } = scripted(CREATE_V4, [answer, { status: 201, body: { id: 'x' } }]);
    expect(await service.send(CREATE_V4)).toMatchObject({ status: 201 });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
  });

  const doubtful: Scripted[] = [...passing, { status: 400 }, { status: 503, headers: { 'retry-after': '0' } }];

  it.each(doubtful)('a create or delete is never sent again after %j, and may have happened', async (answer) => {
    for (const request of [CREATE_V4, DELETE_V4]) {
      const { service, clock } = scripted(request, [answer, OK]);
      expect(await faultOf(service.send(request))).toMatchObject({ mayHaveWritten: 'maybe' });
      expect(service.counts.retries).toBe(0);
      expect(clock.slept).toEqual([]);
    }
  });

  it('tells how long the service asks to be left alone', async () => {
    const asking = scripted(CREATE_V4, [{ status: 429, headers: { 'retry-after': '7' } }]);
    expect(await faultOf(asking.service.send(CREATE_V4))).toMatchObject({ kind: 'throttled', retryAfterMs: 7000 });
    const silent = scripted(CREATE_V4, [{ status: 429 }]);
    expect((await faultOf(silent.service.send(CREATE_V4))).retryAfterMs).toBeUndefined();
  });

  it('does not hope for a better certificate', async () => {
    const { service } = scripted(READ_V4, [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, OK]);
    const error = await faultOf(service.send(READ_V4));
    expect(error).toMatchObject({ kind: 'unreachable', advice: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
    expect(service.counts.retries).toBe(0);
  });

  it('takes a host of which every address refuses for refused', async () => {
    const refusals = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', syscall: 'connect' }),
    );
    agent().get(ORIGIN).intercept({ method: 'POST', path: /./ }).replyWithError(new AggregateError(refusals));
    const { service } = bench({ dispatcher: agent(), http: { giveUpSeconds: 0 } });
    const error = await faultOf(service.send(CREATE_V4));
    expect(error).toMatchObject({ kind: 'unreachable', mayHaveWritten: 'no', message: expect.stringContaining('(ECONNREFUSED)') });
    expect(error.cause).toMatchObject({ message: 'ECONNREFUSED connect ECONNREFUSED ::1' });
  });

  it('takes what it does not know for a broken connection', async () => {
    agent().get(ORIGIN).intercept({ method: 'POST', path: /./ }).replyWithError(new Error('odd'));
    const error = await faultOf(bench({ dispatcher: agent() }).service.send(CREATE_V4));
    expect(error).toMatchObject({ kind: 'unreachable', mayHaveWritten: 'maybe', cause: { message: 'odd' } });
    expect(error.message).toMatch(/complete$/);
  });

  it('tries a 400 once more at once, as it may be a replay', async () => {
    const { service, clock } = scripted(UPDATE_V4, [{ status: 400 }, OK]);
    expect(await service.send(UPDATE_V4)).toMatchObject({ status: 200 });
    expect(clock.slept).toEqual([]);
  });

  it('tries only one 400 again, even with other faults between', async () => {
    const { service } = scripted(READ_V4, [{ status: 400 }, { status: 503 }, { status: 400 }, OK]);
    expect(await faultOf(service.send(READ_V4))).toMatchObject({
      kind: 'credentials',
      status: 400,
      message: expect.stringContaining('(after 3 tries)'),
    });
  });

  it('backs off exponentially and gives up in time, with the last fault', async () => {
    const { service, clock } = scripted(READ_V4, new Array(20).fill({ status: 503 }));
    const error = await faultOf(service.send(READ_V4));
    expect(error).toMatchObject({
      kind: 'throttled',
      status: 503,
      message: 'GET /api/v4/things: HTTP 503 Service Unavailable (after 8 tries)',
    });
    expect(clock.slept).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
    expect(clock.now() - START).toBeLessThan(20_000);
  });

  it('waits as long as the service asks', async () => {
    const date = { 'retry-after': new Date(START + 4000 + 7000).toUTCString() };
    const { service, clock } = scripted(READ_V4, [{ status: 429, headers: { 'retry-after': '4' } }, { status: 503, headers: date }, OK]);
    expect(await service.send(READ_V4)).toMatchObject({ status: 200 });
    expect(clock.slept).toEqual([4000, 7000]);
  });

  it('gives up at once where the service asks for more than is left', async () => {
    const { service, clock } = scripted(READ_V4, [{ status: 429, headers: { 'retry-after': '3600' } }, OK]);
    const error = await faultOf(service.send(READ_V4));
    expect(error).toMatchObject({ kind: 'throttled', status: 429, message: expect.stringContaining('asks to wait 3600 s') });
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
  ])('neither waits for ever nor crashes over Retry-After: %s', async (asked) => {
    const { service, clock } = scripted(READ_V4, new Array(20).fill({ status: 503, headers: { 'retry-after': asked } }));
    expect(await faultOf(service.send(READ_V4))).toMatchObject({ kind: 'throttled', status: 503 });
    expect(clock.now() - START).toBeLessThan(20_000);
  });

  it('does not extend its time when the clock is set back', async () => {
    let waits = 0;
    const clock = fakeClock();
    const sleep = async (ms: number): Promise<void> => clock.advance(++waits === 2 ? ms - 3_600_000 : ms);
    const { service } = scripted(READ_V4, new Array(40).fill({ status: 503 }), { clock, sleep });
    expect(await faultOf(service.send(READ_V4))).toMatchObject({ kind: 'throttled' });
    expect(waits).toBeLessThan(10);
  });

  it('begins no attempt after the time is up, although its turn comes late', async () => {
    const http = { requestsPerSecond: 0.1, giveUpSeconds: 5 };
    const { service } = scripted(READ_V4, [{ status: 500 }, OK], { http });
    expect(await faultOf(service.send(READ_V4))).toMatchObject({ kind: 'failed', status: 500 });
    expect(service.counts).toEqual({ reads: 1, writes: 0, retries: 0 });
  });

  it('remembers that an earlier attempt may have written', async () => {
    const { service } = scripted(UPDATE_V4, [{ code: 'ECONNRESET' }, { status: 409 }]);
    expect(await faultOf(service.send(UPDATE_V4))).toMatchObject({ kind: 'rejected', mayHaveWritten: 'maybe' });
  });
});

describe('signatures', () => {
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
    await faultOf(bench({ dispatcher: agent() }).service.send(READ_V4));
    expect(seen).toHaveLength(8);
    expect(new Set(seen.map((query) => query.get('msg'))).size).toBe(8);
    expect(seen.map((query) => opened(query.get('msg')))).toEqual(
      [0, 200, 600, 1400, 3000, 6200, 11_200, 16_200].map((ms) => ({ _owner: OWNER, _timestamp: Math.floor((START + ms) / 1000) })),
    );
  });
});

describe('the time of an attempt', () => {
  /** What each attempt is given in milliseconds, where each takes 3 s and fails. */
  async function given(timeoutMs: number, giveUpMs: number): Promise<number[]> {
    const clock = fakeClock();
    const times: number[] = [];
    const means: RetryDeps = {
      ...clock,
      timeoutMs,
      giveUpMs,
      random: () => 0,
      turn: () => Promise.resolve(),
      barred: () => undefined,
      retries: { spend: () => true, spent: () => 0 },
      after: () => {},
      async attempt(_request, _count, ms) {
        times.push(ms);
        clock.advance(3000);
        return { kind: 'failed', what: 'no', advice: 'none.', retryClass: 'always', notReceived: true };
      },
    };
    expect(await faultOf(sendWithRetries(READ_V4, means))).toMatchObject({ kind: 'failed' });
    return times;
  }

  it('is its own, until what is left is less', async () => {
    expect(await given(4000, 10_000)).toEqual([4000, 4000, 4000, 1000]);
  });

  it('is whole for the first, even where giving up comes sooner', async () => {
    expect(await given(30_000, 20_000)).toEqual([30_000, 17_000, 14_000, 11_000, 8000, 5000, 2000]);
    expect(await given(30_000, 0)).toEqual([30_000]);
  });
});
