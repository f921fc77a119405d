import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunks, clip, columns, cut, excerptAround, indent, pad, wrap } from '../../../src/report/text/layout.ts';
import { assertProperty } from '../../support/property.ts';

const graphemes = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('columns', () => {
  it('counts two columns for ideographs and emoji, also in pad', () => {
    expect([columns('abc'), columns('漢字'), columns('é😀')]).toEqual([3, 4, 3]);
    expect([columns('ｱｲ'), columns('ｶﾞ'), columns('한글'), columns('㈱'), columns('＄')]).toEqual([2, 2, 4, 2, 2]);
    expect(pad('漢', 4)).toBe('漢  ');
    expect(pad('long', 2)).toBe('long');
  });
});

describe('a combining mark', () => {
  it('takes no column and stays with its base character', () => {
    expect([columns('e\u0301'), columns('นี้'), columns('a\u20dd')]).toEqual([1, 1, 1]);
    expect(chunks('e\u0301'.repeat(3), 2)).toEqual(['e\u0301e\u0301', 'e\u0301']);
  });
});

describe('clip', () => {
  it('returns the longest beginning that fits and splits no escape', () => {
    expect([clip('abcdef', 4), clip('abc', 4), clip('漢字漢', 5)]).toEqual(['abcd', 'abc', '漢字']);
    expect(clip('ab\\u{202e}c', 8)).toBe('ab');
    assertProperty(
      fc.property(graphemes, fc.integer({ min: 2, max: 80 }), (text, width) => {
        const short = clip(text, width);
        expect(text.startsWith(short)).toBe(true);
        expect(columns(short)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('cut', () => {
  it('says how many characters are omitted', () => {
    expect(cut('abcdefghijklmnopqrstuvwxyz', 20)).toBe('abcdefghi… (17 more)');
    expect(cut('abc', 3)).toBe('abc');
  });

  it('splits no escape', () => {
    expect(cut(`1234567\\u{1b}${'x'.repeat(20)}`, 20)).toBe('1234567… (26 more)');
  });

  it('returns a beginning of the text that fits, with the number of omitted characters', () => {
    assertProperty(
      fc.property(graphemes, fc.integer({ min: 20, max: 80 }), (text, width) => {
        const short = cut(text, width);
        expect(columns(short)).toBeLessThanOrEqual(width);
        if (short === text) return;
        const [, start = '', omitted] = /^(.*)… \((\d+) more\)$/s.exec(short) ?? [];
        expect(text.startsWith(start)).toBe(true);
        expect([...start].length + Number(omitted)).toBe([...text].length);
      }),
    );
  });
});

describe('excerptAround', () => {
  it('returns the part around an index, with the new column of the index', () => {
    expect(excerptAround('short', 2, 40)).toEqual({ text: 'short', column: 2 });
    const far = excerptAround(`${'x'.repeat(100)}HERE${'y'.repeat(100)}`, 100, 60);
    expect(far.text.slice(far.column, far.column + 4)).toBe('HERE');
    expect(far.text).toMatch(/^\(90 more\) …x{10}HEREy+… \(\d+ more\)$/);
    expect(columns(far.text)).toBeLessThanOrEqual(60);
  });

  it('starts with a whole character', () => {
    expect(excerptAround(`${'x'.repeat(59)}${'😀'.repeat(40)}`, 70, 60).text).toMatch(/^\(60 more\) …😀/u);
  });
});

describe('wrap', () => {
  it('keeps all words, and the width unless a word is longer', () => {
    assertProperty(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 30 })), fc.integer({ min: 10, max: 60 }), (words, width) => {
        const text = words.join(' ');
        const lines = wrap(text, width);
        expect(lines.join(' ')).toBe(text);
        for (const line of lines)
          if (
            line
              .replace(/`[^`]*`/g, '')
              .trim()
              .includes(' ')
          )
            expect(columns(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrap, of text in backticks', () => {
  it('keeps it on one line, so that it can be copied', () => {
    expect(wrap('run `upkeep apply --target production`, then look', 24)).toEqual([
      'run',
      '`upkeep apply --target production`,',
      'then look',
    ]);
  });
});

describe('chunks', () => {
  it('breaks lines when they are full and loses nothing', () => {
    expect(chunks('abcdefg', 3)).toEqual(['abc', 'def', 'g']);
    expect(chunks('', 3)).toEqual([]);
    assertProperty(
      fc.property(graphemes, fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = chunks(text, width);
        expect(lines.join('')).toBe(text);
        for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

it('indent leaves empty lines empty', () => {
  expect(indent(['a', '', 'b'], 2)).toEqual(['  a', '', '  b']);
});
