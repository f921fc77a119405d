import { describe, expect, test, vi } from 'vitest';
import { MAX_ATTEMPTS, sendNotification, TIMEOUT_MS } from '../../../src/integrations/notifications/send.ts';
import { unreachableAddress } from '../../core/api-client/servers.ts';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { type ReceiverAnswer, startReceiver, type TestReceiver } from '../../support/receiver.ts';

const BODY = '{"event":"failed"}';

/** Sends a notification; `waits` gets the milliseconds between the attempts, for which nobody waits. */
function send(url: string, { signal = new AbortController().signal, waits = [] as number[] } = {}): Promise<string | null> {
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const receiver = { url: new URL(`${url}/hooks/S3cretPath?sig=S3cretQuery`), secret: null };
  return sendNotification(receiver, BODY, { now: () => 1_000, signal, sleep });
}

function answering(...answers: readonly ReceiverAnswer[]): Promise<TestReceiver> {
  return startReceiver((number) => answers[number - 1] ?? { status: 200 });
}

describe('a notification', () => {
  test('is a POST of JSON to the whole address, without a signature where there is no key', async () => {
    const receiver = await answering();
    expect(await send(receiver.url)).toBeNull();
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/hooks/S3cretPath?sig=S3cretQuery', body: BODY }]);
    expect(Object.keys(receiver.received[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  test.each([429, 500, 502, 503, 504])('is sent again after HTTP %d', async (status) => {
    const receiver = await answering({ status, headers: { 'retry-after': '0' } });
    expect(await send(receiver.url)).toBeNull();
    expect(receiver.received).toHaveLength(2);
  });

  test('is given up after the last attempt', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const waits: number[] = [];
    expect(await send(receiver.url, { waits })).toBe('it answered HTTP 500');
    expect([receiver.received.length, waits]).toEqual([MAX_ATTEMPTS, [500, 1_000]]);
  });

  test('is sent again after the time that the receiver asks for, up to five seconds', async () => {
    const waits: number[] = [];
    const patient = await answering({ status: 429, headers: { 'retry-after': '5' } });
    expect([await send(patient.url, { waits }), waits]).toEqual([null, [5_000]]);
    const late = await answering({ status: 429, headers: { 'retry-after': '6' } });
    expect([await send(late.url, { waits }), waits]).toEqual(['it answered HTTP 429', [5_000]]);
  });

  test.each<[ReceiverAnswer, string]>([
    [{ status: 404 }, 'it answered HTTP 404'],
    [{ status: 400, body: 'invalid_payload' }, 'it answered HTTP 400'],
    [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, 'it redirects (HTTP 302), and redirects are never followed'],
    [{ status: 429, headers: { 'retry-after': '60' } }, 'it answered HTTP 429'],
  ])('is sent once where another attempt would not help: %j', async (answer, problem) => {
    const receiver = await answering(answer);
    expect(await send(receiver.url)).toBe(problem);
    expect(receiver.received).toHaveLength(1);
  });

  test('is sent once where the receiver takes it and resets the connection', async () => {
    const receiver = await startReceiver((number) => (number === 1 ? 'reset' : { status: 200 }));
    const problem = await send(receiver.url);
    expect([receiver.received.map(({ body }) => body), problem]).toEqual([
      [BODY],
      expect.stringContaining('the connection to its address broke before the answer was complete'),
    ]);
  });

  test('is sent once where the receiver takes it and does not answer in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanUpAfterTest(() => void vi.useRealTimers());
    let take = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    const receiver = await startReceiver((number) => {
      take();
      return number === 1 ? null : { status: 200 };
    });
    const sending = send(receiver.url);
    await taken;
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    const problem = await sending;
    expect([receiver.received.map(({ body }) => body), problem]).toEqual([[BODY], 'no complete answer within 5 s']);
  });

  test('is not sent again once the user interrupts', async () => {
    const stop = new AbortController();
    const receiver = await startReceiver(() => {
      stop.abort();
      return { status: 503 };
    });
    expect(await send(receiver.url, { signal: stop.signal })).toBe('it answered HTTP 503');
    expect(receiver.received).toHaveLength(1);
  });

  test('to nobody tells no part of the address', async () => {
    const problem = await send(await unreachableAddress());
    expect(problem).toBe('no connection to its address (ECONNREFUSED)');
  });
});
