/** What the doubles of code hosts share: a server on this machine, routes, pages, and answers that a test puts in the way. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in. */
export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: { readonly [member: string]: unknown };
}

/** An answer; a body that is a text goes out as it is. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** A path pattern, whose groups are handed on, and what answers it. */
export type Route = readonly [method: string, path: RegExp, answer: (asked: Asked, ...groups: readonly string[]) => Reply];

/** A running double. */
export interface Double {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Method and path of the requests since the last call. */
  news(): readonly string[];
  /** Puts an answer in the way of the next request that this matches: `POST /repos/.*`. */
  instead(request: RegExp, reply: Reply): void;
  close(): Promise<void>;
}

/** Starts a double; what no route answers is not there. */
export async function startDouble(routes: readonly Route[], admit: (asked: Asked) => Reply | null): Promise<Double> {
  const asked: Asked[] = [];
  const waiting: { readonly request: RegExp; readonly reply: Reply }[] = [];
  let told = 0;
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://host');
      const { method = '' } = request;
      const one = { method, path: url.pathname, query: url.searchParams, authorization: String(request.headers.authorization), body };
      asked.push(one);
      const at = waiting.findIndex((each) => each.request.test(`${method} ${url.pathname}`));
      const [planted] = at < 0 ? [] : waiting.splice(at, 1);
      const { status, body: answer, headers } = planted?.reply ?? admit(one) ?? routed(routes, one);
      const text = answer === undefined ? '' : typeof answer === 'string' ? answer : JSON.stringify(answer);
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    news() {
      const fresh = asked.slice(told).map(({ method, path }) => `${method} ${path}`);
      told = asked.length;
      return fresh;
    },
    instead: (request, reply) => void waiting.push({ request, reply }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** One page of a list, with the `Link` header that leads to the next. */
export function page(items: readonly unknown[], { path, query }: Asked, url: string): Reply {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const number = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(number + 1));
  const isLast = number * size >= items.length;
  const headers = isLast ? {} : { link: `<${url}${path}?${next}>; rel="next", <${url}${path}?page=9>; rel="last"` };
  return { status: 200, body: items.slice((number - 1) * size, number * size), headers };
}

function routed(routes: readonly Route[], asked: Asked): Reply {
  for (const [method, path, answer] of routes) {
    const match = method === asked.method ? path.exec(asked.path) : null;
    if (match) return answer(asked, ...match.slice(1));
  }
  return { status: 404, body: { message: 'Not Found' } };
}

async function readJson(request: IncomingMessage): Promise<Asked['body']> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('the server listens on no port');
}
