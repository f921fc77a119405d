/** Routes HTTP requests to endpoints: the routes of the services, and the control endpoints. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Route } from './contract.ts';
import type { ControlRoute } from './control-api.ts';
import { apiVersionOf, errorResponse, handleRequest, type ServerContext } from './handle-request.ts';
import type { Listener } from './listener.ts';
import { compressionOf, isBroken, sendBroken, sendCompressed, sendJson, sendPlain } from './send-response.ts';
import type { Store } from './store.ts';

/** The method and path of an endpoint. The path may have `:name` parts, and has no trailing slash. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** An endpoint that responds to requests. */
interface HttpEndpoint extends Endpoint {
  respond(request: ReceivedRequest, response: ServerResponse): Promise<void>;
}

/** A request with its body, and the values of the `:name` parts of its endpoint's path. */
interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly body: Buffer;
  readonly params: { readonly [name: string]: string };
}

/** Builds the endpoint of a service's route; `emulation` is the name of the route's emulated kind, `scope` what a scoped key needs. */
export function routeEndpoint(emulation: string, route: Route, scope: string, server: ServerContext, listener: Listener): HttpEndpoint {
  const { method, path } = route;
  return {
    method,
    path,
    async respond({ message, body, params }, response) {
      const [path = '', ...query] = urlOf(message).split('?');
      const request = {
        method,
        path,
        query: new URLSearchParams(query.join('?')),
        contentType: message.headers['content-type'] ?? '',
        authorization: message.headers.authorization,
        token: message.headers['x-auth-uplynk-jwt']?.toString(),
        scope,
        hasBody: hasBody(message),
        body,
        params,
        route,
        apiVersion: route.apiVersion,
        emulation,
      };
      const handled = await listener.track(handleRequest(server, request));
      response.setHeader('date', new Date(server.now()).toUTCString());
      if (handled.outgoing !== 'reset' && handled.outgoing.fault.continueFirst) response.writeContinue();
      if (handled.outgoing === 'reset' || isBroken(handled)) return sendBroken(response, handled);
      const compression = compressionOf(handled.outgoing, server.quirks, String(message.headers['accept-encoding'] ?? ''));
      if (compression) sendCompressed(response, handled.outgoing, compression);
      else sendPlain(response, handled.outgoing);
    },
  };
}

/** Builds a control endpoint, which responds only to programs on this machine. */
export function controlEndpoint(control: ControlRoute, store: Store): HttpEndpoint {
  const { method, path } = control;
  return {
    method,
    path,
    async respond({ message, body }, response) {
      if (!isLocalProgram(message)) return sendJson(response, 403, { error: 'control endpoints are for programs on this machine' });
      const { status, body: responseBody } = handleControl(control, body);
      await store.durable();
      sendJson(response, status, responseBody);
    },
  };
}

function handleControl(control: ControlRoute, body: Buffer): { readonly status: number; readonly body?: unknown } {
  try {
    return control.handle(body.length > 0 ? JSON.parse(body.toString('utf8')) : undefined);
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

/**
 * Decides whether a request is from a program on this machine: not from another address, and not from a web page (browsers send `Origin`).
 */
function isLocalProgram({ socket, headers }: IncomingMessage): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') && headers.origin === undefined;
}

/**
 * Builds the request listener of the server: it passes each request to its endpoint. If there is no endpoint, or the endpoint fails, it
 * sends an error in the form of the API version of the path.
 */
export function createRequestListener(endpoints: readonly HttpEndpoint[]): RequestListener {
  return (message, response) => {
    dispatch(endpoints, message, response).catch((error: unknown) => {
      // The client has closed the connection.
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else sendFailure(message, response, error);
    });
  };
}

async function dispatch(endpoints: readonly HttpEndpoint[], message: IncomingMessage, response: ServerResponse): Promise<void> {
  const match = findRoute(endpoints, message.method ?? '', urlOf(message).split('?', 1)[0] ?? '');
  if (match === undefined) return sendError(message, response, 404, 'not_found', 'Not Found');
  await match.endpoint.respond({ message, body: await readBody(message), params: match.params }, response);
}

function sendFailure(message: IncomingMessage, response: ServerResponse, error: unknown): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const status = error instanceof BodyTooLargeError ? 413 : error instanceof URIError ? 400 : 500;
  // Otherwise the rest of the unread body would be parsed as the next request.
  if (status === 413) response.setHeader('connection', 'close');
  sendError(message, response, status, 'failed', error instanceof Error ? error.message : String(error));
}

function sendError(message: IncomingMessage, response: ServerResponse, status: number, code: string, title: string): void {
  const { body } = errorResponse(apiVersionOf(urlOf(message)), { status, code, title }, status);
  sendJson(response, status, body);
}

function urlOf(message: IncomingMessage): string {
  return message.url ?? '';
}

/** The endpoint of a request, and the decoded values of the `:name` parts of its path. */
export interface RouteMatch<T extends Endpoint> {
  readonly endpoint: T;
  readonly params: { readonly [name: string]: string };
}

/**
 * Returns the first endpoint with the request's method and path, undefined if there is none. One trailing slash is ignored.
 * @throws URIError if the path is not well encoded
 */
export function findRoute<T extends Endpoint>(endpoints: readonly T[], method: string, path: string): RouteMatch<T> | undefined {
  const parts = splitPath(path).map(decodeURIComponent);
  for (const endpoint of endpoints) {
    const params = endpoint.method === method ? matchPath(splitPath(endpoint.path), parts) : undefined;
    if (params !== undefined) return { endpoint, params };
  }
  return undefined;
}

function splitPath(path: string): readonly string[] {
  return path.replace(/(?<=.)\/$/, '').split('/');
}

/** Returns the values of the `:name` parts; undefined if the path does not match the pattern. */
function matchPath(pattern: readonly string[], parts: readonly string[]): { readonly [name: string]: string } | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: { [name: string]: string } = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (expected.startsWith(':') && part !== '') params[expected.slice(1)] = part;
    else if (expected !== part) return undefined;
  }
  return params;
}

/** Largest request body that is read, in bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Thrown if a request body is larger than that. */
class BodyTooLargeError extends Error {
  constructor() {
    super('Request body is too large');
  }
}

/** Decides whether the headers of a request announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads the whole body of a request, empty if there is none; the body of a GET or HEAD is not read.
 * @throws BodyTooLargeError, or the error of a connection that ends before the body does
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (request.method === 'GET' || request.method === 'HEAD') return Promise.resolve(Buffer.alloc(0));
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.reject(new BodyTooLargeError());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // The rest is read and dropped, so that the connection can still carry the response.
      if (length > MAX_BODY_BYTES) reject(new BodyTooLargeError());
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
  });
}
