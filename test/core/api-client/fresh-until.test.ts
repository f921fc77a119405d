/** No attempt of a write starts after `freshUntil` of its request (design section 4, rule 3). */
import { describe, expect, it } from 'vitest';
import type { Attempts } from '../../../src/core/api-client/attempts.ts';
import type { ApiError } from '../../../src/core/api-client/errors.ts';
import type { ApiRequest } from '../../../src/core/api-client/request.ts';
import { CREATE_V4, DELETE_V4, errorOf, fakeClock, READ_V4, START, UPDATE_V4 } from './harness.ts';
import { agentOfEach, OK, type Scripted, scripting } from './scripted.ts';

const scripted = scripting(agentOfEach());

/** A client with a clock that begins at 0, and the answers that it gets. */
function start(request: ApiRequest, answers: readonly Scripted[], settings: Parameters<typeof scripted>[2] = {}) {
  const clock = settings.clock ?? fakeClock();
  return scripted(request, answers, { ...settings, clock, elapsed: () => clock.now() - START });
}

const until = (freshUntil: number, request: ApiRequest = UPDATE_V4): ApiRequest => ({ ...request, freshUntil });

function attemptsOf({ attempts }: ApiError): Attempts {
  if (attempts === undefined) throw new Error('the error has no attempts');
  return attempts;
}

describe('the first attempt of a write', () => {
  it('may start when what it rests on is fresh for the last time', async () => {
    const { service } = start(UPDATE_V4, [OK]);
    expect(await service.send(until(0))).toMatchObject({ status: 200 });
  });

  it('does not start later, and nothing was written', async () => {
    const { service } = start(UPDATE_V4, [OK]);
    expect(await errorOf(service.send(until(-1)))).toMatchObject({
      category: 'expired',
      mayHaveWritten: 'no',
      message: 'PATCH /api/v4/things/a%20b: not sent, because what it writes was read too long ago',
      attempts: { count: 0 },
    });
    expect(service.counts).toEqual({ reads: 0, writes: 0, retries: 0 });
  });

  it('does not wait for a slot that would come too late, and leaves that slot to others', async () => {
    const http = { requestsPerSecond: 0.05 };
    const { service, clock } = start(UPDATE_V4, [OK, OK], { http });
    await service.send(UPDATE_V4);
    expect(await errorOf(service.send(until(20_000)))).toMatchObject({ category: 'expired' });
    expect(clock.slept).toEqual([]);
    await service.send(until(21_000));
    expect(clock.slept).toEqual([21_000]);
  });

  it('does not start where the check before a write took too long', async () => {
    const clock = fakeClock();
    const beforeWrite = async (): Promise<void> => clock.advance(31_000);
    const { service } = start(UPDATE_V4, [OK], { clock, beforeWrite });
    expect(await errorOf(service.send(until(30_000)))).toMatchObject({ category: 'expired', attempts: { count: 0 } });
    expect(service.counts.writes).toBe(0);
  });

  it('does not start after another request has held the only connection for too long', async () => {
    const http = { concurrency: 1, giveUpSeconds: 120 };
    const asking: Scripted = { status: 429, headers: { 'retry-after': '33' } };
    const { service } = start(UPDATE_V4, [asking, OK, OK], { http });
    const [first, second] = await Promise.allSettled([service.send(UPDATE_V4), service.send(until(30_000))]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(second).toMatchObject({ status: 'rejected', reason: { category: 'expired' } });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
  });
});

describe('a further attempt of a write', () => {
  const again: readonly (readonly [string, Scripted, number])[] = [
    ['a 429 with Retry-After', { status: 429, headers: { 'retry-after': '16' } }, 16_000],
    ['a 429', { status: 429 }, 200],
    ['a 503 with Retry-After', { status: 503, headers: { 'retry-after': '7' } }, 7000],
    ['a 503', { status: 503 }, 200],
    ['a 408', { status: 408 }, 200],
    ['a 500', { status: 500 }, 200],
    ['a broken connection', { code: 'ECONNRESET' }, 200],
    ['a refused connection', { code: 'ECONNREFUSED', syscall: 'connect' }, 200],
  ];

  it.each(again)(
    'does not start too late after %s; the time that the service asks for is waited for first',
    async (_what, answer, waitMs) => {
      const late = start(UPDATE_V4, [answer, OK]);
      const error = await errorOf(late.service.send(until(waitMs - 1)));
      expect(error).toMatchObject({ category: 'expired', attempts: { count: 1 } });
      expect(error.mayHaveWritten).toBe('syscall' in answer ? 'no' : 'maybe');
      expect(late.clock.slept).toEqual([waitMs]);
      expect(late.service.counts).toEqual({ reads: 0, writes: 1, retries: 0 });
      const inTime = start(UPDATE_V4, [answer, OK]);
      expect(await inTime.service.send(until(waitMs))).toMatchObject({ status: 200 });
    },
  );

  it('does not start too late after a 400, which is repeated without a pause', async () => {
    const clock = fakeClock();
    const { service } = start(UPDATE_V4, [{ status: 400 }, OK], { clock, onEvent: () => clock.advance(31_000) });
    expect(await errorOf(service.send(until(30_000)))).toMatchObject({ category: 'expired', mayHaveWritten: 'maybe' });
  });

  it('does not start where the check before it took too long', async () => {
    const clock = fakeClock();
    let checks = 0;
    const beforeWrite = async (): Promise<void> => clock.advance(++checks === 1 ? 0 : 31_000);
    const { service } = start(UPDATE_V4, [{ status: 500 }, OK], { clock, beforeWrite, http: { giveUpSeconds: 120 } });
    expect(await errorOf(service.send(until(30_000)))).toMatchObject({ category: 'expired', attempts: { count: 1 } });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 0 });
  });

  it('says why it was waiting, with the advice for that', async () => {
    const { service } = start(UPDATE_V4, [{ status: 429, headers: { 'retry-after': '16' } }]);
    expect(await errorOf(service.send(until(10_000)))).toMatchObject({
      what: 'not tried again, because what it writes was read too long ago; before that: HTTP 429 Too Many Requests; it asks to wait 16 s',
      advice: expect.stringContaining('lower http.requests_per_second'),
    });
  });

  it('is none of the time to give up: what comes after that ends with the failure itself, without a wait', async () => {
    const { service, clock } = start(UPDATE_V4, [{ status: 429, headers: { 'retry-after': '33' } }]);
    expect(await errorOf(service.send(until(30_000)))).toMatchObject({ category: 'throttled' });
    expect(clock.slept).toEqual([]);
  });
});

