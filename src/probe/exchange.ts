/** Sends the requests of a probe one by one, and keeps what the service answered. It knows neither retries nor kinds. */
import { randomBytes } from 'node:crypto';
import { encoded, v3, v4 } from '../core/api-client/api-version.ts';
import { type ApiClientEvent, eventOf, headOf } from '../core/api-client/attempt-event.ts';
import type { AttemptFailure } from '../core/api-client/attempts.ts';
import { type ApiCredentials, createProof, type Proof, type SignatureIn, secretsOf } from '../core/api-client/proof.ts';
import { createRateLimiter } from '../core/api-client/rate-limiter.ts';
import { createRedactor, type Redact } from '../core/api-client/redact.ts';
import { classifyResponse, parseBody } from '../core/api-client/response.ts';
import type { Members } from '../core/api-client/sign.ts';
import type { HttpRequest, HttpResponse, Transport } from '../core/api-client/transport.ts';
import type { Exchange, Exchanges, ProbeRequest, Row } from '../core/kinds/probe.ts';
import { isSuccess, outcomeOf } from '../core/kinds/probe-answers.ts';
import { isObject } from '../core/model/json.ts';
import { createSettling } from '../core/model/pauses.ts';
import type { ProbeStep } from './probe-report.ts';

/** What a probe needs to send requests. Times in milliseconds. */
export interface ProbeConnection {
  readonly transport: Pick<Transport, 'exchange'>;
  readonly baseUrl: string;
  readonly credentials: ApiCredentials;
  readonly signatureIn: SignatureIn;
  /** How a POST of v3, and with a scoped key of v2, carries its data. */
  readonly v3Post: 'form' | 'json';
  /** Requests a second; at most one. */
  readonly requestsPerSecond: number;
  readonly timeoutMs: number;
  /** Unix time. */
  now(): number;
  /** A clock that never goes back. */
  elapsed(): number;
  sleep(ms: number): Promise<void>;
  readonly redact: Redact;
  /** Once aborted, only scratch objects are removed. */
  readonly signal: AbortSignal;
  /** Awaited before each request that writes. */
  beforeWrite?(): Promise<void>;
  /** Called when a step begins. */
  onStep?(step: ProbeStep): void;
  /** Called after each request, for logs. */
  onAttempt?(attempt: ApiClientEvent): void;
}

/** Sends the requests of a probe. */
export interface ProbeService {
  readonly connection: ProbeConnection;
  /** Number of requests that were sent. */
  readonly sent: number;
  /** Waits for its turn, and sends a request once; `attempt` counts from 1. Undefined where there is no answer. */
  once(request: ProbeRequest, attempt?: number): Promise<Exchange | undefined>;
  /**
   * Sends a request, and once more if it was refused or not answered: a refusal counts only where it is repeated. Undefined where there is
   * no answer, or where the two differ. Not for creates.
   */
  send(request: ProbeRequest): Promise<Exchange | undefined>;
}

const TEN_MINUTES_MS = 600_000;

