/** The reader of a body, without a network: what it hands over, and when. */
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type BodyReader, createBodyReader, type ReceivedBody } from '../../../src/core/api-client/body-reader.ts';

type Result = ReceivedBody | 'too large';

/** A reader that keeps its results; `first` comes with the first one. */
function reading(encoding: string | readonly string[] | undefined, maxBytes = 1_000_000) {
  const results: Result[] = [];
  let arrived = (_result: Result): void => undefined;
  const first = new Promise<Result>((resolve) => {
    arrived = resolve;
  });
  const add = (result: Result): void => {
    results.push(result);
    arrived(result);
  };
  const reader: BodyReader = createBodyReader(encoding, maxBytes, (text) => text, { done: add, tooLarge: () => add('too large') });
  return { reader, results, first };
}

const zipped = gzipSync('hello');
const damaged = Buffer.from(zipped).fill(0xff, 10, 16);
const DAMAGE = 'it cannot be decompressed as gzip: it is damaged, cut off, or was never compressed';

/** Lets decompressors that work meanwhile come to their end. */
async function othersDecompress(): Promise<void> {
  for (let index = 0; index < 5; index++) await expect(promisify(gunzip)(damaged)).rejects.toThrow(/invalid/);
}

const textOf = (result: Result): string => (result === 'too large' ? result : Buffer.from(result.bytes).toString());

describe('the encoding of a body', () => {
  it.each([
    ['no header', undefined, 'hello'],
    ['an empty header', '', 'hello'],
    ['a header of commas', ' , ', 'hello'],
    ['several headers that say nothing', ['', 'Identity', 'identity,'], 'hello'],
    ['gzip between commas', ', gzip ,', zipped],
    ['gzip and an empty header', ['gzip', ''], zipped],
  ])('is read from %s', async (_name, encoding, bytes) => {
    const { reader, first } = reading(encoding);
    reader.write(Buffer.from(bytes));
    reader.end();
    expect(textOf(await first)).toBe('hello');
  });

  it.each([
    ['gzip, br', 'it is compressed more than once (gzip, br)'],
    ['deflate', 'it is compressed in a way that was not asked for (deflate)'],
  ])('%s makes the body unreadable', (encoding, problem) => {
    const { reader, results } = reading(encoding);
    reader.write(zipped);
    reader.end();
    expect(results).toEqual([{ bytes: new Uint8Array(), problem }]);
  });
});

describe('the maximum size', () => {
  it.each([
    ['as it is', undefined, Buffer.from('hello'), 5],
    ['compressed', 'gzip', zipped, zipped.length],
    ['decompressed', 'gzip', gzipSync('x'.repeat(5000)), 5000],
  ])('bounds a body %s, and may be reached', async (_name, encoding, bytes, size) => {
    const fits = reading(encoding, size);
    fits.reader.write(bytes);
    fits.reader.end();
    expect(await fits.first).toMatchObject({ bytes: expect.any(Uint8Array) });
    const over = reading(encoding, size - 1);
    over.reader.write(bytes);
    over.reader.end();
    expect(await over.first).toBe('too large');
  });

  it('is reported once, whatever arrives afterwards', async () => {
    const { reader, results } = reading('gzip', zipped.length);
    for (let index = 0; index < 3; index++) reader.write(zipped);
    reader.end();
    reader.cancel();
    await othersDecompress();
    expect(results).toEqual(['too large']);
  });
});

describe('a damaged body', () => {
  it('is reported at its end, so that a connection that breaks before it is not taken for damage', async () => {
    const { reader, results, first } = reading('gzip');
    reader.write(damaged);
    await othersDecompress();
    expect(results).toEqual([]);
    reader.write(zipped);
    reader.end();
    expect(await first).toEqual({ bytes: new Uint8Array(), problem: DAMAGE });
    await othersDecompress();
    expect(results).toHaveLength(1);
  });

  it('is reported where it ends before the damage is found', async () => {
    const { reader, first } = reading('gzip');
    reader.write(damaged);
    reader.end();
    expect(await first).toEqual({ bytes: new Uint8Array(), problem: DAMAGE });
  });
});

it('nothing follows from a reader that is canceled', async () => {
  const { reader, results } = reading('gzip');
  reader.write(zipped);
  reader.end();
  reader.cancel();
  await othersDecompress();
  expect(results).toEqual([]);
});
