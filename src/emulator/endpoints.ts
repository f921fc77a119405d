/** The HTTP endpoints: the routes of the services, and the controls. Each request ends here in one answer. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { BodyTooLargeError, hasBody, readBody } from './body.ts';
import { isBroken, sendBroken, sendJson, sendPlain } from './broken-response.ts';
import type { Route } from './contract.ts';
import type { Control } from './control-api.ts';
import { dialectOf, refusal } from './error-response.ts';
import { handleRequest, type ServerContext } from './handle-request.ts';
import type { Listener } from './listener.ts';
import { type Endpoint, findRoute } from './router.ts';
import type { Store } from './store.ts';

/** An endpoint that answers requests itself. */
export interface AnsweringEndpoint extends Endpoint {
  answer(request: ReceivedRequest, response: ServerResponse): Promise<void>;
}

/** A request with its body, and the values of the `:name` parts of its endpoint's path. */
interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly body: Buffer;
  readonly params: { readonly [name: string]: string };
}

/** Builds the endpoint of a service's route. */
export function routeEndpoint(emulation: string, route: Route, server: ServerContext, listener: Listener): AnsweringEndpoint {
  const { method, path, apiVersion } = route;
  return {
    method,
    path,
    async answer({ message, body, params }, response) {
      const [path = '', ...query] = urlOf(message).split('?');
      const incoming = {
        method,
        path,
        query: new URLSearchParams(query.join('?')),
        contentType: message.headers['content-type'] ?? '',
        hasBody: hasBody(message),
        body,
        params,
        route,
        dialect: apiVersion,
        emulation,
      };
      const exchanged = await listener.during(handleRequest(server, incoming));
      if (exchanged.outgoing === 'reset' || isBroken(exchanged)) sendBroken(response, exchanged);
      else sendPlain(response, exchanged.outgoing);
    },
  };
}

/** Builds the endpoint of a control. */
export function controlEndpoint(control: Control, store: Store): AnsweringEndpoint {
  const { method, path } = control;
  return {
    method,
    path,
    async answer({ message, body }, response) {
      if (!isTrusted(message)) return sendJson(response, 403, { error: 'control endpoints are for programs on this machine' });
      const answered = attempt(control, body);
      await store.durable();
      sendJson(response, answered.status, answered.body);
    },
  };
}

/** Builds the server's listener: each request goes to its endpoint; without one, or where the endpoint fails, it is refused in the words of its API version. */
export function createListener(endpoints: readonly AnsweringEndpoint[]): RequestListener {
  return (message, response) => {
    answer(endpoints, message, response).catch((error: unknown) => {
      // A client that went away gets no answer.
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else fail(message, response, error);
    });
  };
}

async function answer(endpoints: readonly AnsweringEndpoint[], message: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = findRoute(endpoints, message.method ?? '', urlOf(message).split('?', 1)[0] ?? '');
  if (found === undefined) return refuse(message, response, 404, 'not_found', 'Not Found');
  await found.endpoint.answer({ message, body: await readBody(message), params: found.params }, response);
}

function fail(message: IncomingMessage, response: ServerResponse, error: unknown): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const status = error instanceof BodyTooLargeError ? 413 : error instanceof URIError ? 400 : 500;
  // What is left of a body that was not read would be taken for the next request.
  if (status === 413) response.setHeader('connection', 'close');
  refuse(message, response, status, 'failed', error instanceof Error ? error.message : String(error));
}

function refuse(message: IncomingMessage, response: ServerResponse, status: number, code: string, title: string): void {
  const reply = refusal(dialectOf(urlOf(message)), { status, code, title }, status);
  sendJson(response, reply.status, reply.body);
}

function urlOf(message: IncomingMessage): string {
  return message.url ?? '';
}

/** Controls are for programs on this machine: no other address, and no web page (browsers send `Origin`). */
function isTrusted({ socket, headers }: IncomingMessage): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') && headers.origin === undefined;
}

function attempt(control: Control, body: Buffer): { readonly status: number; readonly body?: unknown } {
  try {
    return control.handle(body.length > 0 ? JSON.parse(body.toString('utf8')) : undefined);
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}
