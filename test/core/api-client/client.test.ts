import { describe, expect, it } from 'vitest';
import { sleep } from '../../../src/core/api-client/monotonic.ts';
import type { Fetch } from '../../../src/core/model/fetch.ts';
import { CREATE_V4, createTestClient, DELETE_V4, errorOf, fakeClock, ORIGIN, READ_V4, START, UPDATE_V4 } from './harness.ts';
import { agentOfEach, OK, type Scripted, scripting } from './scripted.ts';

const agent = agentOfEach();
const scripted = scripting(agent);
const EMPTY = new TextEncoder().encode('{}').buffer;

describe('what comes before a write', () => {
  it('comes before each attempt of a write, and before no read', async () => {
    let checks = 0;
    const beforeWrite = async (): Promise<void> => void checks++;
    const { service } = scripted(UPDATE_V4, [{ status: 502 }, OK], { beforeWrite });
    await service.send(UPDATE_V4);
    expect(checks).toBe(2);
    const reading = scripted(READ_V4, [OK], { beforeWrite });
    await reading.service.send(READ_V4);
    expect(checks).toBe(2);
  });

  it('can stop the write, which is then not sent', async () => {
    const run = new AbortController();
    const { service } = scripted(CREATE_V4, [OK], { signal: run.signal, beforeWrite: async () => run.abort() });
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'interrupted', mayHaveWritten: 'no' });
    expect(service.counts.writes).toBe(0);
  });
});

describe('an interrupted run', () => {
  it('sends no request after the interruption', async () => {
    const run = new AbortController();
    const { service } = scripted(READ_V4, [OK], { signal: run.signal });
    run.abort();
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'interrupted', mayHaveWritten: 'no' });
    expect(service.counts).toEqual({ reads: 0, writes: 0, retries: 0 });
  });

  it('completes requests in flight, and fails waiting requests', async () => {
    const run = new AbortController();
    agent()
      .get(ORIGIN)
      .intercept({ method: 'GET', path: (path) => path.startsWith(READ_V4.path) })
      .reply(() => {
        run.abort();
        return { statusCode: 200, data: '{}' };
      })
      .persist();
    const { service } = createTestClient({ dispatcher: agent(), signal: run.signal, http: { concurrency: 1 } });
    const [first, second] = await Promise.allSettled([service.send(READ_V4), service.send(READ_V4)]);
    expect(first).toEqual({ status: 'fulfilled', value: { status: 200, body: {} } });
    expect(second).toMatchObject({ status: 'rejected', reason: { category: 'interrupted', mayHaveWritten: 'no' } });
  });

  it('does not retry a write whose response was lost, and reports that it may have happened', async () => {
    const run = new AbortController();
    const sleep = async (): Promise<void> => run.abort();
    const { service } = scripted(UPDATE_V4, [{ status: 502 }, OK], { signal: run.signal, sleep });
    const error = await errorOf(service.send(UPDATE_V4));
    expect(error).toMatchObject({
      category: 'interrupted',
      mayHaveWritten: 'maybe',
      message: expect.stringContaining('HTTP 502 Bad Gateway'),
    });
  });

  it('ends the delay before a retry at once', async () => {
    const run = new AbortController();
    const { service } = scripted(READ_V4, [{ status: 503, headers: { 'retry-after': '19' } }, OK], {
      signal: run.signal,
      sleep,
      onEvent: () => void setImmediate(() => run.abort()),
    });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'interrupted', mayHaveWritten: 'no' });
  });

  it('wakes any number of waiting requests, without a warning of Node', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    const run = new AbortController();
    const answers: Scripted[] = new Array(25).fill({ status: 503, headers: { 'retry-after': '19' } });
    let waiting = 0;
    const { service } = scripted(READ_V4, answers, {
      signal: run.signal,
      sleep,
      http: { concurrency: 25 },
      onEvent: () => {
        if (++waiting === 25) setImmediate(() => run.abort());
      },
    });
    const errors = await Promise.all(answers.map(() => errorOf(service.send(READ_V4))));
    process.off('warning', warned);
    expect(new Set(errors.map(({ category }) => category))).toEqual(new Set(['interrupted']));
    expect(warnings).toEqual([]);
  });

  it('also ends a wait of a caller that polls', async () => {
    const run = new AbortController();
    const { service } = createTestClient({ dispatcher: agent(), signal: run.signal, sleep, http: { giveUpSeconds: 7 } });
    expect(service.waitPolicy.giveUpMs).toBe(7000);
    const waiting = service.waitPolicy.sleep(3_600_000);
    run.abort();
    await waiting;
    expect(run.signal.aborted).toBe(true);
  });

  it('sends no request after close', async () => {
    const { service } = scripted(READ_V4, [OK]);
    await service.close();
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'interrupted' });
  });
});

