import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/core/api-client/redact.ts';
import { REQUEST_ID_HEADERS, requestIdIn } from '../../../src/core/api-client/request-id.ts';

const KEY = 'CanaryKeyForTests8mJq2Xv7Rk';

function idIn(headers: { readonly [name: string]: string }): string | null {
  return requestIdIn({ header: (name) => headers[name] }, createRedactor([KEY]));
}

describe('the request ID of a response', () => {
  test.each(REQUEST_ID_HEADERS)('is found in %s', (name) => {
    expect(idIn({ [name]: 'Root=1-67891233-abcdef012345678912345678' })).toBe('Root=1-67891233-abcdef012345678912345678');
  });

  test('is the one of the service where a gateway adds its own', () => {
    expect(idIn({ 'cf-ray': 'ray', 'x-request-id': ' own ' })).toBe('own');
  });

  test.each([
    ['missing', {}],
    ['empty', { 'x-request-id': ' ' }],
    ['long', { 'x-request-id': 'a'.repeat(129) }],
    ['very long', { 'x-request-id': 'a'.repeat(10_000) }],
    ['a text of several words', { 'x-request-id': 'id sig=1' }],
    ['a control sequence', { 'x-request-id': '\u001b[31m' }],
    ['a secret', { 'x-request-id': KEY }],
    ['a part of a secret', { 'x-request-id': `id-${KEY.slice(0, 14)}` }],
  ])('is none where the header is %s', (_name, headers) => {
    expect(idIn(headers)).toBeNull();
  });

  test('may have 128 characters', () => {
    expect(idIn({ 'x-request-id': 'a'.repeat(128) })).toBe('a'.repeat(128));
  });

  test('is that of the next header where the first one cannot be used', () => {
    expect(idIn({ 'x-request-id': 'a b', 'x-amzn-requestid': 'c' })).toBe('c');
  });
});
