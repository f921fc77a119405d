/** A double of a service that takes what upkeep sends over HTTP: a collector of traces, or a receiver of notifications. */
import type { IncomingHttpHeaders } from 'node:http';
import { listening } from '../core/api-client/servers.ts';

/** A request that the double got. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the double answers; null = not at all. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

/** A double that listens on this machine. */
export interface TestReceiver {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
}

/** Starts a double; `answer` gets the number of the request, from 1. */
export async function startReceiver(answer: (number: number) => ReceiverAnswer | null = () => ({ status: 200 })): Promise<TestReceiver> {
  const received: ReceivedRequest[] = [];
  const url = await listening((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const answered = answer(received.length);
      if (answered) response.writeHead(answered.status, { ...answered.headers }).end(answered.body);
    });
  });
  return { url, received };
}
