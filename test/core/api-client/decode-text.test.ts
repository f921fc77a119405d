/** The views of a text with its escapes removed, in which secrets are searched. */
import { describe, expect, it } from 'vitest';
import { decodings } from '../../../src/core/api-client/decode-text.ts';

/** What a text reads as, apart from itself. */
function readings(text: string): readonly string[] {
  const [itself, ...others] = Array.from(decodings(text), (view) => view.text);
  expect(itself).toBe(text);
  return others;
}

describe('an escape', () => {
  it.each([
    ['\\b', '\b'],
    ['\\f', '\f'],
    ['\\n', '\n'],
    ['\\r', '\r'],
    ['\\t', '\t'],
    ['\\"', '"'],
    ["\\'", "'"],
    ['\\\\', '\\'],
    ['\\/', '/'],
    ['\\u002f', '/'],
    ['\\u00E9', 'é'],
    ['\\x2F', '/'],
    ['\\u{f}', '\u000f'],
    ['\\u{2F}', '/'],
    ['\\u{1f600}', '😀'],
    ['\\u{10ffff}', '\u{10ffff}'],
    ['&amp;', '&'],
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&apos;', "'"],
    ['&#47;', '/'],
    ['&#0000047;', '/'],
    ['&#1114111;', '\u{10ffff}'],
    ['&#x2f;', '/'],
    ['&#X2F;', '/'],
    ['&#x10fFfF;', '\u{10ffff}'],
    ['%2f', '/'],
    ['%7E', '~'],
    ['%c3%a9', 'é'],
    ['%C3%A9', 'é'],
    ['%dF%bf', '\u07ff'],
    ['%D0%90', 'А'],
    ['%e6%97%a5', '日'],
    ['%E2%82%AC', '€'],
    ['%f0%9f%98%80', '😀'],
    ['%F4%8F%BF%BF', '\u{10ffff}'],
  ])('%j reads as %j, between other characters and at the ends', (escaped, character) => {
    expect(readings(escaped)).toEqual([character]);
    expect(readings(`ab${escaped}cd${escaped}`)).toEqual([`ab${character}cd${character}`]);
  });

  it.each([
    '\\a',
    '\\u12',
    '\\u{}',
    '\\u{zz}',
    '\\u{1234567}',
    '\\u{110000}',
    '\\xg0',
    '&nbsp;',
    '&amp',
    '&#;',
    '&#1114112;',
    '&#12345678;',
    '&#x110000;',
    '&#xg;',
    '%',
    '%2',
    '%g0',
    '100% wrong',
  ])('is not what %j looks like', (text) => {
    expect(readings(`ab${text}`)).toEqual([]);
  });

  it('that stands for no character is kept among others that do', () => {
    expect(readings('&lt;&#1114112;&gt;')).toEqual(['<&#1114112;>']);
  });
});

describe('layers of escapes', () => {
  /** Escapes a percent sign this many times. */
  const layered = (layers: number): string => `a%${'25'.repeat(layers - 1)}2Fb`;

  it('are removed one by one, up to three', () => {
    expect(readings(layered(1))).toEqual(['a/b']);
    expect(readings(layered(3))).toEqual(['a%252Fb', 'a%2Fb', 'a/b']);
    expect(readings(layered(4))).toEqual(['a%25252Fb', 'a%252Fb', 'a%2Fb']);
  });

  it('of several kinds are removed in every order', () => {
    const inAnyOrder = ['%26lt;&gt;', '&lt;\\u0026gt;', '%26lt;>', '&lt;&gt;', '<\\u0026gt;', '<&gt;', '&lt;>', '<>'];
    expect(new Set(readings('%26lt;\\u0026gt;'))).toEqual(new Set(inAnyOrder));
    expect(readings('&amp;#37;2F')).toEqual(['&#37;2F', '%2F', '/']);
  });
});

describe('the place of a character', () => {
  it('is where its escape begins in the original, through all layers, and that of the end is the end', () => {
    const text = 'a%2526b\\nc';
    const places = Array.from(decodings(text), (view) => [
      view.text,
      Array.from({ length: view.text.length + 1 }, (_, at) => view.offset(at)),
    ]);
    expect(places).toContainEqual([text, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
    expect(places).toContainEqual(['a%2526b\nc', [0, 1, 2, 3, 4, 5, 6, 7, 9, 10]]);
    expect(places).toContainEqual(['a&b\\nc', [0, 1, 6, 7, 8, 9, 10]]);
    expect(places).toContainEqual(['a&b\nc', [0, 1, 6, 7, 9, 10]]);
  });

  it('is found among many escapes', () => {
    const count = 100;
    const [, view] = decodings('x%2F'.repeat(count));
    expect(view?.text).toBe('x/'.repeat(count));
    expect(Array.from({ length: 2 * count + 1 }, (_, at) => view?.offset(at))).toEqual(
      Array.from({ length: 2 * count + 1 }, (_, at) => Math.floor(at / 2) * 4 + (at % 2)),
    );
  });
});
