import { describe, expect, it } from 'vitest';
import type { AttemptFailure } from '../../src/api-client/attempt-failure.ts';
import { type CircuitBreaker, circuitBreaker } from '../../src/api-client/circuit-breaker.ts';
import { fakeClock, faultOf, READ_V4, UPDATE_V3, UPDATE_V4 } from './harness.ts';
import { against } from './servers.ts';

const failing = (fault: AttemptFailure['kind'], status?: number): AttemptFailure => ({
  kind: fault,
  what: 'no connection',
  advice: '',
  retryClass: 'repeatable',
  notReceived: true,
  ...(status === undefined ? {} : { status }),
});

function watching(count: number, result: Parameters<CircuitBreaker['heed']>[0], last = true): CircuitBreaker {
  const watch = circuitBreaker();
  for (let index = 0; index < count; index++) watch.heed(result, last);
  return watch;
}

describe('outageWatch', () => {
  it.each(['unreachable', 'timeout', 'throttled'] as const)(
    'takes five requests in a row that came to nothing (%s) for an outage',
    (fault) => {
      expect(watching(4, failing(fault)).found(undefined)).toBeUndefined();
      const found = watching(5, failing(fault)).found(undefined);
      expect(found).toMatchObject({ kind: 'unreachable', retryClass: 'never', notReceived: true });
      expect(found?.what).toBe('not sent, because the 5 requests before it came to nothing, the last with: no connection');
    },
  );

  it('counts requests, not their attempts', () => {
    expect(watching(50, failing('unreachable'), false).found(undefined)).toBeUndefined();
  });

  it('does not take the word of a service that is there for an outage', () => {
    for (const failure of [failing('failed', 500), failing('rejected', 409), failing('throttled', 429), failing('not-found', 404)]) {
      expect(watching(50, failure).found(undefined)).toBeUndefined();
    }
  });

  it.each([{ status: 200, body: {} }, failing('not-found', 404)])('ends with any answer: %j', (answer) => {
    const watch = watching(9, failing('timeout'));
    watch.heed(answer, true);
    watch.heed(failing('timeout'), true);
    expect(watch.found(undefined)).toBeUndefined();
  });
});

describe('an outage', () => {
  it('of everything ends a thousand waiting writes soon, after few attempts', async () => {
    let arrived = 0;
    const clock = fakeClock();
    const { service } = await against(
      (request) => {
        arrived++;
        request.socket.destroy();
      },
      { http: { concurrency: 8, giveUpSeconds: 20 }, clock },
    );
    const errors = await Promise.all(Array.from({ length: 1000 }, () => faultOf(service.send(UPDATE_V4))));
    expect(errors.filter(({ message }) => message.includes('not sent, because the '))).toHaveLength(1000 - service.counts.writes);
    expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['unreachable']));
    expect(service.counts.writes).toBeLessThan(16);
    expect(service.counts.retries).toBeLessThanOrEqual(100);
    expect(arrived).toBe(service.counts.writes + service.counts.retries);
    expect(errors.filter(({ mayHaveWritten }) => mayHaveWritten === 'maybe')).toHaveLength(service.counts.writes);
  });

  it('of one API leaves the other alone, and a read that is answered ends it', async () => {
    let down = true;
    const { service } = await against(
      (request, response) => {
        if (down && request.url?.startsWith('/api/v4/')) request.socket.destroy();
        else response.end('{"error":0}');
      },
      { http: { giveUpSeconds: 0 } },
    );
    for (let index = 0; index < 5; index++) await faultOf(service.send(UPDATE_V4));
    expect((await faultOf(service.send(UPDATE_V4))).message).toContain('not sent');
    expect(await service.send(UPDATE_V3)).toMatchObject({ status: 200 });
    down = false;
    expect((await faultOf(service.send(UPDATE_V4))).message).toContain('not sent');
    await service.send(READ_V4);
    expect(await service.send(UPDATE_V4)).toMatchObject({ status: 200 });
    expect(service.counts).toEqual({ reads: 1, writes: 7, retries: 0 });
  });

  it('that lets reads wait costs no more retries than the run has', async () => {
    const { service } = await against((_request, response) => void response.writeHead(503).end(), {
      http: { concurrency: 8, giveUpSeconds: 20 },
      clock: fakeClock(),
    });
    const errors = await Promise.all(Array.from({ length: 200 }, () => faultOf(service.send(READ_V4))));
    expect(service.counts).toEqual({ reads: 200, writes: 0, retries: 100 });
    expect(errors.at(-1)?.message).toBe(
      'GET /api/v4/things: HTTP 503 Service Unavailable; not tried again, because this run has spent its retries (100)',
    );
  });
});
