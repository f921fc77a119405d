/** Serves a recording on this machine: every request gets the answer that was recorded for it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isJson } from '../core/model/json.ts';
import type { RecordedResponse, Recording } from '../recording/recording.ts';
import { readUnverified } from './authenticate.ts';
import { compress } from './compress.ts';
import { RouteError } from './contract.ts';
import { apiVersionOf, errorResponse } from './handle-request.ts';
import { createReplay, decodedPath, type Replay, type ReplayedRequest } from './replay.ts';
import { hasBody, readBody } from './router.ts';
import { sendJson, sendPlain } from './send-response.ts';
import { urlOf } from './server.ts';

/** Options of a replay. */
export interface ReplayOptions {
  readonly recording: Recording;
  /** The owner that the answers name. */
  readonly owner: string;
  readonly host: string;
  readonly port: number;
  /** Unix milliseconds. */
  now(): number;
  /** Called with each request that was not recorded: its method, path, query and data. */
  onUnrecorded(request: string): void;
}

/** A replay that listens. */
export interface ReplayServer {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** Number of requests so far, and of those that were not recorded. */
  readonly counts: { readonly requests: number; readonly unrecorded: number };
  close(): Promise<void>;
}

/** Starts to serve a recording. @throws Error where the port is in use */
export async function startReplay(options: ReplayOptions): Promise<ReplayServer> {
  const replay = createReplay(options.recording, options.owner);
  const counts = { requests: 0, unrecorded: 0 };
  const server = createServer((message, response) => {
    counts.requests += 1;
    respond(message, response, replay, options, () => counts.unrecorded++).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else fail(message, response, 500, error instanceof Error ? error.message : String(error));
    });
  });
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  return {
    url: urlOf(server),
    counts,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  replay: Replay,
  { now, onUnrecorded }: ReplayOptions,
  countUnrecorded: () => void,
): Promise<void> {
  const request = requestOf(message, await readBody(message));
  if (request instanceof RouteError) return fail(message, response, request.status, request.message);
  const found = replay.answer(request);
  if (!found) {
    countUnrecorded();
    const asked = describe(request);
    onUnrecorded(asked);
    // No status of the API documents: a 404 would say that an object does not exist.
    return fail(message, response, 501, `the recording has no such request: ${asked}`);
  }
  const { exchange, text } = found;
  if (!exchange.response) return void response.socket?.resetAndDestroy();
  sendRecorded(response, exchange.response, text, now());
}

function requestOf(message: IncomingMessage, body: Buffer): ReplayedRequest | RouteError {
  const [path = '', ...rest] = (message.url ?? '').split('?');
  const query = new URLSearchParams(rest.join('?'));
  const method = message.method ?? '';
  try {
    const data = readUnverified({
      method,
      apiVersion: apiVersionOf(path),
      query,
      contentType: message.headers['content-type'] ?? '',
      authorization: message.headers.authorization,
      token: message.headers['x-auth-uplynk-jwt']?.toString(),
      scope: '',
      hasBody: hasBody(message),
      body,
    });
    const shown = [...query].filter(([name]) => name !== 'msg' && name !== 'sig');
    return { method, path: decodedPath(path), query: Object.fromEntries(shown), body: isJson(data) ? data : undefined };
  } catch (error) {
    if (error instanceof RouteError) return error;
    throw error;
  }
}

/** Longest description of a request that was not recorded, characters. */
const MAX_DESCRIPTION = 300;

function describe({ method, path, query, body }: ReplayedRequest): string {
  const parameters = new URLSearchParams(query).toString();
  const data = body === undefined ? '' : ` with ${JSON.stringify(body)}`;
  return `${method} ${path}${parameters === '' ? '' : `?${parameters}`}${data}`.slice(0, MAX_DESCRIPTION);
}

function sendRecorded(response: ServerResponse, recorded: RecordedResponse, text: string | undefined, now: number): void {
  const { status, headers, clockSeconds, unreadable } = recorded;
  response.sendDate = false;
  const date = clockSeconds === undefined ? {} : { date: new Date(now + clockSeconds * 1000).toUTCString() };
  const encoding = headers['content-encoding'];
  const isCompressed = encoding === 'gzip' || encoding === 'br';
  // A body that could not be decompressed is sent as something that cannot, either.
  if (!isCompressed || unreadable || text === undefined) {
    sendPlain(response, { status, headers: { ...headers, ...date }, text: unreadable ? 'unreadable' : text });
  } else {
    const { bytes } = compress(text, encoding);
    response.writeHead(status, { ...headers, ...date, 'content-length': bytes.length });
    response.end(bytes);
  }
}

function fail(message: IncomingMessage, response: ServerResponse, status: number, title: string): void {
  const answer = errorResponse(apiVersionOf(message.url ?? ''), { status, code: 'replay', title }, status);
  sendJson(response, answer.status, answer.body);
}
