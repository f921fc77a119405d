/** Answers that the service compressed: asked for, or not. */
import type { RequestListener } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import nock from 'nock';
import { describe, expect, it } from 'vitest';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { CREATE_V4, createTestClient, errorOf, ORIGIN, READ_V4 } from './harness.ts';
import { httpDispatcher } from './http-dispatcher.ts';
import { against } from './servers.ts';

const BODY = { desc: 'é😀'.repeat(200) };
const TEXT = JSON.stringify(BODY);
const brotli = (text: string): Buffer => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** Answers every request with these bytes. */
const answering =
  (encoding: string | string[], bytes: Uint8Array | string, status = 200): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-encoding', encoding).writeHead(status).end(bytes);

describe('a compressed answer', () => {
  it.each<[string, string | string[], Uint8Array | string]>([
    ['gzip', 'gzip', gzipSync(TEXT)],
    ['gzip in two parts', 'gzip', Buffer.concat([gzipSync(TEXT.slice(0, 9)), gzipSync(TEXT.slice(9))])],
    ['gzip by its old name', ' X-GZIP ', gzipSync(TEXT)],
    ['brotli', 'br', brotli(TEXT)],
    ['gzip beside identity', ['identity', 'gzip'], gzipSync(TEXT)],
  ])('of %s is read like one that is not', async (_name, encoding, bytes) => {
    const { service } = await against(answering(encoding, bytes));
    expect(await service.send(READ_V4)).toEqual({ status: 200, body: BODY });
  });

  it('may arrive byte by byte', async () => {
    const bytes = gzipSync(TEXT);
    const { service } = await against((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const rest = (index: number): void => {
        if (index === bytes.length) response.end();
        else response.write(bytes.subarray(index, index + 1), () => rest(index + 1));
      };
      rest(0);
    });
    expect((await service.send(READ_V4)).body).toEqual(BODY);
  });

  const damaged = Buffer.from(gzipSync(TEXT));
  damaged.fill(0xff, 20, 40);
  const CANNOT = 'it is damaged, cut off, or was never compressed';

  it.each<[string, string | string[], Uint8Array | string, string]>([
    ['cut off', 'gzip', gzipSync(TEXT).subarray(0, -12), `it cannot be decompressed as gzip: ${CANNOT}`],
    ['cut off (brotli)', 'br', brotli(TEXT).subarray(0, -12), `it cannot be decompressed as br: ${CANNOT}`],
    ['damaged', 'gzip', damaged, `it cannot be decompressed as gzip: ${CANNOT}`],
    ['empty', 'gzip', '', `it cannot be decompressed as gzip: ${CANNOT}`],
    ['not compressed at all', 'gzip', TEXT, `it cannot be decompressed as gzip: ${CANNOT}`],
    ['in another encoding than announced', 'br', gzipSync(TEXT), `it cannot be decompressed as br: ${CANNOT}`],
    ['compressed without saying so', 'identity', gzipSync(TEXT), 'the body is not UTF-8'],
    ['compressed twice, and announced once', 'gzip', gzipSync(gzipSync(TEXT)), 'the body is not UTF-8'],
    ['compressed twice', 'gzip, br', brotli(TEXT), 'it is compressed more than once (gzip, br)'],
    ['compressed twice, in two headers', ['gzip', 'gzip'], gzipSync(gzipSync(TEXT)), 'it is compressed more than once (gzip, gzip)'],
    ['in an unknown encoding', 'zstd', TEXT, 'it is compressed in a way that was not asked for (zstd)'],
    ['in an encoding with the name of a member', 'constructor', TEXT, 'it is compressed in a way that was not asked for (constructor)'],
  ])('that is %s is unusable: a write may have happened, and a read is tried again', async (_name, encoding, bytes, what) => {
    const { service } = await against(answering(encoding, bytes));
    const message = `POST /api/v4/things: the answer (HTTP 200) cannot be used: ${what}`;
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe', message });
    let count = 0;
    const passing = await against((request, response) => {
      count += 1;
      if (count === 1) answering(encoding, bytes)(request, response);
      else response.end(TEXT);
    });
    expect(await passing.service.send(READ_V4)).toEqual({ status: 200, body: BODY });
    expect(passing.service.counts.retries).toBe(1);
  });

  it('whose connection breaks is reported as a broken connection', async () => {
    const { service } = await against((request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '1000' }).write(damaged, () => request.socket.destroy());
    });
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
  });

  it.each([
    ['read', gzipSync('{"title":"try later"}'), 'HTTP 503 Service Unavailable: "try later"'],
    ['of which the error text cannot be read', 'nonsense', 'HTTP 503 Service Unavailable'],
  ])('that is an error counts by its status, %s', async (_name, bytes, what) => {
    const { service } = await against(answering('gzip', bytes, 503), { http: { giveUpSeconds: 0 } });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'throttled', status: 503, what });
  });

  it('without a body (204) may announce any encoding', async () => {
    const { service } = await against(answering('gzip', '', 204));
    expect(await service.send(READ_V4)).toEqual({ status: 204, body: undefined });
  });
});

