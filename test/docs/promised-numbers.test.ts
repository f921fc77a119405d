/** The numbers of the documentation are those of the program, and none stands there without being checked. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EXIT_CODES } from '../../src/core/model/exit-codes.ts';
import { EXEMPT, PROMISES } from './promised-numbers.ts';

const docs = new URL('../../docs/', import.meta.url);
const PAGES = ['../README.md', ...readdirSync(docs).filter((name) => name.endsWith('.md'))];
const prose = new Map(PAGES.map((page) => [page, proseOf(readFileSync(new URL(page, docs), 'utf8'))]));

/** Blanks out code blocks, generated tables and the numbers of list items and headings; the offsets stay. */
function proseOf(page: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  return page
    .replace(/^ *```[\s\S]*?^ *```$/gm, blank)
    .replace(/^ {4,}.*$/gm, blank)
    .replace(/<!-- generated: [\s\S]*?<!-- end -->/g, blank)
    .replace(/^ *\d+\. |^#+ .*$/gm, blank);
}

const WORDS: { readonly [value: number]: string } = {
  2: 'two',
  3: 'three',
  4: 'four',
  5: 'five',
  6: 'six',
  7: 'seven',
  8: 'eight',
  9: 'nine',
  10: 'ten',
  12: 'twelve',
  15: 'fifteen',
  20: 'twenty',
  1000: 'a thousand',
};

/** The ways to write a number: in digits, with and without separators, and as a word. */
function numerals(value: number): readonly string[] {
  return [String(value), value.toLocaleString('en-US'), ...(value === 1 ? ['a', 'one'] : []), WORDS[value] ?? []].flat();
}

/** The places of a text in a page, each from its first to behind its last character. */
function placesOf(page: string, text: string): readonly (readonly [start: number, end: number])[] {
  const content = prose.get(page) ?? '';
  const places: [number, number][] = [];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) places.push([at, at + text.length]);
  return places;
}

/** The places of a promise: those of its number only. */
function placesOfPromise(page: string, fragment: string, value: number): readonly (readonly [number, number])[] {
  const before = fragment.indexOf('#');
  return numerals(value).flatMap((numeral) =>
    placesOf(page, fragment.replace('#', numeral)).map(([start]): [number, number] => [start + before, start + before + numeral.length]),
  );
}

describe('a number that the documentation promises', () => {
  test.each(PROMISES)('is that of the program: docs/%s, "%s" with %d', (page, fragment, value) => {
    expect(fragment.split('#')).toHaveLength(2);
    const written = numerals(value).map((numeral) => fragment.replace('#', numeral));
    expect(written, `docs/${page} says "${written[0]}"`).toSatisfy(() => placesOfPromise(page, fragment, value).length > 0);
  });
});

test.each(EXEMPT)('a number that is no promise of the program still stands in the page: docs/%s, "%s"', (page, fragment, reason) => {
  expect(placesOf(page, fragment)).not.toEqual([]);
  expect(reason).not.toBe('');
});

const NUMBER = String.raw`(?:\d[\d,]*(?:\.\d+)?|(?:two |a )?(?:hundred|thousand|million)|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)`;
const UNIT =
  'ms|s|%|[KMG]i?B|percent|(?:second|minute|hour|day|bit|byte|character|line|retrie|attempt|time|request|target|job|file|change|success|successe|playlist|object|asset|ID|binding|update|resource|endpoint|lookup|phase|annotation|finding|level|core|error|place|part|member|name)s?';
const ADJECTIVE = 'consecutive|parallel|random|hexadecimal|unchanged|open';
/** A number with a unit, a number that bounds something, and a minute or the like as a bound. */
const QUANTITIES = [
  String.raw`\b${NUMBER}[ -]?(?:(?:${ADJECTIVE}) )?(?:${UNIT})(?!\w)`,
  String.raw`\b(?:at most|at least|up to|more than|fewer than|less than|below|above|within|every|(?:the|its) first)(?: the| its| first)* ${NUMBER}(?!\w)`,
  String.raw`\b${NUMBER} or (?:more|less|fewer|later)\b`,
  String.raw`\b(?:up to|within|every|at most) an? (?:second|minute|hour|day)\b`,
  String.raw`\b${NUMBER} an? (?:second|minute|hour|day)\b`,
].map((pattern) => new RegExp(pattern, 'gi'));

const COVERED = new Map(
  PAGES.map((page) => [
    page,
    [
      ...PROMISES.filter(([each]) => each === page).flatMap(([, fragment, value]) => placesOfPromise(page, fragment, value)),
      ...EXEMPT.filter(([each]) => each === page).flatMap(([, fragment]) => placesOf(page, fragment)),
    ],
  ]),
);

/** Returns the quantities of a page that neither a promise nor an exemption covers, with the text around them. */
function uncovered(page: string, content: string): readonly string[] {
  const numberIn = new RegExp(NUMBER, 'i');
  const found = QUANTITIES.flatMap((pattern) =>
    [...content.matchAll(pattern)].map(({ 0: text, index }) => {
      const offset = numberIn.exec(text)?.index ?? text.lastIndexOf(' a') + 1;
      return index + offset;
    }),
  );
  const places = COVERED.get(page) ?? [];
  const missing = [...new Set(found)].filter((at) => !places.some(([start, end]) => start <= at && at < end));
  return missing.sort((a, b) => a - b).map((at) => content.slice(Math.max(0, at - 40), at + 30).replace(/\s+/g, ' '));
}

describe('no number with a unit stands without a check', () => {
  test.each(PAGES)('in docs/%s', (page) => {
    expect(uncovered(page, prose.get(page) ?? '')).toEqual([]);
  });

  test.each([
    'It waits 30 seconds.',
    'at most 500 of them',
    'up to twenty of them',
    'the first 200.',
    'ten or more are live',
    'for up to a minute',
    'kept 7 % below',
    'at 10 a second',
    'After five consecutive requests',
    'a thousand requests',
  ])('the search finds the number in "%s"', (text) => {
    expect(uncovered('none', text)).toHaveLength(1);
  });
});

test('the README and the page about installing name the version of Node that package.json demands', () => {
  expect(packageJson.engines.node).toMatch(/^>=\d+\.\d+\.\d+$/);
  const named = `Node ${packageJson.engines.node.slice('>='.length)} or later`;
  for (const page of ['../README.md', 'install.md']) expect(prose.get(page), page).toContain(named);
});

test('the documentation names no exit code that the program does not have', () => {
  const codes = new Set<number>(Object.values(EXIT_CODES));
  const named = PAGES.flatMap((page) =>
    [...(prose.get(page) ?? '').matchAll(/\bexit(?:s|ed)?(?: with| codes?| code)* (\d+)/gi)].map(([, code]) => Number(code)),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((code) => !codes.has(code))).toEqual([]);
});
