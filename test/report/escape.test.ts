import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeSpan, fence, finish, html, markdownSentence, visibleJson } from '../../src/report/escape.ts';
import { assertProperty } from '../support/property.ts';
import { hostileText } from './hostile.ts';

describe('visibleJson', () => {
  it('returns JSON of an equal value', () => {
    assertProperty(
      fc.property(fc.dictionary(hostileText, hostileText), (value) => {
        expect(JSON.parse(visibleJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(JSON.parse(visibleJson(value, 2))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('escapes hidden characters as JSON does, astral ones as two units', () => {
    expect(visibleJson('\u202e\u{e0041}##[x]')).toBe('"\\u202e\\udb40\\udc41\\u0023#[x]"');
  });
});

describe('finish', () => {
  it('escapes workflow commands, also after white space and colors', () => {
    expect(finish(['::error::x', '  ::debug::y', '\u001b[31m::z', 'a ::b'])).toBe(
      '\\u{3a}:error::x\n  \\u{3a}:debug::y\n\u001b[31m\\u{3a}:z\na ::b\n',
    );
    expect(finish(['## a title [x]'])).toBe('## a title [x]\n');
  });

  it('escapes workflow commands with colors between their colons', () => {
    for (const colors of ['\u001b[m', '\u001b[31m', '\u001b[1;31m', '\u001b[1m\u001b[0m']) {
      expect(finish([`:${colors}:error::x`])).toBe(`\\u{3a}${colors}:error::x\n`);
    }
    expect(finish([':a', 'x: y'])).toBe(':a\nx: y\n');
  });
});

describe('codeSpan', () => {
  it('encloses a text in more backticks than it contains', () => {
    expect(codeSpan('a`b``c')).toBe('```a`b``c```');
    expect(codeSpan('`a')).toBe('`` `a ``');
    expect(fence('````', 3)).toBe('`````');
  });

  it('escapes pipes and shows an empty text', () => {
    expect(codeSpan('a|b')).toBe('`a\\u{7c}b`');
    expect(codeSpan('')).toBe('`""`');
    expect(codeSpan(' a ')).toBe('`  a  `');
    expect(codeSpan('   ')).toBe('`""`');
  });

  it('pads a text only where Markdown would take something from its ends', () => {
    expect(codeSpan(' a b')).toBe('` a b`');
    expect(codeSpan('a b ')).toBe('`a b `');
    expect(codeSpan(' a b ')).toBe('`  a b  `');
    expect(codeSpan('a `b` c')).toBe('``a `b` c``');
    expect(codeSpan('a`')).toBe('`` a` ``');
  });
});

describe('markdownSentence', () => {
  it('keeps plain words and makes code of everything else', () => {
    expect(markdownSentence('6 deletes of playlist, over 30 % (the limit).')).toBe('6 deletes of playlist, over 30 % (the limit).');
    expect(markdownSentence('ask @admin at https://evil.example/x, please')).toBe('ask `@admin` at `https://evil.example/x`, please');
    expect(markdownSentence('use --allow deletes=6 <b>now</b>, and go')).toBe('use `--allow deletes=6 <b>now</b>`, and go');
  });

  it('keeps text in backticks as code', () => {
    for (const sentence of ['', '`a b`', '`a b` then', 'set `a b`, then', 'set (`ownership: shared`), then', 'in ("`a b`").']) {
      expect(markdownSentence(sentence)).toBe(sentence);
    }
  });

  it('makes code of a word with backticks in it', () => {
    expect(markdownSentence('an x`a` here')).toBe('an `` x`a` `` here');
    expect(markdownSentence('an `a`x here')).toBe('an `` `a`x `` here');
  });

  it('keeps words with apostrophes, hyphens and accents, and small numbers', () => {
    const plain = "don't be-a mother-in-law, e\u0301te\u0301-e\u0301te\u0301 of 7 or 12.5 or 12.345% or 123456!";
    expect(markdownSentence(plain)).toBe(plain);
    expect(markdownSentence("x' 1234567 1.2345 1.a a-1 -a")).toBe("`x' 1234567 1.2345 1.a a-1 -a`");
  });

  it('makes code of what looks like a commit hash', () => {
    expect(markdownSentence('see deadbeef and 1234567 and 12.')).toBe('see `deadbeef` and `1234567` and 12.');
    expect(markdownSentence('(defaced) or DEADBEEF\u2c00, but facades')).toBe('(`defaced`) or `DEADBEEF\u2c00`, but facades');
    expect(markdownSentence('an x-deadbeef')).toBe('an `x-deadbeef`');
  });

  it('marks whole identifiers only, without the punctuation around them', () => {
    const rendered = [
      ['the API (drm-api-v3 2.3).', 'the API (drm-api-v3 2.3).'],
      ['who edit this guard.; it weakens', 'who edit this guard.; it weakens'],
      ['HDCP 1.x on UHD1, L3', 'HDCP 1.x on UHD1, L3'],
      ['under drm-policy/a, drm-policy/b, default policy', 'under `drm-policy/a`, `drm-policy/b`, default policy'],
      ['/a/b 5 -> 3', '`/a/b` 5 → 3'],
      ['/hdcp "HDCP_V2_2" -> "HDCP_V2_1".', '`/hdcp` `"HDCP_V2_2"` → `"HDCP_V2_1"`.'],
      ['call f(x), then g("y_z").', 'call `f(x)`, then `g("y_z")`.'],
      ['"a_b c_d"', '"`a_b c_d`"'],
      [':: "( ...', '`:: "( ...`'],
    ] as const;
    for (const [text, markdown] of rendered) expect(markdownSentence(text)).toBe(markdown);
  });

  it('makes code of invisible letters', () => {
    expect(markdownSentence('a\u3164b c\ufe0f')).toBe('`a\\u{3164}b c\\u{fe0f}`');
  });
});

describe('html', () => {
  it('isolates adjacent words of a right-to-left script together, whatever the spaces between them', () => {
    expect(html('a \u05e9\u05dc  \u05e2\u05dc \u05dd b')).toBe('a <bdi>\u05e9\u05dc  \u05e2\u05dc \u05dd</bdi> b');
    expect(html('<\u05e9>')).toBe('&lt;<bdi>\u05e9</bdi>&gt;');
  });
});
