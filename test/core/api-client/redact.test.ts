import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, quoteForeignText } from '../../../src/core/api-client/redact.ts';
import { sign } from '../../../src/core/api-client/sign.ts';
import { rounds } from '../../support/figures.ts';
import { atMost } from '../../support/patience.ts';
import { anyText, assertProperty } from '../../support/property.ts';
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

  it('redacts every large part of a signature', () => {
    const fragment = fc
      .tuple(fc.constantFrom(msg, sig), fc.nat(), fc.nat())
      .map(([secret, from, more]) => {
        const spare = secret.length - largePartOf(secret);
        const at = from % spare;
        return secret.slice(at, at + largePartOf(secret) + (more % (spare - at)));
      })
      .filter((part) => /^[A-Za-z0-9+/]+$/.test(part));
    assertProperty(
      fc.property(fragment, (part) => {
        expect(hide(`cut off: "${part}"`)).toBe('cut off: "[hidden]"');
      }),
    );
  });

  it('redacts half of the characters at any place in a secret and in a word, and keeps one less', () => {
    const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const of = createRedactor([secret]);
    for (let before = 0; before <= 30; before += 1) {
      for (let at = 0; at <= secret.length - 13; at += 1) {
        expect(of(`${'q'.repeat(before)}${secret.slice(at, at + 13)}`)).toBe('[hidden]');
        const short = `${'q'.repeat(before)}${secret.slice(at, at + 12)}q`;
        expect(of(short)).toBe(short);
      }
    }
  });

  it('finds a secret in which every second character is percent-encoded', () => {
    const dense = 'a+b/c=d+e/f=g+h/';
    expect(createRedactor([dense])(`key ${encodeURIComponent(dense)}`)).toBe('key [hidden]');
    expect(createRedactor([dense])(`key ${encodeURIComponent(dense.slice(2))}`)).toBe('key [hidden]');
  });

  it('leaves no part of a secret that begins with another one', () => {
    expect(createRedactor(['abc', 'abcdef', 'ab'])('x abcdef y abcd z')).toBe('x [hidden] y [hidden]d z');
  });

  it.each([
    ['as a form writes it', 'abcdef+ghijk', 'abcdef ghijk'],
    ['in base64url, with a dash', 'abcdef+ghijk', 'abcdef-ghijk'],
    ['in base64url, with an underscore', 'abcdef/ghijk', 'abcdef_ghijk'],
    ['in base64, with a plus', 'abcdef-ghijk', 'abcdef+ghijk'],
    ['in base64, with a slash', 'abcdef_ghijk', 'abcdef/ghijk'],
    ['with a plus for a space', 'abcdef ghijk', 'abcdef+ghijk'],
  ])('finds a secret %s: %j as %j', (_name, secret, written) => {
    expect(createRedactor([secret])(`key ${written}, sorry`)).toBe('key [hidden], sorry');
  });

  it('finds the bytes of a secret in the middle of base64, and not what only its neighbors decide', () => {
    const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const of = createRedactor([secret]);
    for (const [before, first] of [0, 2, 3].entries()) {
      const written = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
      const end = Math.floor(((before + secret.length) * 8) / 6);
      for (const whole of [written.slice(first, first + 16), written.slice(end - 16, end)]) expect(of(`<${whole}>`)).toBe('<[hidden]>');
      for (const short of [written.slice(first - 1, first + 15), written.slice(end - 15, end + 1)].filter((text) => text.length <= 16)) {
        expect(of(`<${short}>`)).toBe(`<${short}>`);
      }
    }
  });

  it('keeps the space after a fragment, which is no plus of the secret', () => {
    const of = createRedactor(['abcdefghijk+lmnopqrstuv']);
    expect(of('no abcdefghijk here')).toBe('no [hidden] here');
    expect(of('no abcdefghijk   here')).toBe('no [hidden]   here');
    expect(of('no lmnopqrstuv here')).toBe('no [hidden] here');
  });

  it('hides fragments of several secrets in the order of the text, and keeps what is between them', () => {
    const of = createRedactor(['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz']);
    expect(of('no BCDEFGHIJKLMN, nor nopqrstuvwxyz, nor CDEFGHIJKLMNO')).toBe('no [hidden], nor [hidden], nor [hidden]');
    // The first one is only found without its escape, when the second one is found already.
    expect(of('no ABCDEF\\u0047HIJKLM, nor nopqrstuvwxyz')).toBe('no [hidden], nor [hidden]');
  });

  it('hides fragments that adjoin as one', () => {
    const [one, other] = ['!$()*,:;<>?@', '@?><;:,*)($!'];
    expect(createRedactor([`${one}A`, `${other}A`])(`no ${one}${other} here`)).toBe('no [hidden] here');
  });

  it('ignores an empty secret', () => {
    expect(createRedactor([''])('text')).toBe('text');
  });

  it('redacts a deeply encoded text in short time', () => {
    expect(hide(`%${'25'.repeat(9_000)}`)).toContain('%');
  });
});

