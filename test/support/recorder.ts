/** A service in front of the emulator that records every `msg` and `sig` that was sent, and may respond instead of the emulator. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Canary } from './canary.ts';

/** A recorded request. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** Query and body as they were sent, percent-encoded. */
  readonly raw: string;
  readonly msg: string;
  readonly sig: string;
}

/** A response instead of the emulator's. */
export interface CannedResponse {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
}

/** A recorder that listens. */
export interface Recorder {
  readonly url: string;
  /** The signatures of all requests, as secrets to search for. */
  signatures(): readonly Canary[];
  /** Returns a response instead of the emulator's; null forwards to the emulator. */
  respond: (sent: SentRequest) => CannedResponse | null;
}

/** Starts a recorder, which closes at the end of the test. */
export async function startRecorder(target: string): Promise<Recorder> {
  const signatures: Canary[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const sent = parseRequest(request, body);
    signatures.push({ name: 'msg', value: sent.msg }, { name: 'sig', value: sent.sig });
    const { status, headers, body: text } = recorder.respond(sent) ?? (await forward(target, request, body));
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const recorder: Recorder = { url: `http://127.0.0.1:${portOf(server.address())}`, signatures: () => signatures, respond: () => null };
  return recorder;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function parseRequest({ method = '', url = '' }: IncomingMessage, body: string): SentRequest {
  const [path = '', query = ''] = url.split('?');
  const members = new URLSearchParams(query.includes('msg=') ? query : body);
  return { method, path, raw: `${query}&${body}`, msg: members.get('msg') ?? '', sig: members.get('sig') ?? '' };
}

async function forward(target: string, { method = '', url = '', headers }: IncomingMessage, body: string): Promise<CannedResponse> {
  const type = headers['content-type'];
  const response = await fetch(target + url, {
    method,
    ...(body === '' ? {} : { body }),
    ...(type ? { headers: { 'content-type': type } } : {}),
  });
  return { status: response.status, body: await response.text() };
}
