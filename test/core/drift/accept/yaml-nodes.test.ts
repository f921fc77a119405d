/** The offsets of members and items in a text: key or dash, colon, and the end of the content. */
import { describe, expect, test } from 'vitest';
import { contentEnd, itemsOf, membersOf, type NodeSlot, nodeOf, quoteOf } from '../../../../src/core/drift/accept/yaml-nodes.ts';
import { listOf, mapOf, rootOf } from './fixture.ts';

/** Returns the texts from the head to the opening, and from the opening to the end. */
function parts(text: string, { head, opening, end }: NodeSlot): readonly string[] {
  return [text.slice(head, opening), text.slice(opening, end)];
}

describe('the members of a map', () => {
  test.each([
    ['single values', 'a: 1 # one\nb:   two words  \n', { a: ['a:', ' 1'], b: ['b:', '   two words'] }],
    ['quoted keys', `"a: b": 'x: y'\n'c' : 1\n`, { 'a: b': ['"a: b":', " 'x: y'"], c: ["'c' :", ' 1'] }],
    ['keys with a question mark', '? a\n: 1\n', { a: ['a\n:', ' 1'] }],
    ['nothing after the colon', 'a:\nb: # c\nc: 1\n', { a: ['a:', ''], b: ['b:', ' '], c: ['c:', ' 1'] }],
    [
      'blocks, without the comments below them',
      'a:\n  b: 1 # c\n  # d\nc:\n  - 1\n  - x: 2\n\n# e\n',
      { a: ['a:', '\n  b: 1'], c: ['c:', '\n  - 1\n  - x: 2'] },
    ],
    ['blocks that end without a value', 'a:\n  b: 1\n  c:\nd:\n  - 1\n  -\n', { a: ['a:', '\n  b: 1\n  c:'], d: ['d:', '\n  - 1\n  -'] }],
    ['texts of several lines', 'a: |\n  one\n  two\n\nb: one\n  two # c\n', { a: ['a:', ' |\n  one\n  two'], b: ['b:', ' one\n  two'] }],
    ['brackets', 'a: { b: 1 } # c\nd: [\n  1,\n  ] # e\n', { a: ['a:', ' { b: 1 }'], d: ['d:', ' [\n  1,\n  ]'] }],
    ['an anchor and its alias', 'a: &x 1\nb: *x # c\n', { a: ['a:', ' &x 1'], b: ['b:', ' *x'] }],
    ['within brackets', '{ a: 1, "b":2, c: [ 3 ] }', { a: ['a:', ' 1'], b: ['"b":', '2'], c: ['c:', ' [ 3 ]'] }],
  ])('have their texts: %s', (_what, text, members) => {
    expect(Object.fromEntries([...membersOf(text, mapOf(text))].map(([key, slot]) => [key, parts(text, slot)]))).toEqual(members);
  });

  test('are returned with their nodes', () => {
    const map = mapOf('a: 1\nb: [2]\nc: *x\n'.replace('*x', '&x 3'));
    expect([...membersOf('a: 1\nb: [2]\nc: &x 3\n', map).values()].map(({ node }) => node)).toEqual(map.items.map(({ value }) => value));
  });
});

describe('the items of a list', () => {
  test.each([
    [
      'single values',
      '- 1 # one\n-   two words  \n',
      [
        ['-', ' 1'],
        ['-', '   two words'],
      ],
    ],
    [
      'nothing after the dash',
      '-\n- # c\n- 1\n-\n',
      [
        ['-', ''],
        ['-', ' '],
        ['-', ' 1'],
        ['-', ''],
      ],
    ],
    [
      'blocks',
      '- a: 1 # c\n  b: 2\n# d\n- - 3\n  - 4\n',
      [
        ['-', ' a: 1 # c\n  b: 2'],
        ['-', ' - 3\n  - 4'],
      ],
    ],
    [
      'comments with dashes',
      '- 1\n# - no\n   # - no\n- 2\n',
      [
        ['-', ' 1'],
        ['-', ' 2'],
      ],
    ],
    [
      'items with dashes in other columns',
      '- |\n  - no\n   - no\n- -2\n',
      [
        ['-', ' |\n  - no\n   - no'],
        ['-', ' -2'],
      ],
    ],
    [
      'brackets and aliases',
      '- &x [ 1 ]\n- *x # c\n',
      [
        ['-', ' &x [ 1 ]'],
        ['-', ' *x'],
      ],
    ],
    [
      'after a Windows line end',
      '- 1\r\n-\r\n- 2',
      [
        ['-', ' 1'],
        ['-', ''],
        ['-', ' 2'],
      ],
    ],
  ])('have their texts: %s', (_what, text, items) => {
    const list = listOf(text);
    expect(itemsOf(text, list.items, list.range?.[0] ?? -1).map((slot) => parts(text, slot))).toEqual(items);
  });

  test('are found in the column of the first one', () => {
    const text = 'a:\n  - 1\n # - no\n  -\n  - x';
    const list = nodeOf(mapOf(text).items[0]?.value);
    const items = list && 'items' in list ? list.items : [];
    expect(itemsOf(text, items, text.indexOf('-')).map(({ head }) => head)).toEqual([5, 19, 23]);
  });

  test('end with the text where there are more items than dashes', () => {
    expect(itemsOf('- 1\n', [null, null], 0).map(({ head, end }) => [head, end])).toEqual([
      [0, 1],
      [4, 5],
    ]);
  });
});

describe('the end of the content of a node', () => {
  test.each([
    ['nothing', '', 0],
    ['a text', 'one  # c\n', 3],
    ['a text of several lines', '|\n  one\n\n\n', 7],
    ['a map', 'a: 1\nb: 2 # c\n', 9],
    ['a map of which the last member is empty', 'a: 1\nb:\n# c\n', 7],
    ['a list', '- 1\n- 2 # c\n', 7],
    ['brackets', '[ 1 ] # c\n', 5],
  ])('is before blank lines and comments: %s', (_what, text, end) => {
    expect(contentEnd(text, text === '' ? null : rootOf(text))).toBe(end);
  });
});

test.each([
  ['plain', 'plain'],
  ["'x'", 'single'],
  ['"x"', 'double'],
  ['|\n  x\n', 'plain'],
  ['5', 'plain'],
  ['[ "x" ]', 'plain'],
])('%j is quoted: %s', (text, quote) => {
  expect(quoteOf(rootOf(text))).toBe(quote);
});

test('a missing node counts as plain', () => {
  expect(quoteOf(null)).toBe('plain');
});

test('nodeOf returns nodes, and null for anything else', () => {
  const { items } = mapOf('a: { b: 1 }\nc: [ 1 ]\nd: &x 1\ne: *x\n');
  for (const { value } of items) expect(nodeOf(value)).toBe(value);
  for (const other of [null, undefined, 'x', 5, {}, []]) expect(nodeOf(other)).toBeNull();
});
