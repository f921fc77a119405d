import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Fetch, FetchAnswer } from '../model/fetch.ts';
import type { AttemptFailure } from './attempts.ts';
import { ACCEPTED_ENCODINGS, type BodyReader, createBodyReader, type ReceivedBody } from './body-reader.ts';
import { timedOutAfter, unusable } from './errors.ts';
import { skipInformationalAnswers } from './informational-answers.ts';
import { LONGEST_TIMER_MS } from './monotonic.ts';
import type { Redact } from './redact.ts';

export type { Dispatcher } from 'undici';

/** A complete HTTP response, not yet validated. */
export interface HttpResponse extends ReceivedBody {
  readonly status: number;
  /** Returns the first value of a header; of `link`, which may stand in several, all values with commas between them. */
  header(name: string): string | undefined;
  /** The names of the headers; absent where the transport does not tell them. */
  readonly headerNames?: readonly string[];
}

/** An HTTP request; `path` is below the base URL and includes the query. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** Sends single HTTP requests, without retries and redirects. */
export interface Transport {
  exchange(wire: HttpRequest, timeoutMs: number, redact: Redact): Promise<HttpResponse | AttemptFailure>;
  close(): Promise<void>;
}

/** Observes exchanges: it is called at the start of each, and the function that it returns with the end. */
export type ObserveExchange = (wire: HttpRequest) => (result: HttpResponse | AttemptFailure) => void;

/** Options of a transport. `baseUrl` has no trailing slash; the caller closes a dispatcher that it passes in. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly maxBodyMib: number;
  /** URL of the proxy, which may contain a password; undefined = a direct connection. */
  readonly proxy?: string | undefined;
  readonly dispatcher?: Dispatcher;
  /** Sends the requests in place of a dispatcher. */
  readonly fetch?: Fetch | undefined;
  readonly observe?: ObserveExchange | undefined;
}

