/** Skips informational answers (RFC 9110 section 15.2), which a server may send before the real one, and of which undici refuses 100. */
import type { Socket } from 'node:net';

/** The longest head of an informational answer, in bytes, as undici limits the heads of all answers. */
const MAX_HEAD_BYTES = 16_384;
const HEAD_END = '\r\n\r\n';
/** The begin of each informational answer but 101, which ends HTTP on the connection. */
const INFORMATIONAL = /^HTTP\/1\.[01] 1(?!01)\d\d/;
/** What makes the begin of an answer a whole one, where only a part of it has arrived. */
const EXAMPLE = 'HTTP/1.1 100';

/**
 * Changes what a socket gives to its reader: informational answers are left out. Bytes behind a request are held back until they are known to
 * be none.
 */
export function skipInformationalAnswers(socket: Socket): void {
  const read = socket.read.bind(socket);
  let written = 0;
  let held = Buffer.alloc(0);
  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size);
      // Only what follows a request can begin an answer.
      if (!Buffer.isBuffer(chunk) || (socket.bytesWritten === written && held.length === 0)) return chunk;
      held = afterInformational(Buffer.concat([held, chunk]));
      if (mayBeInformational(held)) continue;
      const answer = held;
      held = Buffer.alloc(0);
      written = socket.bytesWritten;
      return answer;
    }
  };
}

/** Returns the bytes behind the complete informational answers at the begin. */
function afterInformational(bytes: Buffer): Buffer<ArrayBuffer> {
  let rest = Buffer.from(bytes);
  while (INFORMATIONAL.test(beginOf(rest)) && rest.includes(HEAD_END)) rest = rest.subarray(rest.indexOf(HEAD_END) + HEAD_END.length);
  return rest;
}

/** Decides whether more bytes are needed to tell. */
function mayBeInformational(bytes: Buffer): boolean {
  const begin = beginOf(bytes);
  return bytes.length <= MAX_HEAD_BYTES && INFORMATIONAL.test(begin + EXAMPLE.slice(begin.length));
}

function beginOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, EXAMPLE.length);
}
