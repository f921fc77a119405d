import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncate, visible } from '../../../src/core/model/visible-text.ts';
import { hostileText } from '../../report/hostile.ts';
import { assertProperty } from '../../support/property.ts';

describe('visible', () => {
  it('names what cannot be seen', () => {
    expect(visible('a\u001b[31mb')).toBe('a\\u{1b}[31mb');
    expect(visible('a\nb\r\tc')).toBe('a\\nb\\r\\tc');
    expect(visible('\u009b \u007f \u202e \u200b \ud800 \u{e0041} \u00a0')).toBe(
      '\\u{9b} \\u{7f} \\u{202e} \\u{200b} \\u{d800} \\u{e0041} \\u{a0}',
    );
  });

  it('breaks workflow commands that are obeyed within a line', () => {
    expect(visible('a ##[group]b ##vso[x]')).toBe('a \\u{23}#[group]b \\u{23}#vso[x]');
    expect(visible('###[y] ## [z]')).toBe('#\\u{23}#[y] ## [z]');
  });

  it('leaves what can be seen', () => {
    expect(visible('Zoë – 漢字 😀 "x" \\ `y` | <z>')).toBe('Zoë – 漢字 😀 "x" \\ `y` | <z>');
  });

  it('changes nothing the second time', () => {
    assertProperty(
      fc.property(hostileText, (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });
});

describe('truncate', () => {
  it('marks where it cuts, and cuts no character in two', () => {
    expect(truncate('😀😀😀', 3)).toBe('😀😀😀');
    expect(truncate('😀😀😀😀', 3)).toBe('😀😀…');
  });
});
