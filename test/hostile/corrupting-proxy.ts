/** A proxy between the client and the emulator that corrupts the bytes of one response. */
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';

/** Changes the bytes of one response: its body, or all of it from the status line on. */
export type CorruptBytes = (bytes: Buffer) => Buffer;

/** A proxy that distorts. */
export interface CorruptingProxy {
  readonly url: string;
  /** Requests since `corrupt` was last called. */
  count(): number;
  /**
   * Forwards to `newTarget` from now on; the response of this number, from 0, is changed, either whole or in its body with a matching
   * length.
   */
  corrupt(target: string, number: number, whole: boolean, change: CorruptBytes): void;
  close(): Promise<void>;
}

/** Starts the proxy on a free port of this machine. */
export async function startCorruptingProxy(): Promise<CorruptingProxy> {
  let [target, corruptNumber, whole, count] = ['', -1, false, 0];
  let change: CorruptBytes = (bytes) => bytes;
  const server = createServer((incoming, outgoing) => {
    const number = count++;
    const socket = incoming.socket;
    const body: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => body.push(chunk));
    incoming.on('error', () => socket.destroy());
    incoming.on('end', () => {
      const { method = 'GET', headers } = incoming;
      const sent = request(
        `${target}${incoming.url}`,
        { method, headers: { ...headers, connection: 'close' }, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const original = Buffer.concat(chunks);
            const text = number === corruptNumber && !whole ? change(original) : original;
            const type = `content-type: ${response.headers['content-type'] ?? 'application/json'}`;
            const head = `HTTP/1.1 ${response.statusCode} Said\r\n${type}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n`;
            const raw = Buffer.concat([Buffer.from(head), text]);
            socket.end(number === corruptNumber && whole ? change(raw) : raw);
          });
        },
      );
      sent.on('error', () => socket.destroy());
      sent.end(Buffer.concat(body));
    });
    outgoing.on('error', () => socket.destroy());
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    count: () => count,
    corrupt(newTarget, number, wholeResponse, changeBytes) {
      [target, corruptNumber, whole, count, change] = [newTarget, number, wholeResponse, 0, changeBytes];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
