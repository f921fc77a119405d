/** A service in front of the emulator that remembers every `msg` and `sig` that was really on the wire, and may answer in its place. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Canary } from './canary.ts';

/** A request as it came. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** Query and body as they were sent, percent-encoded. */
  readonly raw: string;
  readonly msg: string;
  readonly sig: string;
}

/** An answer in place of the emulator's. */
export interface Instead {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
}

/** A recorder that listens. */
export interface Recorder {
  readonly url: string;
  /** What was signed with, as canaries. */
  signatures(): readonly Canary[];
  /** Gives an answer in the emulator's place; null leaves it to the emulator. */
  instead: (sent: Sent) => Instead | null;
}

/** Starts a recorder that ends with the test. */
export async function startRecorder(target: string): Promise<Recorder> {
  const seen: Canary[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await textOf(incoming);
    const sent = sentOf(incoming, body);
    seen.push({ name: 'msg', value: sent.msg }, { name: 'sig', value: sent.sig });
    const { status, headers, body: text } = recorder.instead(sent) ?? (await forwarded(target, incoming, body));
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const recorder: Recorder = { url: `http://127.0.0.1:${portOf(server.address())}`, signatures: () => seen, instead: () => null };
  return recorder;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function sentOf({ method = '', url = '' }: IncomingMessage, body: string): Sent {
  const [path = '', query = ''] = url.split('?');
  const members = new URLSearchParams(query.includes('msg=') ? query : body);
  return { method, path, raw: `${query}&${body}`, msg: members.get('msg') ?? '', sig: members.get('sig') ?? '' };
}

async function forwarded(target: string, { method = '', url = '', headers }: IncomingMessage, body: string): Promise<Instead> {
  const type = headers['content-type'];
  const answer = await fetch(target + url, {
    method,
    ...(body === '' ? {} : { body }),
    ...(type ? { headers: { 'content-type': type } } : {}),
  });
  return { status: answer.status, body: await answer.text() };
}
