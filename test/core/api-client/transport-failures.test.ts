/** Single exchanges of the transport, without retries: what each failure says, and what is left behind. */
import { Agent, Dispatcher, MockAgent } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { createTransport, type HttpRequest, type TransportOptions } from '../../../src/core/api-client/transport.ts';
import type { FetchAnswer } from '../../../src/core/model/fetch.ts';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { ORIGIN } from './harness.ts';
import { listening } from './servers.ts';

const WIRE: HttpRequest = { method: 'GET', path: '/api/v4/things', headers: {} };

function exchange(options: Partial<TransportOptions>, timeoutMs = 10_000) {
  const transport = createTransport({ baseUrl: ORIGIN, connections: 1, maxBodyMib: 1 / 1024, ...options });
  return transport.exchange(WIRE, timeoutMs, (text) => text.replaceAll('canary', '[hidden]'));
}

/** A dispatcher that answers, or fails, without a network. */
function mocked(answer: Error | { readonly body: string }): MockAgent {
  const agent = new MockAgent();
  agent.disableNetConnect();
  cleanUpAfterTest(() => agent.close());
  const interceptor = agent.get(ORIGIN).intercept({ method: 'GET', path: WIRE.path });
  if (answer instanceof Error) interceptor.replyWithError(answer);
  else interceptor.reply(200, answer.body);
  return agent;
}

/** A dispatcher that never answers; `isSent` says whether a request gets a connection. */
class Silent extends Dispatcher {
  readonly aborted: Error[] = [];
  readonly isSent: boolean;
  constructor(isSent: boolean) {
    super();
    this.isSent = isSent;
  }
  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const abort = (reason: Error): void => void this.aborted.push(reason);
    const controller = { aborted: false, paused: false, reason: null, abort, pause: () => undefined, resume: () => undefined };
    if (this.isSent) handler.onRequestStart?.(controller, {});
    return true;
  }
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  cleanUpAfterTest(() => void vi.useRealTimers());
}

const answerOf = (bytes: number): FetchAnswer => ({
  status: 200,
  headers: new Headers(),
  arrayBuffer: async () => new Uint8Array(bytes).buffer,
});

