import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, linesOf } from '../../../../src/core/config/yaml/text.ts';
import { assertProperty } from '../../../support/property.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('decodeText', () => {
  test('removes a byte order mark, and keeps tabs and line ends', () => {
    expect(decodeText(bytes('\ufeffa\tb\r\nc'))).toEqual({ text: 'a\tb\r\nc' });
  });

  test('returns the line of a binary character', () => {
    expect(decodeText(bytes('a\nb\u0000'))).toEqual({ error: { reason: 'it holds the binary character U+0000', line: 2 } });
    expect(decodeText(bytes('\u009b'))).toEqual({ error: { reason: 'it holds the binary character U+009B', line: 1 } });
  });

  test('rejects bytes that are not UTF-8', () => {
    expect(decodeText(new Uint8Array([0x61, 0xff]))).toEqual({ error: { reason: 'it is not valid UTF-8', line: 1 } });
    expect(decodeText(new Uint8Array([0x0a, 0x61, 0x0a, 0xff, 0x0a, 0xff]))).toHaveProperty('error.line', 3);
    expect(decodeText(new Uint8Array([0x0a, 0xff, 0x0a, 0x61]))).toHaveProperty('error.line', 2);
    expect(decodeText(new Uint8Array([0xed, 0xa0, 0x80]))).toHaveProperty('error');
  });
});

test('UTF-16 is named as such, whatever its order of bytes, and a byte order mark alone is enough', () => {
  const little = Buffer.from('version: 1', 'utf16le');
  const texts = [little, Buffer.from(little).swap16(), Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xfe, 0xff, 0, 0x61)];
  for (const text of texts) expect(decodeText(text)).toEqual({ error: { reason: 'it is UTF-16, not UTF-8', line: 1 } });
  for (const text of [Uint8Array.of(), Uint8Array.of(0x61), bytes('a: 1'), bytes('\u00ff\u00fea')])
    expect(decodeText(text)).toHaveProperty('text');
});

describe('linesOf', () => {
  test('counts lines and columns from 1, and returns lines without their ends', () => {
    const lines = linesOf('ab\r\ncd\n\nx');
    expect([0, 1, 4, 5, 7, 8].map((offset) => lines.at(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 2, column: 2 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ]);
    expect([0, 1, 2, 3, 4, 5].map((number) => lines.line(number))).toEqual(['', 'ab', 'cd', '', 'x', '']);
  });

  test('agrees with splitting the text', () => {
    assertProperty(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', 'é') }), fc.nat(), (text, seed) => {
        const offset = text.length === 0 ? 0 : seed % (text.length + 1);
        const before = text.slice(0, offset).split('\n');
        expect(linesOf(text).at(offset)).toEqual({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
      }),
    );
  });
});