/** Writes each character on its own. */
const each = (write: (character: string, code: number) => string) => (text: string) =>
  [...text].map((character) => write(character, character.codePointAt(0) ?? 0)).join('');
const hexOf = (code: number, length: number) => code.toString(16).padStart(length, '0');
const bytesAsPercent = each((character) => Buffer.from(character).toString('hex').replace(/../g, '%$&'));
const named: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The ways in which a text is written into a URL, JSON, HTML or YAML. */
const ESCAPED: { readonly [name: string]: (text: string) => string } = {
  'for a URL': encodeURIComponent,
  'for a URL, in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'for a URL, every character': bytesAsPercent,
  'for a URL, only what is no letter': (text) => text.replace(/[^A-Za-z0-9]/g, bytesAsPercent),
  'for JSON': (text) => JSON.stringify(text).slice(1, -1),
  'for JSON, with slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'for JSON, every character': each((_character, code) => `\\u${hexOf(code, 4)}`),
  'for YAML, every second character': each((character, code) => (code % 2 === 0 && code < 256 ? `\\x${hexOf(code, 2)}` : character)),
  'for HTML': each((character) => named[character] ?? character),
  'for HTML, every character': each((_character, code) => `&#${code};`),
  'for HTML, every character in hexadecimal': each((_character, code) => `&#x${hexOf(code, 2)};`),
};

/** The ways in which a text is written in other characters, cut out of a longer text or not. */
const ENCODED: { readonly [name: string]: (text: string) => string } = {
  raw: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal, in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

const lettersOf = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), minLength: 16, maxLength: 64 });
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Keys of every form that an account may hand out, and odder ones. */
const anyKey = fc.oneof(
  fc.uuid(),
  fc.uuid().map((key) => key.toUpperCase()),
  lettersOf('0123456789abcdef'),
  lettersOf(`${ALPHANUMERIC}+/`).map((key) => `${key}==`),
  lettersOf(`${ALPHANUMERIC}-_`),
  lettersOf(`${ALPHANUMERIC}-_.~`),
  lettersOf(ALPHANUMERIC).map(bytesAsPercent),
  fc.constantFrom(
    'p%41ss..-..&amp;\\u0041/"',
    'AbC-dEf_..==gHi%3D',
    'Key/With+Odd="quotes"\\and=Slashes',
    'a\\\\b\\\\c\\\\d\\\\e\\\\f\\\\g',
  ),
  fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)), minLength: 16, maxLength: 64 }),
  fc.array(lettersOf(ALPHANUMERIC), { minLength: 2, maxLength: 4 }).map((words) => words.join(' ')),
  lettersOf('abcdeäöüß日本語кл'),
);

/** How many characters are a large part of a secret: half, or three quarters of a long one, and at least 12. */
function largePartOf({ length }: string): number {
  return Math.max(12, Math.ceil(length * (length > 128 ? 0.75 : 0.5)));
}

/** A large part of a key; a space at its ends is not of it. */
const cutKey = fc
  .tuple(anyKey, fc.nat(), fc.nat())
  .map(([key, from, more]) => {
    const part = largePartOf(key);
    const at = from % (key.length - part + 1);
    return { key, cut: key.slice(at, at + part + (more % (key.length - at - part + 1))) };
  })
  .filter(({ cut }) => cut.trim() === cut);

