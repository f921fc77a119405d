/** Sends responses: unchanged, or broken as a fault rule defines (reset, stalled, wrong length, endless). */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acceptedEncoding, type Compression, compress, gzipBomb } from './compress.ts';
import type { OutgoingResponse, SendFault } from './faults.ts';
import type { HandledRequest } from './handle-request.ts';
import type { ServiceQuirks } from './quirks.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a value as JSON; undefined = no body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  sendPlain(response, { status, headers: text === undefined ? {} : { 'content-type': JSON_TYPE }, text });
}

/** Sends a response unchanged. A status that has no body gets none. */
export function sendPlain(response: ServerResponse, { status, headers, text }: OutgoingResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (text !== undefined && response.getHeader('content-type') === 'application/json') response.setHeader('content-type', JSON_TYPE);
  if (status !== 204 && status !== 304) response.setHeader('content-length', Buffer.byteLength(text ?? ''));
  response.statusCode = status;
  response.end(text);
}

/** Returns how a response is compressed, by its fault or else by the quirk; undefined = not at all. */
export function compressionOf(
  { fault, text }: OutgoingResponse & { readonly fault: SendFault },
  { compression }: Pick<ServiceQuirks, 'compression'>,
  acceptEncoding: string,
): Compression | undefined {
  if (text === undefined) return undefined;
  return fault.compress ?? { never: undefined, accepted: acceptedEncoding(acceptEncoding), always: 'gzip' as const }[compression];
}

/** Sends a response compressed. */
export function sendCompressed(response: ServerResponse, { status, headers, text = '' }: OutgoingResponse, how: Compression): void {
  const { bytes, encoding } = compress(text, how);
  const encodingHeaders = encoding === undefined ? {} : { 'content-encoding': encoding, vary: 'accept-encoding' };
  writeHead(response, { status, headers: { ...headers, ...encodingHeaders }, text }, bytes.length);
  response.end(bytes);
}

/** Decides whether a response must be sent by `sendBroken`. */
export function isBroken({ outgoing }: HandledRequest): boolean {
  if (outgoing === 'reset') return true;
  const { stall, contentLength, flood, bomb } = outgoing.fault;
  return stall !== undefined || contentLength !== undefined || flood !== undefined || bomb !== undefined;
}

/** Sends a broken response. Nothing is awaited, because the client may close the connection at any time. */
export function sendBroken(response: ServerResponse, { outgoing, record }: HandledRequest): void {
  if (outgoing === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { stall, contentLength, flood, bomb } = outgoing.fault;
  if (bomb !== undefined) sendBomb(response, outgoing, bomb);
  else if (flood !== undefined) sendFlood(response, outgoing, flood, record);
  else if (contentLength !== undefined) sendWrongContentLength(response, outgoing, contentLength);
  else if (stall === 'body') sendHalf(response, outgoing);
}

/** Sends the first half of the body and keeps the connection open. */
function sendHalf(response: ServerResponse, outgoing: OutgoingResponse): void {
  const bytes = bytesOf(outgoing);
  writeHead(response, outgoing, bytes.length);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
}

function sendWrongContentLength(response: ServerResponse, outgoing: OutgoingResponse, fault: 'short' | 'long'): void {
  const bytes = bytesOf(outgoing);
  writeHead(response, outgoing, fault === 'short' ? Math.floor(bytes.length / 2) : bytes.length + 100);
  if (fault === 'short') response.end(bytes);
  else response.write(bytes, () => response.socket?.end());
}

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;

function sendFlood(response: ServerResponse, outgoing: OutgoingResponse, mib: number, record: HandledRequest['record']): void {
  // The flood needs a body, and a response with status 204 would have none.
  writeHead(response, { ...outgoing, status: 200 }, mib * MIB);
  // A client is expected to close the connection, which ends the flood.
  pipeline(Readable.from(floodChunks(mib * MIB, record)), response).catch(() => response.destroy());
}

function sendBomb(response: ServerResponse, outgoing: OutgoingResponse, mib: number): void {
  const bytes = gzipBomb(mib);
  writeHead(response, { ...outgoing, status: 200, headers: { ...outgoing.headers, 'content-encoding': 'gzip' } }, bytes.length);
  response.end(bytes);
}

/** Generates JSON of a number of bytes, which are counted as they are read. */
function* floodChunks(bytes: number, record: HandledRequest['record']): Iterable<Buffer> {
  const opening = Buffer.from('{"error":0,"padding":"');
  const closing = Buffer.from('"}');
  const padding = Buffer.alloc(CHUNK, 'a');
  const count = function* (chunk: Buffer): Iterable<Buffer> {
    record.flooded += chunk.length;
    yield chunk;
  };
  yield* count(opening);
  for (let left = bytes - opening.length - closing.length; left > 0; left -= CHUNK) yield* count(padding.subarray(0, left));
  yield* count(closing);
}

function writeHead(response: ServerResponse, { status, headers }: OutgoingResponse, contentLength: number): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers, 'content-length': contentLength });
}

function bytesOf({ text }: OutgoingResponse): Buffer {
  return Buffer.from(text ?? '');
}
