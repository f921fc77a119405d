import { describe, expect, it } from 'vitest';
import type { AttemptFailure } from '../../../src/core/api-client/attempts.ts';
import { type CircuitBreaker, circuitBreaker } from '../../../src/core/api-client/circuit-breaker.ts';
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

const WRITE = { method: 'PATCH' } as const;
const READ = { method: 'GET' } as const;

function breakerAfter(
  count: number,
  result: Parameters<CircuitBreaker['onResult']>[1],
  last = true,
  request: Parameters<CircuitBreaker['onResult']>[0] = WRITE,
): CircuitBreaker {
  const breaker = circuitBreaker();
  for (let index = 0; index < count; index++) breaker.onResult(request, result, last);
  return breaker;
}

describe('circuitBreaker', () => {
  it.each(['unreachable', 'timeout', 'throttled', 'failed'] as const)('opens after five failed writes in a row: %s', (fault) => {
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
    for (const failure of [failureOf('rejected', 409), failureOf('throttled', 429), failureOf('not-found', 404)]) {
      expect(breakerAfter(50, failure).failureIfOpen(undefined)).toBeUndefined();
    }
  });

  it.each([{ status: 200, body: {} }, failureOf('not-found', 404)])('closes at any answer to a write that was under way: %j', (answer) => {
    const breaker = breakerAfter(9, failureOf('timeout'));
    breaker.onResult(WRITE, answer, true);
    breaker.onResult(WRITE, failureOf('timeout'), true);
    expect(breaker.failureIfOpen(undefined)).toBeUndefined();
  });

  it('is not closed by the answer to a read, which tells nothing about writes', () => {
    const breaker = breakerAfter(5, failureOf('failed', 500));
    breaker.onResult(READ, { status: 200, body: {} }, true);
    expect(breaker.failureIfOpen(undefined)).toBeDefined();
  });

  it('opens after five failed reads in a row, too, unless they show a fault of the service, and closes at the answer to a read', () => {
    expect(breakerAfter(50, failureOf('failed', 500), true, READ).failureIfOpen(undefined)).toBeUndefined();
    const breaker = breakerAfter(5, failureOf('timeout'), true, READ);
    expect(breaker.failureIfOpen(undefined)).toBeDefined();
    breaker.onResult(READ, { status: 200, body: {} }, true);
    expect(breaker.failureIfOpen(undefined)).toBeUndefined();
  });

  it('does not count a create again that is repeated', () => {
    expect(breakerAfter(50, failureOf('failed', 500), true, { method: 'POST', after: 'repeat' }).failureIfOpen(undefined)).toBeUndefined();
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

  it('of one API does not affect the other, and does not end with the answer to a read', async () => {
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
    expect((await errorOf(service.send(UPDATE_V4))).message).toContain('not sent');
    expect(service.counts).toEqual({ reads: 1, writes: 6, retries: 0 });
  });

  it.each([500, 503])('of creates alone takes repeated ones from the retry budget, whatever reads answer: HTTP %i', async (status) => {
    const { service } = await against(
      (request, response) => void (request.method === 'GET' ? response.end('{}') : response.writeHead(status).end()),
      { http: { concurrency: 8, giveUpSeconds: 0 }, clock: fakeClock() },
    );
    const create = { method: 'POST', path: '/api/v4/things', body: {}, repeatable: false } as const;
    const sendTwice = async (): Promise<void> => {
      await errorOf(service.send(create));
      await service.send({ ...READ_V4, after: 'look-up' });
      await errorOf(service.send({ ...create, after: 'repeat' }));
    };
    await Promise.all(Array.from({ length: 200 }, sendTwice));
    expect(service.counts.writes).toBeLessThan(16);
    expect(service.counts.retries).toBeLessThanOrEqual(100);
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
