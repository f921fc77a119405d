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

/** An answer of the double. */
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

/** What the double does once it has a whole request; null = nothing at all. */
export type ReceiverReaction = ReceiverAnswer | 'reset' | null;

/** Starts a double; `react` gets the number of the request, from 1. */
export async function startReceiver(react: (number: number) => ReceiverReaction = () => ({ status: 200 })): Promise<TestReceiver> {
  const received: ReceivedRequest[] = [];
  const url = await listening((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const reaction = react(received.length);
      if (reaction === 'reset') request.socket.resetAndDestroy();
      else if (reaction) response.writeHead(reaction.status, { ...reaction.headers }).end(reaction.body);
    });
  });
  return { url, received };
}
