/** A service that speaks the truth except once: between the client and the emulator, one answer is changed on its way, byte by byte. */
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';

/** Changes the bytes of one answer: its body, or all of it from the status line on. */
export type Distort = (bytes: Buffer) => Buffer;

/** A proxy that distorts. */
export interface Liar {
  readonly url: string;
  /** Requests since `distort` was last called. */
  count(): number;
  /** From now on goes to `target`; the answer of this number, from 0, is changed, as a whole or in its body with a length that fits. */
  distort(target: string, nth: number, whole: boolean, change: Distort): void;
  close(): Promise<void>;
}

/** Starts the proxy on a free port of this machine. */
export async function startLiar(): Promise<Liar> {
  let [target, lie, whole, count] = ['', -1, false, 0];
  let change: Distort = (bytes) => bytes;
  const server = createServer((incoming, outgoing) => {
    const nth = count++;
    const socket = incoming.socket;
    const body: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => body.push(chunk));
    incoming.on('error', () => socket.destroy());
    incoming.on('end', () => {
      const { method = 'GET', headers } = incoming;
      const sent = request(`${target}${incoming.url}`, { method, headers: { ...headers, connection: 'close' }, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const truth = Buffer.concat(chunks);
          const text = nth === lie && !whole ? change(truth) : truth;
          const type = `content-type: ${answer.headers['content-type'] ?? 'application/json'}`;
          const head = `HTTP/1.1 ${answer.statusCode} Said\r\n${type}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n`;
          const raw = Buffer.concat([Buffer.from(head), text]);
          socket.end(nth === lie && whole ? change(raw) : raw);
        });
      });
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
    distort(to, nth, all, how) {
      [target, lie, whole, count, change] = [to, nth, all, 0, how];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