describe('the deadline of a run', () => {
  const http = { runSeconds: 10, giveUpSeconds: 60, concurrency: 1 };

  it('prevents new requests and retries', async () => {
    const { service, clock } = scripted(UPDATE_V4, new Array(20).fill({ status: 502 }), { http });
    const tried = await errorOf(service.send(UPDATE_V4));
    expect(tried).toMatchObject({ category: 'deadline', mayHaveWritten: 'maybe', advice: expect.stringContaining('http.run_seconds') });
    expect(tried.message).toMatch(
      /not tried again, because the 10 s that a run may take \(http\.run_seconds\) are over; before that: HTTP 502/,
    );
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
    const untried = await errorOf(service.send(READ_V4));
    expect(untried).toMatchObject({
      category: 'deadline',
      mayHaveWritten: 'no',
      message: expect.stringContaining('not sent, because the 10 s'),
    });
    expect(service.counts.reads).toBe(0);
  });

  it('lets requests in flight complete', async () => {
    const clock = fakeClock();
    agent()
      .get(ORIGIN)
      .intercept({ method: 'GET', path: (path) => path.startsWith(READ_V4.path) })
      .reply(() => {
        clock.advance(11_000);
        return { statusCode: 200, data: '{}' };
      });
    const { service } = createTestClient({ dispatcher: agent(), clock, http });
    expect(await service.send(READ_V4)).toEqual({ status: 200, body: {} });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'deadline' });
  });

  it('counts from the start of the client, whatever its clock shows then', async () => {
    let time = 10 ** 9;
    const { service } = scripted(READ_V4, [OK], { http, elapsed: () => time });
    time += 9_999;
    expect(await service.send(READ_V4)).toMatchObject({ status: 200 });
    time += 1;
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'deadline' });
  });

  it('does not exist unless it is configured', async () => {
    const { service, clock } = scripted(READ_V4, [OK]);
    clock.advance(10 ** 10);
    expect(await service.send(READ_V4)).toMatchObject({ status: 200 });
  });
});

describe('the client', () => {
  it('tells by how much the clock is ahead, from the latest answer with a date', async () => {
    const date = (ms: number) => ({ date: new Date(START - ms).toUTCString() });
    const { service } = scripted(READ_V4, [{ ...OK, headers: date(5000) }, OK, { ...OK, headers: date(-7000) }]);
    expect(service.clock).toEqual({ aheadMs: null });
    const ahead: (number | null)[] = [];
    for (let count = 0; count < 3; count++) {
      await service.send(READ_V4);
      ahead.push(service.clock.aheadMs);
    }
    expect(ahead).toEqual([5000, 5000, -7000]);
  });

  it('earns a retry with every five successes, and none with failures', async () => {
    let count = 0;
    // Of two requests, the first one is retried: it costs one retry, and both earn a fifth.
    const fetch: Fetch = async () => ({ status: count++ % 3 ? 200 : 503, headers: new Headers(), arrayBuffer: async () => EMPTY });
    const { service } = createTestClient({ fetch });
    for (let index = 0; index < 2 * 160; index++) await service.send(READ_V4);
    expect(service.counts).toEqual({ reads: 320, writes: 0, retries: 160 });
    const rest = await Promise.allSettled(Array.from({ length: 2 * 10 }, () => service.send(READ_V4)));
    expect(rest.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('this run has spent its retries') },
    });
  });

  it('describes an attempt without a body and without an answer by nothing', async () => {
    const { service, events } = scripted(READ_V4, [{ code: 'ECONNREFUSED', syscall: 'connect' }, OK]);
    await service.send(READ_V4);
    expect(events.map(({ detail }) => detail())).toEqual([
      {},
      { responseBytes: 23, responseHeaders: [], responseBody: '{error: number, fine: boolean}' },
    ]);
  });

  it('never sends a request with an unsafe path', async () => {
    const { service } = createTestClient({ dispatcher: agent() });
    const error = await errorOf(service.send({ ...DELETE_V4, path: '/api/v4/things/..' }));
    expect(error).toMatchObject({ category: 'malformed', mayHaveWritten: 'no', operation: 'DELETE /api/v4/things/..' });
    expect(service.counts).toEqual({ reads: 0, writes: 0, retries: 0 });
  });
});
