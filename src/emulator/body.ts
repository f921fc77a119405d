/** Reads the bodies of requests. */
import type { IncomingMessage } from 'node:http';

/** Longest body in bytes. */
const LONGEST_BODY = 16 * 1024 * 1024;

/** Thrown where a body is longer than any that is read. */
export class BodyTooLargeError extends Error {
  constructor() {
    super('Request body is too large');
  }
}

/** Returns whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads the whole body of a request, which is empty where there is none; the body of a GET or HEAD is left unread.
 * @throws BodyTooLargeError, and the connection's error where it ends before the body does
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (request.method === 'GET' || request.method === 'HEAD') return Promise.resolve(Buffer.alloc(0));
  if (Number(request.headers['content-length'] ?? 0) > LONGEST_BODY) return Promise.reject(new BodyTooLargeError());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // What comes after it is dropped, and the connection still carries the answer.
      if (length > LONGEST_BODY) reject(new BodyTooLargeError());
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
  });
}