describe('the failure of an exchange', () => {
  const coded = (code: string, message = 'broken', more = {}) => Object.assign(new Error(message), { code, ...more });
  const unasked = {
    category: 'malformed',
    what: 'the service sent HTTP 101 Switching Protocols before its answer, unasked',
    retryClass: 'reads',
    notReceived: false,
    status: 101,
  };
  const broke = (code: string) => ({
    category: 'unreachable',
    what: `the connection to ${ORIGIN} broke before the answer was complete (${code})`,
    retryClass: 'repeatable',
    notReceived: false,
  });

  it.each<[Error, object]>([
    [coded('UND_ERR_SOCKET', 'bad upgrade'), unasked],
    [coded('UND_ERR_SOCKET', 'other side closed'), broke('UND_ERR_SOCKET')],
    [coded('ECONNRESET', 'bad upgrade'), broke('ECONNRESET')],
    [
      coded('CERT_HAS_EXPIRED'),
      {
        category: 'unreachable',
        what: `the certificate of ${ORIGIN} is not trusted (CERT_HAS_EXPIRED)`,
        retryClass: 'never',
        notReceived: true,
      },
    ],
    [
      coded('ENOTFOUND', 'broken', { syscall: 'getaddrinfo' }),
      { category: 'unreachable', what: `cannot resolve ${new URL(ORIGIN).hostname}`, retryClass: 'once', notReceived: true },
    ],
    [
      coded('EAI_AGAIN', 'broken', { syscall: 'getaddrinfo' }),
      { category: 'unreachable', what: `no connection to ${ORIGIN} (EAI_AGAIN)`, retryClass: 'always', notReceived: true },
    ],
    [
      coded('UND_ERR_ABORTED'),
      {
        category: 'unreachable',
        what: `the proxy gives no way to ${ORIGIN}`,
        advice: 'Check HTTPS_PROXY and NO_PROXY, and that the proxy lets this machine reach the service.',
        retryClass: 'never',
        notReceived: true,
      },
    ],
  ])('says which requests may be retried, and whether anything was sent: %s', async (error, failure) => {
    const { code } = Object.assign({ code: '' }, error);
    expect(await exchange({ dispatcher: mocked(error) })).toMatchObject({ ...failure, cause: { message: `${code} ${error.message}` } });
  });

  it('has a cause without secrets, and keeps nothing else of the error', async () => {
    const failure = await exchange({ dispatcher: mocked(coded('ECONNRESET', 'no canary', { url: 'canary' })) });
    expect(failure).toMatchObject({ cause: new Error('ECONNRESET no [hidden]') });
    expect(Object.getOwnPropertyNames('cause' in failure ? failure.cause : undefined)).toEqual(['stack', 'message']);
  });

  it.each([
    ['a dispatcher', (bytes: number) => ({ dispatcher: mocked({ body: 'x'.repeat(bytes) }) })],
    ['a function of the caller', (bytes: number) => ({ fetch: async () => answerOf(bytes) })],
  ])('is final where the answer of %s is one byte larger than the maximum', async (_name, answering) => {
    expect(await exchange(answering(1024))).toMatchObject({ status: 200, bytes: { length: 1024 } });
    expect(await exchange(answering(1025))).toMatchObject({ category: 'malformed', retryClass: 'never', notReceived: false, status: 200 });
  });

  it.each([
    [false, { what: 'no connection within 0.1 s', retryClass: 'always', notReceived: true }],
    [true, { what: 'no complete answer within 0.1 s', retryClass: 'repeatable', notReceived: false }],
  ])('at the deadline depends on whether the request got a connection: %s', async (isSent, failure) => {
    fakeTimers();
    const dispatcher = new Silent(isSent);
    const waiting = exchange({ dispatcher }, 50);
    vi.advanceTimersByTime(50);
    expect(await waiting).toMatchObject({ category: 'timeout', ...failure });
    expect(dispatcher.aborted.map(({ message }) => message)).toEqual(isSent ? [failure.what] : []);
  });

  it('at the deadline of a function of the caller may have written', async () => {
    fakeTimers();
    const waiting = exchange({ fetch: () => new Promise(() => undefined) }, 50);
    vi.advanceTimersByTime(50);
    expect(await waiting).toMatchObject({ category: 'timeout', retryClass: 'repeatable', notReceived: false });
  });
});

describe('after an exchange', () => {
  it.each<[string, () => Partial<TransportOptions>]>([
    ['an answer', () => ({ dispatcher: mocked({ body: '{}' }) })],
    ['an error', () => ({ dispatcher: mocked(new Error('broken')) })],
    ['an answer of a function of the caller', () => ({ fetch: async () => answerOf(2) })],
    ['an error of a function of the caller', () => ({ fetch: () => Promise.reject(new Error('broken')) })],
  ])('no timer is left that would keep the process running: %s', async (_name, options) => {
    fakeTimers();
    await exchange(options());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a closed transport', () => {
  it('sends nothing more over connections of its own', async () => {
    let arrived = 0;
    const baseUrl = await listening((_request, response) => {
      arrived++;
      response.end('{}');
    });
    const transport = createTransport({ baseUrl, connections: 1, maxBodyMib: 1 });
    expect(await transport.exchange(WIRE, 10_000, (text) => text)).toMatchObject({ status: 200 });
    await transport.close();
    expect(await transport.exchange(WIRE, 10_000, (text) => text)).toMatchObject({ category: 'unreachable' });
    expect(arrived).toBe(1);
  });

  it('leaves a dispatcher of the caller open', async () => {
    const dispatcher = new Agent();
    cleanUpAfterTest(() => dispatcher.close());
    const transport = createTransport({ baseUrl: ORIGIN, connections: 1, maxBodyMib: 1, dispatcher });
    await transport.close();
    expect(dispatcher.closed).toBe(false);
  });
});
