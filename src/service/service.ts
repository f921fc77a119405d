import { setMaxListeners } from 'node:events';
import { judge } from './answer.ts';
import { type Means, persist } from './attempts.ts';
import { leadsStraight } from './dialect.ts';
import type { Fault } from './errors.ts';
import { type Failure, failureError, misdirection, noAttempts } from './failure.ts';
import { createLimiter } from './limiter.ts';
import type { Answer, Request, Service } from './request.ts';
import { pause } from './retry.ts';
import { hiding } from './secrets.ts';
import { sign } from './sign.ts';
import { createTransport, type Dispatcher, type Transport } from './transport.ts';
import { v3 } from './v3.ts';
import { v4 } from './v4.ts';

/** How the remote side is reached. Everything after `v3Post` has a default: the real network, clock, randomness. */
export interface ServiceOptions {
  /** https, or http to loopback; without a trailing slash. */
  readonly baseUrl: string;
  readonly owner: string;
  readonly apiKey: string;
  /** Seconds, MiB (1,048,576 bytes), requests per second (0 = unlimited); fractions are allowed. */
  readonly http: {
    readonly concurrency: number;
    readonly requestsPerSecond: number;
    readonly timeoutSeconds: number;
    readonly giveUpSeconds: number;
    readonly maxBodyMib: number;
  };
  /** Where a v3 POST carries its data (facts.md section 1, table). */
  readonly v3Post: 'form' | 'json';
  readonly dispatcher?: Dispatcher;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** 0 to 1, for the jitter of backoff only. */
  readonly random?: () => number;
  /** Waits, and returns early when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Once aborted, nothing more is sent; what is in flight comes to its end. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ServiceEvent) => void;
}

/** One attempt, for logs: no query, no body, no secret. */
export interface ServiceEvent {
  readonly method: Request['method'];
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  readonly tookMs: number;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly failure: { readonly fault: Fault; readonly what: string } | null;
  /** Milliseconds until the next attempt; null where there is none. */
  readonly retryInMs: number | null;
}

/** Requests sent, by kind; `retries` are attempts beyond the first. */
interface Counts {
  readonly reads: number;
  readonly writes: number;
  readonly retries: number;
}

/** The remote side, with what was sent to it so far. */
export interface ServiceHandle extends Service {
  readonly counts: Counts;
  /** For who must wait between two requests: for how long in all (`http.give_up_seconds`), and a wait that the end of the run cuts short. Milliseconds. */
  readonly patience: { readonly giveUpMs: number; sleep(ms: number): Promise<void> };
  /** Waits for what is in flight and closes the connections; nothing can be sent afterwards. Closing twice is closing once. */
  close(): Promise<void>;
}

/** The client of both APIs: signs, paces, retries, and turns what comes back into an answer or a ServiceError. */
export function createService(options: ServiceOptions): ServiceHandle {
  const { http, signal, now = Date.now, random = Math.random, sleep = pause } = options;
  const concurrency = Math.max(1, Math.floor(http.concurrency));
  const transport = createTransport({ ...options, connections: concurrency, maxBodyMib: http.maxBodyMib });
  const limiter = createLimiter({ ...http, concurrency, now, sleep: (ms) => sleep(ms, signal) });
  const attempt = signedAttempt(options, transport, now);
  const counts = { reads: 0, writes: 0, retries: 0 };
  let closing: Promise<void> | undefined;
  // Every waiting request listens to the same signal, and Node takes more than ten listeners for a leak.
  if (signal) setMaxListeners(0, signal);
  const means: Means = {
    timeoutMs: http.timeoutSeconds * 1000,
    giveUpMs: http.giveUpSeconds * 1000,
    now,
    random,
    sleep: (ms) => sleep(ms, signal),
    turn: limiter.turn,
    heed: limiter.heed,
    stopped: () => closing !== undefined || signal?.aborted === true,
    attempt(request, count, timeoutMs) {
      counts[count > 1 ? 'retries' : request.method === 'GET' ? 'reads' : 'writes']++;
      return attempt(request, timeoutMs);
    },
    after: (request, count, tookMs, result, retryInMs) => options.onEvent?.(eventOf(request, count, tookMs, result, retryInMs)),
  };
  return {
    counts,
    patience: { giveUpMs: means.giveUpMs, sleep: means.sleep },
    async send(request) {
      if (!leadsStraight(request.path)) throw failureError(request, misdirection(), noAttempts);
      return limiter.run(() => persist(request, means));
    },
    close() {
      closing ??= transport.close();
      return closing;
    },
  };
}

/** One signed attempt; its secrets are known here, and hidden in whatever comes back. */
function signedAttempt(options: ServiceOptions, transport: Transport, now: () => number) {
  const older = v3(options.v3Post);
  return async (request: Request, timeoutMs: number): Promise<Answer | Failure> => {
    const dialect = request.path.startsWith('/api/v3/') ? older : v4;
    const signature = sign(options, now(), dialect.item(request));
    const hide = hiding([options.apiKey, options.owner, signature.msg, signature.sig]);
    const received = await transport.exchange(dialect.wire(request, signature), timeoutMs, hide);
    return 'fault' in received ? received : judge(request, received, dialect, now(), hide);
  };
}

function eventOf(request: Request, attempt: number, tookMs: number, result: Answer | Failure, retryInMs: number | null): ServiceEvent {
  const failure = 'fault' in result ? { fault: result.fault, what: result.what } : null;
  return { method: request.method, path: request.path, attempt, tookMs, status: result.status ?? null, failure, retryInMs };
}
