/** The transport that sends by a function of the caller. */
import { describe, expect, it, vi } from 'vitest';
import type { Fetch, FetchAnswer, FetchInit } from '../../../src/core/model/fetch.ts';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { createTestClient, DELETE_V4, errorOf, ORIGIN, READ_V3, READ_V4, UPDATE_V4 } from './harness.ts';

const answer = (body: string, status = 200): FetchAnswer => ({
  status,
  headers: new Headers({ 'retry-after': '7' }),
  arrayBuffer: async () => new TextEncoder().encode(body).buffer,
});

describe('the function of the caller', () => {
  it('gets address, method, headers and body as the network would, and its answer is read like any other', async () => {
    const sent: (readonly [url: string, init: FetchInit])[] = [];
    const fetch: Fetch = async (url, init) => {
      sent.push([url, init]);
      return answer('{"error":0,"msg":"ok"}');
    };
    const { service } = createTestClient({ fetch });
    await service.send(UPDATE_V4);
    const [[url = '', init] = []] = sent;
    expect(url.startsWith(`${ORIGIN}/api/v4/things/a%20b`)).toBe(true);
    expect(init).toMatchObject({
      method: 'PATCH',
      redirect: 'manual',
      headers: { accept: 'application/json', 'user-agent': 'upkeep' },
      body: expect.stringContaining('repeat'),
    });
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 0 });
  });

  it('is asked again after a status that passes, as long as the header of the answer says', async () => {
    const statuses = [503, 200];
    const { service, clock } = createTestClient({ fetch: async () => answer('{}', statuses.shift()) });
    await service.send(READ_V4);
    expect(service.counts.retries).toBe(1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(7_000);
  });

  it('may have written where it throws, unless the request only reads', async () => {
    const fetch: Fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const { service } = createTestClient({ fetch, http: { giveUpSeconds: 0 } });
    expect(await errorOf(service.send(UPDATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
    expect(await errorOf(service.send(READ_V3))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'no' });
  });

  it('has the time of an attempt, even if it does not look at its signal', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanUpAfterTest(() => void vi.useRealTimers());
    const signals: AbortSignal[] = [];
    const fetch: Fetch = (_url, { signal }) => {
      signals.push(signal);
      setImmediate(() => vi.advanceTimersByTime(50));
      return new Promise(() => undefined);
    };
    const { service } = createTestClient({ fetch, http: { timeoutSeconds: 0.05, giveUpSeconds: 0 } });
    expect(await errorOf(service.send(DELETE_V4))).toMatchObject({ category: 'timeout', mayHaveWritten: 'maybe' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('may not answer with more than the maximum', async () => {
    const { service } = createTestClient({ fetch: async () => answer('x'.repeat(2 * 1024 * 1024)) });
    expect((await errorOf(service.send(READ_V3))).message).toContain('the answer is larger than 1 MiB');
  });
});
