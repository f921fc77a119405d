/** A client that shares no code with upkeep: written from api-notes section 1 alone, with the habits of other clients. */
import { createHmac } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/server.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';

export const account = { owner: '0123456789abcdef0123456789abcdef', apiKey: 'TestSecretKey/For+Vectors=000000000000000' };

/** Starts an emulator that is closed after the test. */
export async function start(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ emulatedKinds, accounts: [account], ...options });
  cleanUpAfterTest(() => emulator.close());
  return emulator;
}

let counter = 0;

/** Returns `msg` and `sig` of JSON with spaces, another member order, compression level 9, and white space that makes each text unique. */
export function sign(members: object = {}, signer = account, at = Date.now()): { msg: string; sig: string } {
  counter += 1;
  const rest = Object.entries({ _timestamp: Math.floor(at / 1000), ...members }).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  const [spaces, lineBreaks] = [' '.repeat(1 + (counter % 500)), '\n'.repeat(Math.floor(counter / 500))];
  const text = `{ ${rest.join(', ')}, "_owner": "${signer.owner}"${spaces}}${lineBreaks}`;
  const msg = deflateSync(Buffer.from(text), { level: 9 }).toString('base64');
  return { msg, sig: createHmac('sha256', signer.apiKey).update(msg).digest('hex') };
}

/** A response. */
export interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, loosely typed for assertions. */
  readonly json: { readonly [member: string]: unknown };
}

async function read(response: Response): Promise<ClientResponse> {
  const text = await response.text();
  const json: { readonly [member: string]: unknown } = text.startsWith('{') && text.endsWith('}') ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, json };
}

/** Sends a signed v4 request: signature in the query, JSON body. */
export async function v4(
  emulator: Emulator,
  method: string,
  path: string,
  body?: unknown,
  query: { [name: string]: string } = {},
): Promise<ClientResponse> {
  const search = new URLSearchParams({ ...query, ...sign() });
  const headers = { 'content-type': 'application/json' };
  return read(
    await fetch(`${emulator.url}/api/v4${path}?${search}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body, null, 1) }),
    }),
  );
}

/** Sends a signed v3 request: a POST as a form with the `item` inside `msg`, the others in the query. */
export async function v3(emulator: Emulator, method: string, path: string, item?: unknown): Promise<ClientResponse> {
  const signature = new URLSearchParams(sign(item === undefined ? {} : { item }));
  if (method === 'POST') return read(await fetch(`${emulator.url}/api/v3${path}`, { method, body: signature }));
  return read(await fetch(`${emulator.url}/api/v3${path}?${signature}`, { method }));
}

/** Sends a request without a signature. */
export async function raw(emulator: Emulator, path: string, init: RequestInit = {}): Promise<ClientResponse> {
  return read(await fetch(emulator.url + path, init));
}

/** Sends a signed v2 request: a form with the data at the top level of the message. */
export function v2(emulator: Emulator, path: string, data: object): Promise<ClientResponse> {
  return raw(emulator, `/api2${path}`, { method: 'POST', body: new URLSearchParams(sign(data)) });
}

/** Sends a signed v2 request as a GET, with the signature in the query. */
export function v2Get(emulator: Emulator, path: string, data: object): Promise<ClientResponse> {
  return raw(emulator, `/api2${path}?${new URLSearchParams(sign(data))}`);
}
