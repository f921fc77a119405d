/** Reads the body of a response up to a maximum size, and decompresses it while it arrives. */
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { quoteForeignText, type Redact } from './redact.ts';

/** What requests accept: `accept-encoding`. A service may also send its answer as it is. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/** A complete body. */
export interface ReceivedBody {
  /** Decompressed. */
  readonly bytes: Uint8Array;
  /** Why the body cannot be decompressed; `bytes` is then empty. */
  readonly problem?: string;
}

/** Receives the bytes of a body in order. */
export interface BodyReader {
  write(chunk: Uint8Array): void;
  /** Ends the body. The result follows when everything is decompressed. */
  end(): void;
  /** Stops the work; nothing follows. */
  cancel(): void;
}

/** The results of a body, of which exactly one follows, unless the reader is canceled. */
export interface BodyResults {
  done(body: ReceivedBody): void;
  /** The body is larger than the maximum, compressed or decompressed. */
  tooLarge(): void;
}

const DECOMPRESSORS = new Map<string, typeof createGunzip | typeof createBrotliDecompress>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** Decompressed bytes that are handed over at once. They are all that goes beyond the maximum. */
const CHUNK_BYTES = 65_536;

/** Creates the reader of a body with these `content-encoding` headers; `maxBytes` bounds what arrives, and what it decompresses to. */
export function createBodyReader(
  contentEncoding: string | readonly string[] | undefined,
  maxBytes: number,
  redact: Redact,
  results: BodyResults,
): BodyReader {
  const encodings = encodingsOf(contentEncoding);
  const [encoding] = encodings;
  if (encoding === undefined) return plainReader(maxBytes, results);
  const create = DECOMPRESSORS.get(encoding);
  if (encodings.length === 1 && create) return decompressingReader(create({ chunkSize: CHUNK_BYTES }), encoding, maxBytes, results);
  const how = encodings.length > 1 ? 'more than once' : 'in a way that was not asked for';
  return {
    ...plainReader(maxBytes, results),
    end: () => results.done(unreadable(`it is compressed ${how} (${quoteForeignText(encodings.join(', '), redact)})`)),
  };
}

/** Returns the encodings that were applied to a body, without `identity`, which changes nothing. */
function encodingsOf(contentEncoding: string | readonly string[] | undefined): readonly string[] {
  const names = [contentEncoding ?? []].flat().flatMap((header) => header.split(','));
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '' && name !== 'identity');
}

function plainReader(maxBytes: number, { done, tooLarge }: BodyResults): BodyReader {
  const collected = createCollector(maxBytes, tooLarge);
  return { write: collected.add, end: () => done({ bytes: collected.bytes() }), cancel: () => undefined };
}

function decompressingReader(
  decompressor: ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>,
  encoding: string,
  maxBytes: number,
  { done, tooLarge }: BodyResults,
): BodyReader {
  let arrived = 0;
  let hasEnded = false;
  let isOver = false;
  let failure: ReceivedBody | undefined;
  const finish = (result: () => void): void => {
    if (isOver) return;
    isOver = true;
    // The rest of a small body may decompress to gigabytes.
    decompressor.destroy();
    result();
  };
  const collected = createCollector(maxBytes, () => finish(tooLarge));
  decompressor.on('data', (chunk: Uint8Array) => collected.add(chunk));
  decompressor.on('end', () => finish(() => done({ bytes: collected.bytes() })));
  decompressor.on('error', () => {
    const failed = unreadable(`it cannot be decompressed as ${encoding}: it is damaged, cut off, or was never compressed`);
    failure = failed;
    if (hasEnded) finish(() => done(failed));
  });
  return {
    write(chunk) {
      arrived += chunk.length;
      if (arrived > maxBytes) finish(tooLarge);
      else if (!isOver && failure === undefined) decompressor.write(chunk);
    },
    end() {
      hasEnded = true;
      // A damaged body is read to its end, so that a connection that breaks before it is reported as such.
      const failed = failure;
      if (failed) finish(() => done(failed));
      else if (!isOver) decompressor.end();
    },
    cancel: () => finish(() => undefined),
  };
}

function unreadable(problem: string): ReceivedBody {
  return { bytes: new Uint8Array(), problem };
}

/** Collects bytes up to a maximum; what goes beyond is dropped. */
function createCollector(maxBytes: number, tooLarge: () => void) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk: Uint8Array): void {
      size += chunk.length;
      if (size > maxBytes) tooLarge();
      else chunks.push(chunk);
    },
    bytes: (): Uint8Array => Buffer.concat(chunks, size),
  };
}