describe('`max_body_mib` and a compressed answer', () => {
  const http = { maxBodyMib: 0.5, giveUpSeconds: 0 };
  const ofSize = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));

  it.each([
    ['gzip', gzipSync],
    ['br', brotli],
  ] as const)('%s: it may decompress to the maximum, and not beyond', async (encoding, compress) => {
    const fits = await against(answering(encoding, compress(ofSize(512 * 1024))), { http });
    expect((await fits.service.send(READ_V4)).status).toBe(200);
    const over = await against(answering(encoding, compress(ofSize(512 * 1024 + 1))), { http });
    expect(await errorOf(over.service.send(READ_V4))).toMatchObject({
      category: 'malformed',
      what: 'the answer is larger than 0.5 MiB',
      advice: expect.stringContaining('raise http.max_body_mib'),
    });
    expect(over.service.counts.retries).toBe(0);
  });

  it('a bomb is not decompressed beyond the maximum, and its connection is closed', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 });
    const { service } = await against(
      (request, response) => {
        closed = new Promise((resolve) => void request.socket.once('close', resolve));
        // It never ends, so that only the client can.
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
      },
      { http },
    );
    const before = process.memoryUsage().arrayBuffers;
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
    await closed;
  });

  it('what arrives is bounded, too, although it decompresses to nothing', async () => {
    const nothing = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')));
    const { service } = await against(
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        const more = (): void => {
          while (!response.destroyed && response.write(nothing));
        };
        response.on('drain', more);
        more();
      },
      { http: { ...http, maxBodyMib: 0.1 } },
    );
    expect((await errorOf(service.send(READ_V4))).what).toBe('the answer is larger than 0.1 MiB');
  });
});

describe('a transport of the caller', () => {
  it('that nock answers gives compressed answers as the network does', async () => {
    nock.disableNetConnect();
    cleanUpAfterTest(() => {
      nock.cleanAll();
      nock.enableNetConnect();
    });
    nock(ORIGIN).get(/.*/).reply(200, gzipSync(TEXT), { 'content-encoding': 'gzip' });
    expect((await createTestClient({ dispatcher: httpDispatcher() }).service.send(READ_V4)).body).toEqual(BODY);
  });

  it('that is the global fetch decompresses itself; the maximum counts what it gives, while it comes', async () => {
    const listener = answering('gzip', gzipSync(TEXT));
    const { service } = await against(listener, { fetch: globalThis.fetch });
    expect((await service.send(READ_V4)).body).toEqual(BODY);
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024), { level: 1 });
    const flooded = await against(answering('gzip', bomb), { fetch: globalThis.fetch, http: { maxBodyMib: 0.5 } });
    expect((await errorOf(flooded.service.send(READ_V4))).what).toBe('the answer is larger than 0.5 MiB');
  });
});
