/** A client that shares no line with the project's own: written from api-notes section 1 alone, with the habits of the clients in use. */
import { createHmac } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { afterEach } from 'vitest';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/server.ts';
import { startEmulator } from '../../src/emulator/server.ts';

export const account = { owner: '0123456789abcdef0123456789abcdef', apiKey: 'TestSecretKey/For+Vectors=000000000000000' };

const running: Emulator[] = [];

afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close();
});

/** Starts an emulator that ends with the test. */
export async function start(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ emulations: emulatedKinds, accounts: [account], ...options });
  running.push(emulator);
  return emulator;
}

let counter = 0;

/** `msg` and `sig` over JSON with spaces, other member order, level 9 compression, and white space that makes each text unique. */
export function sign(members: object = {}, who = account, at = Date.now()): { msg: string; sig: string } {
  counter += 1;
  const rest = Object.entries({ _timestamp: Math.floor(at / 1000), ...members }).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  const text = `{ ${rest.join(', ')}, "_owner": "${who.owner}"${' '.repeat(1 + (counter % 500))}}${'\n'.repeat(Math.floor(counter / 500))}`;
  const msg = deflateSync(Buffer.from(text), { level: 9 }).toString('base64');
  return { msg, sig: createHmac('sha256', who.apiKey).update(msg).digest('hex') };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, loosely typed for assertions. */
  readonly json: { readonly [member: string]: unknown };
}

async function read(response: Response): Promise<Answered> {
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
): Promise<Answered> {
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
export async function v3(emulator: Emulator, method: string, path: string, item?: unknown): Promise<Answered> {
  const signature = new URLSearchParams(sign(item === undefined ? {} : { item }));
  if (method === 'POST') return read(await fetch(`${emulator.url}/api/v3${path}`, { method, body: signature }));
  return read(await fetch(`${emulator.url}/api/v3${path}?${signature}`, { method }));
}

/** Sends whatever it is told. */
export async function raw(emulator: Emulator, path: string, init: RequestInit = {}): Promise<Answered> {
  return read(await fetch(emulator.url + path, init));
}

/** A call as the clients of v2 make it: the data at the top of the message, in a form. */
export function v2(emulator: Emulator, path: string, data: object): Promise<Answered> {
  return raw(emulator, `/api2${path}`, { method: 'POST', body: new URLSearchParams(sign(data)) });
}
