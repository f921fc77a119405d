/** A proxy in front of the emulator that calls a test before each request is handled, and before each response is sent. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Before a request is handled, or before its response is sent. */
export type Boundary = 'before' | 'after';

/** A proxy that listens. */
export interface RequestProxy {
  readonly url: string;
  /** The URL to which requests are forwarded; null while there is none. */
  target: string | null;
  /** Called with the number of the request, from 1, and awaited; null = not called. */
  watch: ((number: number, boundary: Boundary, method: string) => Promise<void> | void) | null;
  /** Number of requests since it was last set. */
  count: number;
  /** Resolves when no client is connected, and no request is in flight. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of this machine. */
export async function startProxy(): Promise<RequestProxy> {
  const pending = new Set<Promise<void>>();
  const connected = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    // A client that was killed leaves its request behind.
    outgoing.on('error', () => undefined);
    const handling = handle(proxy, incoming, outgoing)
      .catch(() => {
        outgoing.destroy();
      })
      .finally(() => pending.delete(handling));
    pending.add(handling);
  });
  server.on('connection', (socket) => {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).finally(() => connected.delete(closed));
    connected.add(closed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const proxy: RequestProxy = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    target: null,
    watch: null,
    count: 0,
    async idle() {
      // Requests that a client sent before it was killed may still be in the sockets: they arrive within a few turns of the event loop.
      let quiet = 0;
      while (quiet < 3) {
        await new Promise(setImmediate);
        quiet = pending.size + connected.size === 0 ? quiet + 1 : 0;
        await Promise.all([...pending, ...connected]);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

async function handle(proxy: RequestProxy, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const number = ++proxy.count;
  const { watch, target } = proxy;
  const method = incoming.method ?? 'GET';
  await watch?.(number, 'before', method);
  const { status, headers, body } = await forward(`${target}${incoming.url}`, incoming, Buffer.concat(chunks));
  await watch?.(number, 'after', method);
  outgoing.writeHead(status, headers).end(body);
}

function forward(url: string, { method, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer }>(
    (resolve, reject) => {
      const { connection: _connection, 'transfer-encoding': _encoding, ...forwardedHeaders } = headers;
      const clientRequest = request(
        url,
        { method: method ?? 'GET', headers: { ...forwardedHeaders, 'content-length': body.length }, agent: false },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('error', reject);
          reply.on('end', () => {
            const { connection: _closed, 'transfer-encoding': _chunked, ...rest } = reply.headers;
            resolve({ status: reply.statusCode ?? 502, headers: rest, body: Buffer.concat(chunks) });
          });
        },
      );
      clientRequest.on('error', reject);
      clientRequest.end(body);
    },
  );
}
