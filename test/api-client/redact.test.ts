import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, quoteForeignText } from '../../src/api-client/redact.ts';
import { sign } from '../../src/api-client/sign.ts';
import { assertProperty } from '../support/property.ts';
import { API_KEY, OWNER, START } from './harness.ts';

const { msg, sig } = sign({ owner: OWNER, apiKey: API_KEY }, START, { text: 'x'.repeat(40) });
const hide = createRedactor([API_KEY, msg, sig]);
const encodings: ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  (text) => text.replaceAll('+', ' '),
];

describe('createRedactor', () => {
  it('does not change a text without a secret', () => {
    const text = 'Unknown policy "premium-2024-evening-block": 100% wrong, see https://example.com/help?page=1';
    expect(hide(text)).toBe(text);
  });

  it.each([API_KEY, msg, sig])('redacts a whole secret, in every encoding and between any other text', (secret) => {
    for (const encode of encodings) {
      const shown = hide(`bad request /x?msg=${encode(secret)}&sig=${encode(secret)}, sorry`);
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(encode(secret));
      expect(shown).toContain('[hidden]');
      expect(shown).toContain('sorry');
    }
  });

  it('redacts every fragment of 12 or more characters', () => {
    const fragment = fc
      .tuple(fc.constantFrom(msg, sig), fc.nat(), fc.integer({ min: 12, max: 60 }))
      .map(([secret, at, length]) => secret.slice(at % (secret.length - length), (at % (secret.length - length)) + length))
      .filter((part) => /^[A-Za-z0-9+/]{12,}$/.test(part));
    assertProperty(
      fc.property(fragment, (part) => {
        expect(hide(`cut off: "${part}"`)).toBe('cut off: "[hidden]"');
      }),
    );
  });

  it('redacts 12 characters at any place in a secret and in a word, and keeps 11', () => {
    const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const of = createRedactor([secret]);
    for (let before = 0; before <= 30; before += 1) {
      for (let at = 0; at <= secret.length - 12; at += 1) {
        expect(of(`${'q'.repeat(before)}${secret.slice(at, at + 12)}`)).toBe('[hidden]');
        const short = `${'q'.repeat(before)}${secret.slice(at, at + 11)}q`;
        expect(of(short)).toBe(short);
      }
    }
  });

  it('finds a secret in which every second character is percent-encoded', () => {
    const dense = 'a+b/c=d+e/f=g+h/';
    expect(createRedactor([dense])(`key ${encodeURIComponent(dense)}`)).toBe('key [hidden]');
    expect(createRedactor([dense])(`key ${encodeURIComponent(dense.slice(2))}`)).toBe('key [hidden]');
  });

  it('ignores an empty secret', () => {
    expect(createRedactor([''])('text')).toBe('text');
  });

  it('redacts a deeply encoded text in short time', () => {
    expect(hide(`%${'25'.repeat(9_000)}`)).toContain('%');
  });
});

describe('quoteForeignText', () => {
  it('returns one line of at most 500 characters without control characters, direction marks and half surrogate pairs', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const shown = quoteForeignText(text, hide);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('contains no secret, and only the beginning of a very long text', () => {
    expect(quoteForeignText(`no ${API_KEY}`, hide)).toBe('no [hidden]');
    expect(Array.from(quoteForeignText('word '.repeat(1_000_000), hide))).toHaveLength(500);
  });

  it('shows escaped characters', () => {
    expect(quoteForeignText('  red \u001b[31m\u202eevil\nline\ud800 ', hide)).toBe('red \\u{1b}[31m\\u{202e}evil\\nline\\u{d800}');
  });

  it('marks where it truncates, and never inside a character', () => {
    expect(quoteForeignText('😀'.repeat(500), hide)).toBe('😀'.repeat(500));
    expect(quoteForeignText('😀'.repeat(501), hide)).toBe(`${'😀'.repeat(499)}…`);
  });
});