/** The headers that every request has. */
const HEADERS = { accept: 'application/json', 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': 'upkeep' };

/** Creates a transport. Network errors become failures; nothing is thrown. */
export function createTransport(options: TransportOptions): Transport {
  const transport = unobservedTransport(options);
  const { observe } = options;
  if (!observe) return transport;
  return {
    ...transport,
    async exchange(wire, timeoutMs, redact) {
      const ended = observe(wire);
      const result = await transport.exchange(wire, timeoutMs, redact);
      ended(result);
      return result;
    },
  };
}

function unobservedTransport(options: TransportOptions): Transport {
  if (options.fetch) return fetchTransport(options, options.fetch);
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const dispatcher = options.dispatcher ?? agentOf(options);
  return {
    async exchange(wire, timeoutMs, redact) {
      const headers = { ...HEADERS, ...wire.headers };
      // Origin and path are given apart because a URL parser would resolve `..` and re-encode IDs.
      const request = { ...wire, origin, path: prefix + wire.path, headers };
      try {
        return await dispatchRequest(dispatcher, request, timeoutMs, options.maxBodyMib, redact);
      } catch (error) {
        return connectionFailure(error, origin, redact);
      }
    },
    close: () => (options.dispatcher === undefined ? dispatcher.close() : Promise.resolve()),
  };
}

/** Creates a transport that sends by a function of the caller. */
function fetchTransport({ baseUrl, maxBodyMib }: TransportOptions, fetch: Fetch): Transport {
  const send = async ({ path, headers, ...wire }: HttpRequest, signal: AbortSignal): Promise<HttpResponse | AttemptFailure> => {
    const answer = await fetch(baseUrl + path, { ...wire, headers: { ...HEADERS, ...headers }, redirect: 'manual', signal });
    const { status, headers: answered } = answer;
    const bytes = await bytesOf(answer, maxBodyMib * 1024 * 1024);
    if (bytes === null) return tooLarge(status, maxBodyMib);
    return { status, bytes, header: (name) => answered.get(name) ?? undefined };
  };
  return {
    async exchange(wire, timeoutMs, redact) {
      const deadline = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      // The function may not look at the signal.
      const late = new Promise<AttemptFailure>((resolve) => {
        const giveUp = (): void => {
          resolve(timedOutAfter(timeoutMs, true));
          deadline.abort();
        };
        timer = setTimeout(giveUp, Math.min(timeoutMs, LONGEST_TIMER_MS));
      });
      const sent = send(wire, deadline.signal).catch((error: unknown) => connectionFailure(error, new URL(baseUrl).origin, redact));
      try {
        return await Promise.race([late, sent]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: async () => undefined,
  };
}

/** Returns the body of an answer, which a `fetch` has decompressed; null where it is larger than the maximum. */
async function bytesOf(answer: FetchAnswer, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? [new Uint8Array(await answer.arrayBuffer())]) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function agentOf({ connections, proxy }: TransportOptions): Dispatcher {
  // One deadline applies to the whole attempt, so the timeouts of the agent are disabled.
  const settings = { connections, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return new Agent({ ...settings, connect: withoutInformationalAnswers(buildConnector({})) });
  // The agent connects through the tunnel by a function of its own, which the pool is given.
  const poolOf = (origin: URL, options: Pool.Options): Dispatcher =>
    new Pool(
      origin,
      typeof options.connect === 'function' ? { ...options, connect: withoutInformationalAnswers(options.connect) } : options,
    );
  return new ProxyAgent({ ...settings, uri: proxy, factory: poolOf });
}

function withoutInformationalAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      if (socket) skipInformationalAnswers(socket);
      callback(...result);
    });
}

/** Sends a request and reads the response until its end, the deadline or the maximum size. undici's streams would double the cost. */
async function dispatchRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
  maxBodyMib: number,
  redact: Redact,
) {
  let timer: NodeJS.Timeout | undefined;
  let reader: BodyReader | undefined;
  try {
    return await new Promise<HttpResponse | AttemptFailure>((resolve, reject) => {
      let abort: ((reason: Error) => void) | undefined;
      let abortReason: Error | undefined;
      const giveUp = (failure: AttemptFailure): void => {
        abortReason = new Error(failure.what);
        resolve(failure);
        abort?.(abortReason);
      };
      timer = setTimeout(() => giveUp(timedOutAfter(timeoutMs, abort !== undefined)), Math.min(timeoutMs, LONGEST_TIMER_MS));
      dispatcher.dispatch(request, {
        onRequestStart(controller) {
          abort = (reason) => controller.abort(reason);
          // A request that timed out while it waited for a connection is not sent.
          if (abortReason) abort(abortReason);
        },
        onResponseStart(_controller, status, headers: IncomingHttpHeaders) {
          const header = (name: string): string | undefined => {
            const values = [headers[name] ?? []].flat();
            return name === 'link' && values.length > 0 ? values.join(', ') : values[0];
          };
          reader = createBodyReader(headers['content-encoding'], maxBodyMib * 1024 * 1024, redact, {
            done: (body) => resolve({ status, header, headerNames: Object.keys(headers), ...body }),
            // Aborting closes the connection, so that the rest is never received.
            tooLarge: () => giveUp(tooLarge(status, maxBodyMib)),
          });
        },
        onResponseData: (_controller, chunk) => reader?.write(chunk),
        onResponseEnd: () => reader?.end(),
        onResponseError: (_controller, error) => reject(error),
      });
    });
  } finally {
    clearTimeout(timer);
    reader?.cancel();
  }
}

function tooLarge(status: number, maxBodyMib: number): AttemptFailure {
  const failure = unusable(`the answer is larger than ${maxBodyMib} MiB`, 'never', status);
  return { ...failure, advice: `${failure.advice} If the account is that large, raise http.max_body_mib.` };
}

/** System calls and codes of errors that occur before the first byte of a request is sent. */
const UNSENT_CODES = new Set(['connect', 'getaddrinfo', 'UND_ERR_CONNECT_TIMEOUT']);
const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;

/** Builds the failure for an answer that switches protocols, which nobody asked for. */
function protocolSwitch(): AttemptFailure {
  const failure = unusable(`the service sent HTTP 101 ${STATUS_CODES[101]} before its answer, unasked`, 'reads', 101);
  return { ...failure, advice: 'Find out which server or proxy in front of the service sends it, and switch it off there.' };
}

function connectionFailure(error: unknown, origin: string, redact: Redact): AttemptFailure {
  const code = textOf(error, 'code');
  const message = textOf(error, 'message');
  const cause = new Error(redact(`${code} ${message}`.trim()));
  // By this message undici refuses it.
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') return { ...protocolSwitch(), cause };
  const category = 'unreachable' as const;
  if (CERTIFICATE.test(code)) {
    const advice = 'Check base_url; where the certificate comes from an authority of your own, name it in NODE_EXTRA_CA_CERTS.';
    return {
      category,
      what: `the certificate of ${origin} is not trusted (${code})`,
      advice,
      retryClass: 'never',
      notReceived: true,
      cause,
    };
  }
  if (code === 'ENOTFOUND') {
    const advice = 'Check the name in base_url, and the name servers of this machine.';
    // A second look is enough: a name server that cannot be reached gives EAI_AGAIN.
    return { category: category, what: `cannot resolve ${new URL(origin).hostname}`, advice, retryClass: 'once', notReceived: true, cause };
  }
  if (UNSENT_CODES.has(textOf(error, 'syscall')) || UNSENT_CODES.has(code)) {
    const advice = 'Check base_url, and that this machine reaches it (name, network, proxy, firewall); then run again.';
    return { category: category, what: `no connection to ${origin} (${code})`, advice, retryClass: 'always', notReceived: true, cause };
  }
  // Apart from our own deadline, undici reports this only for a proxy that refuses the connection.
  if (code === 'UND_ERR_ABORTED') {
    const advice = 'Check HTTPS_PROXY and NO_PROXY, and that the proxy lets this machine reach the service.';
    return { category: category, what: `the proxy gives no way to ${origin}`, advice, retryClass: 'never', notReceived: true, cause };
  }
  const advice = 'Run again: upkeep reads first, and recognizes what was written.';
  const what = `the connection to ${origin} broke before the answer was complete${code === '' ? '' : ` (${code})`}`;
  return { category: category, what, advice, retryClass: 'repeatable', notReceived: false, cause };
}

/** Returns a text member of an error; where several addresses failed, that of the first one. */
function textOf(error: unknown, member: 'code' | 'message' | 'syscall'): string {
  if (!(error instanceof Error)) return '';
  const value: unknown = Reflect.get(error, member);
  if (typeof value === 'string' && value !== '') return value;
  return error instanceof AggregateError ? textOf(error.errors[0], member) : '';
}