describe('a request that expired and is sent again', () => {
  const throttled: Scripted = { status: 429, headers: { 'retry-after': '8' } };
  const unlimited = Number.POSITIVE_INFINITY;

  /** Sends a request, which expires after some waits, and then as if it had been read again. */
  async function sendTwice(request: ApiRequest, answers: readonly Scripted[], freshUntil: number, meanwhileMs = 0) {
    const { service, clock, events } = start(request, answers);
    const earlier = attemptsOf(await errorOf(service.send(until(freshUntil, request))));
    clock.advance(meanwhileMs);
    return { service, clock, events, earlier, again: service.send({ ...request, freshUntil: unlimited, earlier }) };
  }

  it('goes on with its tries', async () => {
    const { again, events, service } = await sendTwice(UPDATE_V4, [throttled, { status: 409 }], 7000);
    expect(await errorOf(again)).toMatchObject({ mayHaveWritten: 'maybe', message: expect.stringContaining('(after 2 tries)') });
    expect(events.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
  });

  it('goes on with its time to give up, whatever was read meanwhile', async () => {
    const { again, clock } = await sendTwice(UPDATE_V4, [throttled, throttled], 7000, 5000);
    expect(await errorOf(again)).toMatchObject({ category: 'throttled', message: expect.stringContaining('(after 2 tries)') });
    expect(clock.now() - START).toBe(13_000);
    const late = await sendTwice(UPDATE_V4, [throttled], 7000, 12_000);
    expect(await errorOf(late.again)).toMatchObject({ category: 'throttled', attempts: undefined });
    expect(late.service.counts).toEqual({ reads: 0, writes: 1, retries: 0 });
  });

  it('repeats a 400 once in all', async () => {
    const clock = fakeClock();
    const { service } = start(UPDATE_V4, [{ status: 400 }, { status: 400 }, OK], { clock, onEvent: () => clock.advance(1000) });
    const earlier = attemptsOf(await errorOf(service.send(until(500))));
    expect(await errorOf(service.send({ ...UPDATE_V4, earlier }))).toMatchObject({ category: 'rejected', status: 400 });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
  });

  it.each([
    ['an update', UPDATE_V4, {}],
    ['a create that is repeated', CREATE_V4, { after: 'repeat' } as const],
  ])('takes no more than one from the budget of retries for %s', async (_what, request, more) => {
    const { service } = start(request, new Array(300).fill({ status: 409 }));
    let sent = 0;
    // Each of them expires before its first attempt, and is then sent.
    for (;;) {
      const expiring = await errorOf(service.send({ ...request, ...more, freshUntil: -1 }));
      if (expiring.category !== 'expired' || sent === 120) break;
      sent += 1;
      await errorOf(service.send({ ...request, ...more, earlier: attemptsOf(expiring) }));
    }
    expect(sent).toBe(request === CREATE_V4 ? 100 : 120);
  });

  it('knows when it last ended, and when an attempt ended that may have been carried out', async () => {
    const { service, clock } = start(UPDATE_V4, [{ status: 503, headers: { 'retry-after': '3' } }, throttled]);
    const { firstAt, endedAt, lostAt, lost } = attemptsOf(await errorOf(service.send(until(10_000))));
    expect({ firstAt, endedAt, lostAt, lost }).toEqual({ firstAt: 0, endedAt: 3000, lostAt: 0, lost: true });
    expect(clock.now() - START).toBe(11_000);
    const only = start(UPDATE_V4, [throttled]);
    expect(attemptsOf(await errorOf(only.service.send(until(7000))))).toMatchObject({ lost: true, endedAt: 0 });
  });
});

it('reads, and requests without a limit, never expire', async () => {
  for (const request of [READ_V4, DELETE_V4]) {
    const clock = fakeClock();
    clock.advance(3_600_000);
    const { service } = start(request, [OK], { clock });
    expect(await service.send(request)).toMatchObject({ status: 200 });
  }
});
