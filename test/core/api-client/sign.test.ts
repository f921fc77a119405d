import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sign, signatureOf } from '../../../src/core/api-client/sign.ts';
import { rounds } from '../../support/figures.ts';
import { assertProperty } from '../../support/property.ts';
import { API_KEY, decodeMessage, OWNER, START } from './harness.ts';
import vectors from './signature-vectors.json' with { type: 'json' };

const credentials = { owner: OWNER, apiKey: API_KEY };

describe('the published signature vectors', () => {
  it.each(vectors)('$name: signatureOf returns the sig of the given msg', ({ msg, api_key, sig }) => {
    expect(signatureOf(msg, api_key)).toBe(sig);
  });

  it.each(vectors)('$name: sign encodes the same JSON in msg', ({ msg, owner, api_key, timestamp, json }) => {
    const meant: unknown = JSON.parse(json);
    const item: unknown = typeof meant === 'object' && meant !== null ? Reflect.get(meant, 'item') : undefined;
    const ours = sign({ owner, apiKey: api_key }, timestamp * 1000 + 999, { item });
    expect(decodeMessage(msg)).toEqual(meant);
    expect(decodeMessage(ours.msg)).toEqual(meant);
    expect(ours.sig).toBe(signatureOf(ours.msg, api_key));
  });
});

describe('sign', () => {
  it('returns the base64 of a zlib stream at the best level, and 64 lower-case hexadecimal digits', () => {
    const { msg, sig } = sign(credentials, START);
    expect(msg).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect([...Buffer.from(msg, 'base64').subarray(0, 2)]).toEqual([0x78, 0xda]);
    expect(sig).toMatch(/^[0-9a-f]{64}$/);
  });

  it('rounds the time down to whole seconds', () => {
    expect(decodeMessage(sign(credentials, 1_700_000_000_999).msg)).toEqual({ _owner: OWNER, _timestamp: 1_700_000_000 });
  });

  it('never repeats a msg: thousands in one second are distinct and contain the same JSON', () => {
    const count = rounds(2_000, 10_000);
    const texts = Array.from({ length: count }, (_, index) => sign(credentials, START + (index % 1000)).msg);
    expect(new Set(texts).size).toBe(count);
    const meanings = new Set(texts.map((msg) => JSON.stringify(decodeMessage(msg))));
    expect([...meanings]).toEqual([JSON.stringify({ _owner: OWNER, _timestamp: START / 1000 })]);
  });

  it('encodes 64 random bits as 32 white space characters, each of which is any of four', () => {
    const blanks = Array.from({ length: 400 }, () => {
      const text = inflateSync(Buffer.from(sign(credentials, START).msg, 'base64')).toString('utf8');
      return /^\{([ \t\n\r]{32})"/.exec(text)?.[1] ?? '';
    });
    const kinds = Array.from({ length: 32 }, (_, place) => new Set(blanks.map((text) => text[place])).size);
    expect(kinds).toEqual(new Array(32).fill(4));
  });

  it('signs members beside owner and time, and never instead of them', () => {
    const told = decodeMessage(sign(credentials, START, { ids: ['a'], _owner: 'mallory', _timestamp: 0 }).msg);
    expect(told).toEqual({ ids: ['a'], _owner: OWNER, _timestamp: START / 1000 });
  });

  it('signs any item unchanged', () => {
    assertProperty(
      fc.property(fc.jsonValue(), (item) => {
        const meant: unknown = JSON.parse(JSON.stringify({ _owner: OWNER, _timestamp: 0, item }));
        expect(decodeMessage(sign(credentials, 0, { item }).msg)).toEqual(meant);
      }),
    );
  });
});
