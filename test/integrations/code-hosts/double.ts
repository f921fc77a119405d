/** The server of the code hosts for tests: routes, pages of lists, and responses that a test replaces. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: { readonly [member: string]: unknown };
}

/** A response; a body that is a string is sent unchanged. */
export interface CannedResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** Whether no host would respond like this, so that it is not compared with the description of its API. */
  readonly malformed?: true;
}

/** A method, a path pattern and the function that responds; it receives the groups of the pattern. */
export type Route = readonly [
  method: string,
  path: RegExp,
  respond: (request: ReceivedRequest, ...groups: readonly string[]) => CannedResponse,
];

/** A running server. */
export interface CodeHostDouble {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Returns method and path of the requests since the last call. */
  newRequests(): readonly string[];
  /** Replaces the response to the next request that matches, for example `POST /repos/.*`. */
  respondOnce(request: RegExp, response: CannedResponse): void;
  close(): Promise<void>;
}

/** Starts a server; a request that no route matches gets 404. `admit` refuses requests first, `inspect` sees every response last. */
export async function startServer(
  routes: readonly Route[],
  admit: (request: ReceivedRequest) => CannedResponse | null,
  inspect: (request: ReceivedRequest, response: CannedResponse) => CannedResponse = (_request, response) => response,
): Promise<CodeHostDouble> {
  const requests: ReceivedRequest[] = [];
  const replacements: { readonly request: RegExp; readonly response: CannedResponse }[] = [];
  let reported = 0;
  const server = createServer((incoming, response) => {
    void readJson(incoming).then((body) => {
      const url = new URL(incoming.url ?? '/', 'http://host');
      const { method = '' } = incoming;
      const request = { method, path: url.pathname, query: url.searchParams, authorization: String(incoming.headers.authorization), body };
      requests.push(request);
      const index = replacements.findIndex((each) => each.request.test(`${method} ${url.pathname}`));
      const [replacement] = index < 0 ? [] : replacements.splice(index, 1);
      const { status, body: content, headers } = inspect(request, replacement?.response ?? admit(request) ?? routeRequest(routes, request));
      const text = content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content);
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    newRequests() {
      const unreported = requests.slice(reported).map(({ method, path }) => `${method} ${path}`);
      reported = requests.length;
      return unreported;
    },
    respondOnce: (request, response) => void replacements.push({ request, response }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns one page of a list, with a `Link` header to the next. */
export function pageOf(items: readonly unknown[], { path, query }: ReceivedRequest, url: string): CannedResponse {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const number = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(number + 1));
  const isLast = number * size >= items.length;
  const headers = isLast ? {} : { link: `<${url}${path}?${next}>; rel="next", <${url}${path}?page=9>; rel="last"` };
  return { status: 200, body: items.slice((number - 1) * size, number * size), headers };
}

function routeRequest(routes: readonly Route[], request: ReceivedRequest): CannedResponse {
  for (const [method, path, respond] of routes) {
    const match = method === request.method ? path.exec(request.path) : null;
    if (match) return respond(request, ...match.slice(1));
  }
  return { status: 404, body: { message: 'Not Found' } };
}

async function readJson(request: IncomingMessage): Promise<ReceivedRequest['body']> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('the server listens on no port');
}
