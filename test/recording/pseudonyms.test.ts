import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPseudonyms } from '../../src/recording/pseudonyms.ts';
import { anyText, assertProperty } from '../support/property.ts';

const KEY = Buffer.alloc(32, 7);
const ID = '8bd3c1f0aa2b4c55b9e1f0cbb4d2a7e1';

/** The shape that a pseudonym keeps, written another way than in the program. */
function shapeOf(text: string): string {
  return text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '0');
}

describe('a pseudonym', () => {
  test('has the length, the letters and digits, the spaces and the punctuation of the text', () => {
    const { text } = createPseudonyms(KEY);
    for (const name of ['Evening block 7', 'S02E05: "Pilot", part\t1\n', '--- [x] (y) ---', 'a', 'ep-101', 'O’Hara  ']) {
      expect(shapeOf(text(name)), name).toBe(shapeOf(name));
      expect(text(name).length).toBe(name.length);
    }
    expect(text('Evening block 7')).not.toBe('Evening block 7');
    expect([text(''), text(' '), text('-1: ()')].map((each) => each.length)).toEqual([0, 1, 6]);
  });

  test('of an ID is an ID, in lower or in upper case', () => {
    const { text } = createPseudonyms(KEY);
    expect(text(ID)).toMatch(/^[0-9a-f]{32}$/);
    expect(text(ID.toUpperCase())).toMatch(/^[0-9A-F]{32}$/);
    expect(text(`${'4'.repeat(17)}b31c5d42568dd08`)).toMatch(/^(?=.*[a-f])[0-9a-f]{32}$/);
    expect(text(`${ID}:studio-a`)).toMatch(/^[0-9a-f]{32}:[a-z]{6}-[a-z]$/);
    expect(text('deadbeef')).toMatch(/^[a-z]{8}$/);
  });

  test('of a letter of another script has its size, and keeps capitals', () => {
    const { text } = createPseudonyms(KEY);
    expect(text('Überraschung')).toMatch(/^\p{Lu}[a-z]{11}$/u);
    expect(text('Добрый вечер')).toMatch(/^\p{Lu}\p{Ll}{5} \p{Ll}{5}$/u);
    expect(text('今夜🎬')).toMatch(/^\p{Script=Han}{3}$/u);
    expect(text('今夜🎬')).toHaveLength(4);
    // An accent of its own stays one, so that both forms of a name can be told apart.
    expect(text('cafe\u0301')).toMatch(/^[a-z]{4}\u0301$/);
  });

  test('keeps punctuation beyond the first plane of Unicode whole', () => {
    const { text } = createPseudonyms(KEY);
    expect(text('\u{1144b}a')).toMatch(/^\u{1144b}[a-z]$/u);
    expect(text('\u{1144b}\u00a2')).toHaveLength(3);
  });

  test('keeps the spaces at the ends apart, so that a service that trims names is recognized', () => {
    const { text } = createPseudonyms(KEY);
    expect(text('  Late film ')).toBe(`  ${text('Late film')} `);
  });

  test('depends on the key', () => {
    expect(createPseudonyms(KEY).text('Late film')).not.toBe(createPseudonyms(Buffer.alloc(32, 8)).text('Late film'));
    expect(createPseudonyms(KEY).text('Late film')).toBe(createPseudonyms(KEY).text('Late film'));
  });

  test('is never a reserved one', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const reserved = [...letters].slice(1);
    const { text } = createPseudonyms(KEY, reserved);
    expect([...letters].map(text).filter((each) => reserved.includes(each))).toEqual([]);
  });
});

test('different texts have different pseudonyms, also where the shortest ones run out', () => {
  const { text } = createPseudonyms(KEY);
  const texts = [...'abcdefghijklmnopqrstuvwxyz0123456789éàüñß', ...Array.from({ length: 700 }, (_, index) => `${index}`)];
  expect(new Set(texts.map(text)).size).toBe(new Set(texts).size);
});

test('any texts keep length, equality and difference', () => {
  const property = fc.property(fc.array(anyText({ maxLength: 40 }), { maxLength: 20 }), (texts) => {
    const { text } = createPseudonyms(KEY);
    const replaced = texts.map(text);
    expect(replaced.map((each) => each.length)).toEqual(texts.map((each) => each.length));
    expect(texts.map(text)).toEqual(replaced);
    for (const [index, one] of texts.entries())
      for (const [other, two] of texts.entries()) expect(replaced[index] === replaced[other]).toBe(one === two);
  });
  assertProperty(property);
});

test('the pseudonym of a number has its sign, its digits and its decimal point', () => {
  const { number } = createPseudonyms(KEY);
  expect(String(number(1_234_567))).toMatch(/^[1-9]\d{6}$/);
  expect(number(1_234_567)).not.toBe(1_234_567);
  expect(number(1_234_567)).toBe(number(1_234_567));
  expect(number(-4_711)).toBeLessThan(-999);
  expect(number(12.5)).toBeGreaterThan(10);
});
