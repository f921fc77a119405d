/** Compressed responses, correct and broken, as a client without upkeep's transport sees them. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptedEncoding } from '../../src/emulator/compress.ts';
import type { Emulator, FaultRule } from '../../src/emulator/server.ts';
import { sign, start } from './independent-client.ts';

/** One response as it arrived: the bytes are not decompressed. */
interface Received {
  readonly encoding: string | undefined;
  readonly bytes: Buffer;
}

function read(emulator: Emulator, acceptEncoding: string): Promise<Received> {
  const url = `${emulator.url}/api/v3/drm/policies?${new URLSearchParams({ ...sign() })}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { 'accept-encoding': acceptEncoding } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) });
    });
    sent.on('error', reject).end();
  });
}

const isWhole = (bytes: Buffer): boolean => JSON.parse(bytes.toString()).error === 0;

describe('the quirk `compression`', () => {
  test('compresses nothing by default', async () => {
    const { encoding, bytes } = await read(await start(), 'gzip, br');
    expect([encoding, isWhole(bytes)]).toEqual([undefined, true]);
  });

  test('`accepted` compresses as the request accepts, and not at all where it accepts nothing', async () => {
    const emulator = await start({ quirks: { compression: 'accepted' } });
    const gzip = await read(emulator, 'gzip');
    expect([gzip.encoding, isWhole(gunzipSync(gzip.bytes))]).toEqual(['gzip', true]);
    const brotli = await read(emulator, 'gzip, br');
    expect([brotli.encoding, isWhole(brotliDecompressSync(brotli.bytes))]).toEqual(['br', true]);
    const plain = await read(emulator, 'identity');
    expect([plain.encoding, isWhole(plain.bytes)]).toEqual([undefined, true]);
  });

  test('`always` compresses what asks for no compression', async () => {
    const { encoding, bytes } = await read(await start({ quirks: { compression: 'always' } }), 'identity');
    expect([encoding, isWhole(gunzipSync(bytes))]).toEqual(['gzip', true]);
  });

  test.each([
    ['gzip;q=0, br;q=0.0', undefined],
    ['GZIP;q=0.5', 'gzip'],
    ['deflate, br', 'br'],
    ['', undefined],
  ])('understands `%s`', (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding));
});

describe('a fault rule with `compress` or `bomb`', () => {
  const under = async (rule: FaultRule): Promise<Received> => read(await start({ faults: [rule] }), 'identity');

  test.each([
    ['truncated', 'gzip'],
    ['corrupt', 'gzip'],
    ['announced', 'gzip'],
  ] as const)('%s: the response says that it is %s, and cannot be decompressed', async (compress, expected) => {
    const { encoding, bytes } = await under({ compress });
    expect(encoding).toBe(expected);
    expect(() => gunzipSync(bytes)).toThrow(/incorrect|invalid|unexpected/);
  });

  test('sends what is compressed twice, in an unknown encoding, or without the header', async () => {
    const twice = await under({ compress: 'twice' });
    expect([twice.encoding, isWhole(gunzipSync(gunzipSync(twice.bytes)))]).toEqual(['gzip, gzip', true]);
    expect((await under({ compress: 'unknown' })).encoding).toBe('x-unknown');
    const unannounced = await under({ compress: 'unannounced' });
    expect([unannounced.encoding, isWhole(gunzipSync(unannounced.bytes))]).toEqual([undefined, true]);
  });

  test('sends a small bomb that is JSON of the size asked for', async () => {
    const { bytes } = await under({ bomb: 3 });
    expect(bytes.length).toBeLessThan(16 * 1024);
    const text = gunzipSync(bytes);
    expect(text.length).toBeGreaterThanOrEqual(3 * 1024 * 1024);
    expect(isWhole(text)).toBe(true);
  });
});
