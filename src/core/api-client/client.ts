import { setMaxListeners } from 'node:events';
import type { Fetch } from '../model/fetch.ts';
import { isSafePath, type PostForm, v2, v3, v4 } from './api-version.ts';
import { type ApiClientEvent, eventOf, headOf, type ResponseHead } from './attempt-event.ts';
import { type AttemptFailure, noAttempts } from './attempts.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { deadlineExceeded, failureError, interruption, invalidPath } from './errors.ts';
import { monotonicClock, sleep as waitFor } from './monotonic.ts';
import { type ApiCredentials, createProof, type SignatureIn, secretsOf } from './proof.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createRedactor, type Redact } from './redact.ts';
import type { ApiRequest, ApiResponse, ApiService } from './request.ts';
import { classifyResponse } from './response.ts';
import { httpDate, type RetryDeps, retryBudget, sendWithRetries } from './retry.ts';
import { createTransport, type Dispatcher, type ObserveExchange, type Transport } from './transport.ts';

export type { ApiClientEvent, AttemptDetail } from './attempt-event.ts';

/** Options of the API client. Everything after `v3Post` has a default: the real network, clock and random numbers. */
export interface ApiClientOptions {
  /** https, or http to loopback; without a trailing slash. */
  readonly baseUrl: string;
  readonly credentials: ApiCredentials;
  /** Seconds, MiB (1,048,576 bytes), requests per second (0 = unlimited); fractions are allowed. */
  readonly http: {
    readonly concurrency: number;
    readonly requestsPerSecond: number;
    readonly timeoutSeconds: number;
    readonly giveUpSeconds: number;
    readonly maxBodyMib: number;
    /** Maximum seconds of the run, after which no request is sent; absent or 0 = no limit. */
    readonly runSeconds?: number;
  };
  /** How a v3 POST transmits its data (api-notes section 1, point 9). */
  readonly v3Post: PostForm;
  /** Where the signature of an API key stands, unless a form holds it; by default in the query. */
  readonly signatureIn?: SignatureIn;
  /** How a POST of v3 or v2 transmits its data with a scoped key; by default as JSON (api-notes section 1, point 12). */
  readonly scopedKeyV3Post?: PostForm;
  /** URL of the proxy for https; it may contain a password. */
  readonly proxy?: string | undefined;
  readonly dispatcher?: Dispatcher;
  /** Sends the requests in place of the dispatcher. */
  readonly fetch?: Fetch;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Milliseconds of a clock that never goes back; `freshUntil` of a request is one of its times. */
  readonly elapsed?: () => number;
  /** 0 to 1, for the jitter of backoff only. */
  readonly random?: () => number;
  /** Waits for the given milliseconds, and returns early when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Once aborted, no request is sent; requests in flight are completed. */
  readonly signal?: AbortSignal;
  /** Awaited before each attempt of a write, which is not sent where `signal` is aborted by then. */
  readonly beforeWrite?: () => Promise<void>;
  readonly onEvent?: (event: ApiClientEvent) => void;
  /** Observes each attempt as it is on the wire. */
  readonly observe?: ObserveExchange | undefined;
  /** The signatures of requests in flight, for redaction. Clients that share the set also redact the signatures of each other. */
  readonly signatures?: Set<string>;
}

/** Number of requests sent, by method; `retries` are attempts after the first. */
interface Counts {
  readonly reads: number;
  readonly writes: number;
  readonly retries: number;
}

/** The client of the service's APIs, with request counts. */
export interface ApiClient extends ApiService {
  readonly counts: Counts;
  /**
   * Milliseconds by which this machine's clock is ahead of the `Date` of the latest response (which has whole seconds, so that up to about
   * 1,000 mean nothing); null before the first one.
   */
  readonly clock: { readonly aheadMs: number | null };
  /**
   * For callers that poll: the maximum total time (`http.give_up_seconds`), and a sleep that the end of the run interrupts. Milliseconds.
   */
  readonly waitPolicy: { readonly giveUpMs: number; sleep(ms: number): Promise<void> };
  /** Waits for requests in flight and closes the connections; afterwards no request can be sent. A second call has no effect. */
  close(): Promise<void>;
}