describe('a key of any form', () => {
  const surroundings = fc.tuple(
    fc.constantFrom('', 'key ', '{"at":"', '<b>', 'x=1&y='),
    fc.constantFrom('', '"}', '</b>', ', sorry', '&z=1'),
  );
  const writing = fc.tuple(
    fc.constantFrom(...Object.keys(ENCODED)),
    fc.array(fc.constantFrom(...Object.keys(ESCAPED)), { maxLength: 3 }).filter((names) => !repeatsLongOnes(names)),
  );
  /** Some ways make a text six times as long; two of them suffice. */
  function repeatsLongOnes(names: readonly string[]): boolean {
    return names.filter((name) => name.includes('every character')).length > 1;
  }

  it('is hidden wherever a large part of it is, in every encoding and in up to three layers of escapes', {
    timeout: atMost(rounds(30_000, 120_000)),
  }, () => {
    assertProperty(
      fc.property(cutKey, writing, surroundings, ({ key, cut }, [encoding, escapes], [before, after]) => {
        const encoded = ENCODED[encoding]?.(cut) ?? '';
        const written = escapes.reduce((text, name) => ESCAPED[name]?.(text) ?? '', encoded);
        const shown = createRedactor([key])(`${before}${written}${after}`);
        const rest = shown.split('[hidden]');
        expect(rest).toHaveLength(2);
        // What is left is no more than the surroundings, of which a word next to the key is hidden with it, and a backslash that escaped.
        expect(before.startsWith(rest[0]?.replace(/[\\ ]+$/, '') ?? '?')).toBe(true);
        expect(after.endsWith(rest[1]?.trimStart() ?? '?')).toBe(true);
      }),
      { numRuns: rounds(1_000, 20_000) },
    );
  });

  it('tells nobody who does not know half of it what its characters are, in any encoding', () => {
    const key = '4c1b5e0a-77d2-4f0e-9c3b-8a6f12d3e4b5';
    const hidden = createRedactor([key]);
    for (let length = 1; length < 17; length++) {
      for (let at = 0; at <= key.length - length; at++) {
        const guess = key.slice(at, at + length);
        for (const encode of Object.values(ENCODED)) expect(hidden(encode(guess))).toBe(encode(guess));
      }
    }
  });

  it('does not hide a text of which it shares fewer than 12 characters', () => {
    assertProperty(
      fc.property(anyKey, fc.nat(), fc.string({ maxLength: 60 }), (key, from, text) => {
        const at = from % (key.length - 8);
        const harmless = `<${key.slice(at, at + 8)}> {${text}}`;
        fc.pre(!harmless.includes(key));
        expect(createRedactor([key])(harmless)).toBe(harmless);
      }),
    );
  });

  it('is found in a large text in linear time, and everything else of the text is kept', () => {
    const key = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
    const line = 'evening-block-2024 %20 &amp; \\n "5ac22c5a-ec47-4d9f-8f2f-41dbd0f0a1b2" ';
    const text = line.repeat(5_000);
    expect(createRedactor([key])(text)).toBe(text);
    expect(createRedactor([key])(`${text}${key.slice(0, 35)} ${text}`)).toBe(`${text}[hidden] ${text}`);
  });
});

describe('quoteForeignText', () => {
  it('returns one line of at most 500 characters without control characters, direction marks and half surrogate pairs', () => {
    assertProperty(
      fc.property(anyText({ maxLength: 2000 }), (text) => {
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

  it('searches only the first 20,000 characters, and shows no others', () => {
    const searched: string[] = [];
    const shown = quoteForeignText(`${' '.repeat(19_999)}ab`, (text) => {
      searched.push(text);
      return text;
    });
    expect(searched.map((text) => text.length)).toEqual([20_000]);
    expect(shown).toBe('a');
  });

  it('shows escaped characters', () => {
    expect(quoteForeignText('  red \u001b[31m\u202eevil\nline\ud800 ', hide)).toBe('red \\u{1b}[31m\\u{202e}evil\\nline\\u{d800}');
  });

  it('marks where it truncates, and never inside a character', () => {
    expect(quoteForeignText('😀'.repeat(500), hide)).toBe('😀'.repeat(500));
    expect(quoteForeignText('😀'.repeat(501), hide)).toBe(`${'😀'.repeat(499)}…`);
  });
});
