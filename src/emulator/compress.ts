/** Compresses responses, correctly or broken. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/**
 * How a response is compressed: `gzip` or `br`; `twice`; half of it (`truncated`); with wrong bytes in it (`corrupt`); in an encoding that
 * nobody knows (`unknown`); not at all, although the header says so (`announced`); or without the header (`unannounced`).
 */
export const COMPRESSIONS = ['gzip', 'br', 'twice', 'truncated', 'corrupt', 'unknown', 'announced', 'unannounced'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** A compressed body and its `content-encoding`; undefined = no such header. */
export interface CompressedBody {
  readonly bytes: Buffer;
  readonly encoding: string | undefined;
}

/** Returns the body of a response, compressed. */
export function compress(text: string, how: Compression): CompressedBody {
  switch (how) {
    case 'gzip':
      return { bytes: gzip(text), encoding: 'gzip' };
    case 'br':
      return { bytes: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), encoding: 'br' };
    case 'twice':
      return { bytes: gzip(gzip(text)), encoding: 'gzip, gzip' };
    case 'truncated':
      return { bytes: gzip(text).subarray(0, Math.floor(gzip(text).length / 2)), encoding: 'gzip' };
    case 'corrupt':
      return { bytes: corrupted(gzip(text)), encoding: 'gzip' };
    case 'unknown':
      return { bytes: gzip(text), encoding: 'x-unknown' };
    case 'announced':
      return { bytes: Buffer.from(text), encoding: 'gzip' };
    case 'unannounced':
      return { bytes: gzip(text), encoding: undefined };
  }
}

/** Returns the encoding that a request accepts, the best that the emulator has; undefined = none. Qualities other than 0 count alike. */
export function acceptedEncoding(acceptEncoding: string): 'gzip' | 'br' | undefined {
  const accepted = acceptEncoding
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !/;\s*q=0(\.0*)?$/.test(item))
    .map((item) => item.replace(/\s*;.*/, ''));
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}

const MIB = 1024 * 1024;

/** Returns gzip that decompresses to JSON of this number of MiB. */
export function gzipBomb(mib: number): Buffer {
  // Members of gzip that follow each other decompress to their texts in a row: so one MiB is compressed only once.
  const filling = gzipSync(Buffer.alloc(MIB, 'a'), { level: 9 });
  return Buffer.concat([gzip('{"error":0,"padding":"'), ...new Array<Buffer>(mib).fill(filling), gzip('"}')]);
}

function gzip(bytes: string | Buffer): Buffer {
  return gzipSync(bytes, { level: 1 });
}

/** Returns the bytes with the second half of them inverted, the checksum included. */
function corrupted(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => (index > bytes.length / 2 ? byte ^ 0xff : byte)));
}