/** Creates the service of one probe. */
export function createProbeService(connection: ProbeConnection): ProbeService {
  const { transport, credentials, timeoutMs, now, elapsed, sleep, redact } = connection;
  const limiter = createRateLimiter({ concurrency: 1, requestsPerSecond: connection.requestsPerSecond, now: elapsed, sleep });
  const proofs = new Map<string, Proof>();
  let sent = 0;

  function proofOf({ signed }: ProbeRequest, members: Members, inForm: boolean): Proof {
    const proven = { members, inForm, signatureIn: signed === 'in the header' ? 'header' : connection.signatureIn } as const;
    if (signed === 'with a wrong key')
      return createProof({ owner: credentials.owner, apiKey: randomBytes(24).toString('base64') }, now(), proven);
    if (signed === 'ten minutes ago') return createProof(credentials, now() - TEN_MINUTES_MS, proven);
    if (typeof signed !== 'object') return createProof(credentials, now(), proven);
    const repeated = proofs.get(signed.repeat) ?? createProof(credentials, now(), proven);
    proofs.set(signed.repeat, repeated);
    return repeated;
  }

  function wireOf(request: ProbeRequest): { readonly wire: HttpRequest; readonly secrets: readonly string[] } {
    const { method, path, query = {}, body, headers = {}, v3Post = connection.v3Post } = request;
    const version = versionOf(path);
    const form = version === 'v2' && 'apiKey' in credentials ? 'form' : v3Post;
    const inForm = version !== 'v4' && method === 'POST' && form === 'form';
    const proof = proofOf(request, !inForm ? {} : version === 'v2' && isObject(body) ? body : { item: body }, inForm);
    const secrets = secretsOf(proof);
    const proven = { ...headers, ...proof.headers };
    if (inForm) {
      const ofForm = { ...proven, 'content-type': 'application/x-www-form-urlencoded' };
      return { wire: { method, path, headers: ofForm, body: encoded(proof.parameters) }, secrets };
    }
    const parameters = encoded({ ...query, ...proof.parameters });
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const wire = {
      method,
      path: parameters === '' ? path : `${path}?${parameters}`,
      headers: { ...proven, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...json,
    };
    return { wire, secrets };
  }

  async function respond(request: ProbeRequest, attempt: number): Promise<HttpResponse | undefined> {
    sent++;
    const { wire, secrets } = wireOf(request);
    const hideSignature = createRedactor(secrets);
    const hide: Redact = (text) => redact(hideSignature(text));
    const started = elapsed();
    const response = await transport.exchange(wire, timeoutMs, hide);
    connection.onAttempt?.(attemptOf(request, attempt, elapsed() - started, response, hide));
    return 'category' in response ? undefined : response;
  }

  function attemptOf(
    { method, path, body }: ProbeRequest,
    attempt: number,
    tookMs: number,
    response: HttpResponse | AttemptFailure,
    hide: Redact,
  ): ApiClientEvent {
    const request = { method, path, body, repeatable: false };
    if ('category' in response) return eventOf(request, [], attempt, tookMs, response, undefined, null);
    const result = classifyResponse(request, response, versionOf(path) === 'v4' ? v4 : v3('json'), now(), hide);
    return eventOf(request, [], attempt, tookMs, result, headOf(response, hide), null);
  }

  async function exchange(request: ProbeRequest, attempt: number): Promise<Exchange | undefined> {
    const [at, started] = [now(), elapsed()];
    const response = await respond(request, attempt);
    const tookMs = elapsed() - started;
    if (response === undefined) return undefined;
    const { status, bytes } = response;
    // A gateway, a fault of the service, a service that is too busy, and a part of an answer answer no question.
    if (status >= 500 || status === 408 || status === 429 || status === 206 || (status >= 300 && status < 400)) return undefined;
    const parsed = parseBody(response);
    const body = 'body' in parsed ? parsed.body : undefined;
    return { status, body, bytes, header: response.header, at: at + tookMs / 2, tookMs, version: versionOf(request.path) };
  }

  async function once(request: ProbeRequest, attempt = 1): Promise<Exchange | undefined> {
    return limiter.run(async () => {
      await limiter.acquireSlot();
      if (request.method !== 'GET' && versionOf(request.path) !== 'v2') await connection.beforeWrite?.();
      return exchange(request, attempt);
    });
  }

  return {
    connection,
    get sent() {
      return sent;
    },
    once,
    async send(request) {
      const first = await once(request);
      if (first !== undefined && isSuccess(first)) return first;
      const second = await once(request, 2);
      return first !== undefined && second !== undefined && outcomeOf(first) === outcomeOf(second) ? second : undefined;
    },
  };
}

/** Returns the API version of a path. */
export function versionOf(path: string): Exchange['version'] {
  if (path.startsWith('/api2/')) return 'v2';
  return path.startsWith('/api/v3/') ? 'v3' : 'v4';
}

/** Returns a random hexadecimal text of 32 characters: the name of a scratch object, or an ID that does not exist. */
export function randomHex(): string {
  return randomBytes(16).toString('hex');
}

/** How long a probe waits until reads show what it wrote, milliseconds. */
const MAX_READ_DELAY_MS = 20_000;

/** Sends a row until its answer shows what was written before. */
async function sendUntilShown(
  service: ProbeService,
  row: Row,
  shows: (exchange: Exchange) => boolean | undefined,
): Promise<Exchange | undefined> {
  const { connection } = service;
  const began = connection.elapsed();
  let tries = 0;
  const once = async () => {
    tries += 1;
    const exchange = await service.send(row);
    return { exchange, isShown: exchange && shows(exchange) };
  };
  // A single answer that lacks it may be cut off.
  const look = async () => {
    const first = await once();
    return tries === 1 && first.isShown === false ? once() : first;
  };
  const settling = createSettling(MAX_READ_DELAY_MS, connection);
  const { exchange, isShown } = await settling.settle(look, (last) => last.isShown !== false || connection.signal.aborted);
  if (exchange === undefined || isShown === undefined) return exchange;
  return { ...exchange, shownAfterMs: isShown ? (tries <= 2 ? 0 : connection.elapsed() - began) : null };
}

/** Sends a row as it must be: a create once, a row that expects a refusal twice, and any other again where it is refused. */
export async function sendRow(service: ProbeService, row: Row, seen: Exchanges): Promise<Exchange | undefined> {
  if (row.creates) return service.once(row);
  const { shows } = row;
  if (shows) return sendUntilShown(service, row, (exchange) => shows(exchange, seen));
  if (!row.twice) return service.send(row);
  const [first, second] = [await service.once(row), await service.once(row, 2)];
  return first !== undefined && second !== undefined && outcomeOf(first) === outcomeOf(second) ? second : undefined;
}
