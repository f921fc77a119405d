import { describe, expect, it } from 'vitest';
import { type CircuitBreaker, circuitBreaker } from '../../../src/core/api-client/circuit-breaker.ts';
import type { AttemptFailure } from '../../../src/core/api-client/errors.ts';
import { errorOf, fakeClock, READ_V4, UPDATE_V3, UPDATE_V4 } from './harness.ts';
import { against } from './servers.ts';

const failureOf = (fault: AttemptFailure['category'], status?: number): AttemptFailure => ({
  category: fault,
  what: 'no connection',
  advice: '',
  retryClass: 'repeatable',
  notReceived: true,
  ...(status === undefined ? {} : { status }),
});

function breakerAfter(count: number, result: Parameters<CircuitBreaker['onResult']>[0], last = true): CircuitBreaker {
  const breaker = circuitBreaker();
  for (let index = 0; index < count; index++) breaker.onResult(result, last);
  return breaker;
}

describe('circuitBreaker', () => {
  it.each(['unreachable', 'timeout', 'throttled'] as const)('opens after five failed requests in a row: %s', (fault) => {
    expect(breakerAfter(4, failureOf(fault)).failureIfOpen(undefined)).toBeUndefined();
    const failure = breakerAfter(5, failureOf(fault)).failureIfOpen(undefined);
    expect(failure).toMatchObject({ category: 'unreachable', retryClass: 'never', notReceived: true });
    expect(failure?.advice).toBe('Run again when the service is back: what was written stays written, and the rest is planned anew.');
    expect(failure?.what).toBe('not sent, because the 5 requests before it came to nothing, the last with: no connection');
  });

  it('counts requests, not attempts', () => {
    expect(breakerAfter(50, failureOf('unreachable'), false).failureIfOpen(undefined)).toBeUndefined();
  });

  it('stays closed while the service responds', () => {
    for (const failure of [
      failureOf('failed', 500),
      failureOf('rejected', 409),
      failureOf('throttled', 429),
      failureOf('not-found', 404),
    ]) {
      expect(breakerAfter(50, failure).failureIfOpen(undefined)).toBeUndefined();
    }
  });

  it.each([{ status: 200, body: {} }, failureOf('not-found', 404)])('closes at any response: %j', (answer) => {
    const breaker = breakerAfter(9, failureOf('timeout'));
    breaker.onResult(answer, true);
    breaker.onResult(failureOf('timeout'), true);
    expect(breaker.failureIfOpen(undefined)).toBeUndefined();
  });
});

describe('an outage', () => {
  it('of every API fails hundreds of waiting writes after few attempts', async () => {
    let arrived = 0;
    const clock = fakeClock();
    const { service } = await against(
      (request) => {
        arrived++;
        request.socket.destroy();
      },
      { http: { concurrency: 8, giveUpSeconds: 3600 }, clock },
    );
    const errors = await Promise.all(Array.from({ length: 200 }, () => errorOf(service.send(UPDATE_V4))));
    expect(errors.filter(({ message }) => message.includes('not sent, because the '))).toHaveLength(200 - service.counts.writes);
    expect(new Set(errors.map(({ category }) => category))).toEqual(new Set(['unreachable']));
    expect(service.counts.writes).toBeLessThan(16);
    expect(service.counts.retries).toBeLessThanOrEqual(100);
    expect(arrived).toBe(service.counts.writes + service.counts.retries);
    expect(errors.filter(({ mayHaveWritten }) => mayHaveWritten === 'maybe')).toHaveLength(service.counts.writes);
  });

  it('of one API does not affect the other, and ends with the response to a read', async () => {
    let down = true;
    const { service } = await against(
      (request, response) => {
        if (down && request.url?.startsWith('/api/v4/')) request.socket.destroy();
        else response.end('{"error":0}');
      },
      { http: { giveUpSeconds: 0 } },
    );
    for (let index = 0; index < 5; index++) await errorOf(service.send(UPDATE_V4));
    expect((await errorOf(service.send(UPDATE_V4))).message).toContain('not sent');
    expect(await service.send(UPDATE_V3)).toMatchObject({ status: 200 });
    down = false;
    expect((await errorOf(service.send(UPDATE_V4))).message).toContain('not sent');
    await service.send(READ_V4);
    expect(await service.send(UPDATE_V4)).toMatchObject({ status: 200 });
    expect(service.counts).toEqual({ reads: 1, writes: 7, retries: 0 });
  });

  it('that delays reads does not exceed the retry budget of the run', async () => {
    const { service } = await against((_request, response) => void response.writeHead(503).end(), {
      http: { concurrency: 8, giveUpSeconds: 20 },
      clock: fakeClock(),
    });
    const errors = await Promise.all(Array.from({ length: 200 }, () => errorOf(service.send(READ_V4))));
    expect(service.counts).toEqual({ reads: 200, writes: 0, retries: 100 });
    expect(errors.at(-1)?.message).toBe(
      'GET /api/v4/things: HTTP 503 Service Unavailable; not tried again, because this run has spent its retries (100)',
    );
  });
});
