/** A proxy before the emulator that tells a test of every request, at its two boundaries: before it is handled, and before its answer is sent. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Where a request stands. */
export type Boundary = 'before' | 'after';

/** A proxy that listens. */
export interface RequestProxy {
  readonly url: string;
  /** Where requests go; null while there is nothing behind it. */
  target: string | null;
  /** Called with the number of the request, from 1, and awaited; null = nobody looks. */
  watch: ((nth: number, boundary: Boundary, method: string) => Promise<void> | void) | null;
  /** Number of requests since it was last set. */
  count: number;
  /** Resolves when nobody is connected, and no request is under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of this machine. */
export async function startProxy(): Promise<RequestProxy> {
  const underWay = new Set<Promise<void>>();
  const connected = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    // A client that was killed leaves its request behind.
    outgoing.on('error', () => undefined);
    const passing = pass(proxy, incoming, outgoing)
      .catch(() => {
        outgoing.destroy();
      })
      .finally(() => underWay.delete(passing));
    underWay.add(passing);
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
      // What a client sent before it was killed may still lie in the sockets: whoever has knocked is let in within a few turns.
      let quiet = 0;
      while (quiet < 3) {
        await new Promise(setImmediate);
        quiet = underWay.size + connected.size === 0 ? quiet + 1 : 0;
        await Promise.all([...underWay, ...connected]);
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

async function pass(proxy: RequestProxy, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const nth = ++proxy.count;
  const { watch, target } = proxy;
  const method = incoming.method ?? 'GET';
  await watch?.(nth, 'before', method);
  const { status, headers, body } = await forwarded(`${target}${incoming.url}`, incoming, Buffer.concat(chunks));
  await watch?.(nth, 'after', method);
  outgoing.writeHead(status, headers).end(body);
}

function forwarded(url: string, { method, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer }>(
    (resolve, reject) => {
      const { connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers;
      const sent = request(
        url,
        { method: method ?? 'GET', headers: { ...kept, 'content-length': body.length }, agent: false },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const { connection: _closed, 'transfer-encoding': _chunked, ...rest } = answer.headers;
            resolve({ status: answer.statusCode ?? 502, headers: rest, body: Buffer.concat(chunks) });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    },
  );
}