/** Creates the client of all API versions: signs, limits the rate, retries, and returns a response or throws an ApiError. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { http, signal, now = Date.now, sleep = waitFor } = options;
  const concurrency = Math.max(1, Math.floor(http.concurrency));
  const transport = createTransport({ ...options, connections: concurrency, maxBodyMib: http.maxBodyMib });
  const { elapsed = monotonicClock(now) } = options;
  const startedAt = elapsed();
  const runMs = http.runSeconds ? http.runSeconds * 1000 : Number.POSITIVE_INFINITY;
  const run: Run = {
    elapsed,
    closing: undefined,
    clock: { aheadMs: null },
    counts: { reads: 0, writes: 0, retries: 0 },
    timeLeft: () => runMs - (elapsed() - startedAt),
    // The deadline of the run ends every wait, as an interruption does.
    sleep: (ms) => sleep(Math.max(0, Math.min(ms, run.timeLeft())), signal),
  };
  // Every waiting request listens to the same signal, and Node warns of a leak above ten listeners.
  if (signal) setMaxListeners(0, signal);
  const limiter = createRateLimiter({ ...http, concurrency, now: elapsed, sleep: run.sleep });
  const heads = new WeakMap<ApiResponse | AttemptFailure, ResponseHead>();
  const deps = retryDepsOf(options, run, limiter, signedAttempt(options, transport, now, run.clock, heads));
  const { onEvent } = options;
  const depsFor = (addresses: readonly string[]): RetryDeps => ({
    ...deps,
    after(request, count, started, result, retryInMs) {
      deps.after(request, count, started, result, retryInMs);
      onEvent?.(eventOf(request, addresses, count, elapsed() - started, result, heads.get(result), retryInMs));
    },
  });
  return {
    counts: run.counts,
    clock: run.clock,
    waitPolicy: { giveUpMs: deps.giveUpMs, sleep: deps.sleep },
    async send(request, addresses = []) {
      if (!isSafePath(request.path)) throw failureError(request, invalidPath(), noAttempts);
      return limiter.run(() => sendWithRetries(request, depsFor(addresses)));
    },
    close() {
      run.closing ??= transport.close();
      return run.closing;
    },
  };
}

/** State that all requests of a run share. Times in milliseconds. */
interface Run {
  /** A monotonic clock. */
  readonly elapsed: () => number;
  readonly timeLeft: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly counts: { reads: number; writes: number; retries: number };
  readonly clock: { aheadMs: number | null };
  closing: Promise<void> | undefined;
}

type Attempt = (request: ApiRequest, timeoutMs: number) => Promise<ApiResponse | AttemptFailure>;

function retryDepsOf(
  { http, signal, random = Math.random, beforeWrite }: ApiClientOptions,
  run: Run,
  limiter: RateLimiter,
  attempt: Attempt,
): RetryDeps {
  const retries = retryBudget();
  const breakers = { v2: circuitBreaker(), v3: circuitBreaker(), v4: circuitBreaker() };
  return {
    timeoutMs: http.timeoutSeconds * 1000,
    giveUpMs: http.giveUpSeconds * 1000,
    now: run.elapsed,
    random,
    sleep: run.sleep,
    acquireSlot: limiter.acquireSlot,
    async beforeAttempt({ method }) {
      if (method !== 'GET') await beforeWrite?.();
    },
    retries,
    blocked(request, last) {
      if (run.closing !== undefined || signal?.aborted === true) return interruption(last);
      if (run.timeLeft() <= 0) return deadlineExceeded(http.runSeconds ?? 0, last);
      return request.method === 'GET' ? undefined : breakers[versionOf(request)].failureIfOpen(last);
    },
    attempt(request, count, timeoutMs) {
      const isRetry = count > 1 || request.after === 'repeat';
      run.counts[isRetry ? 'retries' : request.method === 'GET' ? 'reads' : 'writes']++;
      return attempt(request, timeoutMs);
    },
    after(request, _count, started, result, retryInMs) {
      limiter.onResult(result.status, started);
      breakers[versionOf(request)].onResult(request, result, retryInMs === null);
      if (!('category' in result) && request.after !== 'look-up') retries.earn();
    },
  };
}

/** Returns the API version of a request. Each has its own circuit breaker, since one may be unavailable while the others work. */
function versionOf(request: ApiRequest): 'v2' | 'v3' | 'v4' {
  if (request.path.startsWith('/api2/')) return 'v2';
  return request.path.startsWith('/api/v3/') ? 'v3' : 'v4';
}

/**
 * Creates a function that sends one signed attempt. It redacts secrets, and the signatures of all requests in flight, in the result, and adds
 * the head of a response to `heads`.
 */
function signedAttempt(
  options: ApiClientOptions,
  transport: Transport,
  now: () => number,
  clock: Run['clock'],
  heads: WeakMap<ApiResponse | AttemptFailure, ResponseHead>,
): Attempt {
  const { credentials, v3Post, scopedKeyV3Post = 'json', signatureIn = 'query', signatures = new Set<string>() } = options;
  const versions =
    'scopedKey' in credentials ? { v2: v2(scopedKeyV3Post), v3: v3(scopedKeyV3Post), v4 } : { v2: v2('form'), v3: v3(v3Post), v4 };
  const keys = 'apiKey' in credentials ? [credentials.apiKey] : [];
  const redactor = (): Redact => createRedactor([...keys, credentials.owner, ...signatures]);
  const redact: Redact = (text) => redactor()(text);
  return async (request, timeoutMs) => {
    const version = versions[versionOf(request)];
    const proof = createProof(credentials, now(), { members: version.signed(request), inForm: version.usesForm(request), signatureIn });
    const secrets = secretsOf(proof);
    for (const secret of secrets) signatures.add(secret);
    try {
      const response = await transport.exchange(version.wire(request, proof), timeoutMs, redact);
      if ('category' in response) return response;
      const receivedAt = now();
      const serverTime = httpDate(response.header('date'));
      if (serverTime !== undefined) clock.aheadMs = receivedAt - serverTime;
      const result = classifyResponse(request, response, version, receivedAt, redact);
      heads.set(result, headOf(response, redactor()));
      return result;
    } finally {
      for (const secret of secrets) signatures.delete(secret);
    }
  };
}
