/** Sends answers: as they are, or as a rule spoils them (broken off, stalled, announced wrongly, without end). */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OutgoingResponse } from './faults.ts';
import type { Exchanged } from './handle-request.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a value as JSON; undefined = no body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  sendPlain(response, { status, headers: text === undefined ? {} : { 'content-type': JSON_TYPE }, text });
}

/** Sends an answer as it is. A status that has no body gets none. */
export function sendPlain(response: ServerResponse, { status, headers, text }: OutgoingResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (text !== undefined && response.getHeader('content-type') === 'application/json') response.setHeader('content-type', JSON_TYPE);
  if (status !== 204 && status !== 304) response.setHeader('content-length', Buffer.byteLength(text ?? ''));
  response.statusCode = status;
  response.end(text);
}

/** Whether the answer is to be sent by `sendSpoilt` instead of as it is. */
export function isBroken({ outgoing }: Exchanged): boolean {
  if (outgoing === 'reset') return true;
  const { stall, contentLength, flood } = outgoing.transit;
  return stall !== undefined || contentLength !== undefined || flood !== undefined;
}

/** Sends an answer as its rule spoils it. Nothing is awaited: a client that goes away takes its answer with it. */
export function sendBroken(response: ServerResponse, { outgoing, entry }: Exchanged): void {
  if (outgoing === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { stall, contentLength, flood } = outgoing.transit;
  if (flood !== undefined) pour(response, outgoing, flood, entry);
  else if (contentLength !== undefined) wrongContentLength(response, outgoing, contentLength);
  else if (stall === 'body') begin(response, outgoing);
}

/** Half of the body, as if the rest were on its way. */
function begin(response: ServerResponse, outgoing: OutgoingResponse): void {
  const bytes = bytesOf(outgoing);
  head(response, outgoing, bytes.length);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
}

function wrongContentLength(response: ServerResponse, outgoing: OutgoingResponse, how: 'short' | 'long'): void {
  const bytes = bytesOf(outgoing);
  head(response, outgoing, how === 'short' ? Math.floor(bytes.length / 2) : bytes.length + 100);
  if (how === 'short') response.end(bytes);
  else response.write(bytes, () => response.socket?.end());
}

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;

function pour(response: ServerResponse, outgoing: OutgoingResponse, mib: number, entry: Exchanged['entry']): void {
  // Under 204 there would be no body.
  head(response, { ...outgoing, status: 200 }, mib * MIB);
  // The client's going away is what a flood is for, and ends it.
  pipeline(Readable.from(flooding(mib * MIB, entry)), response).catch(() => response.destroy());
}

/** JSON of so many bytes, counted as it is taken. */
function* flooding(bytes: number, entry: Exchanged['entry']): Iterable<Buffer> {
  const opening = Buffer.from('{"error":0,"padding":"');
  const closing = Buffer.from('"}');
  const padding = Buffer.alloc(CHUNK, 'a');
  const count = function* (chunk: Buffer): Iterable<Buffer> {
    entry.flooded += chunk.length;
    yield chunk;
  };
  yield* count(opening);
  for (let left = bytes - opening.length - closing.length; left > 0; left -= CHUNK) yield* count(padding.subarray(0, left));
  yield* count(closing);
}

function head(response: ServerResponse, { status, headers }: OutgoingResponse, contentLength: number): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers, 'content-length': contentLength });
}

function bytesOf({ text }: OutgoingResponse): Buffer {
  return Buffer.from(text ?? '');
}
