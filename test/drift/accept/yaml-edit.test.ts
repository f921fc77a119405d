/** Blocks, lists and single values say something else, and every other character of the text stays. */
import { describe, expect, test } from 'vitest';
import { editsOf } from '../../../src/drift/accept/yaml-edit.ts';
import type { Json } from '../../../src/model/json.ts';
import { editedText, rootOf } from './fixture.ts';

/** What it is about, the text, what it is to say, and the text then; null = it cannot be done in place. */
type Rows = readonly (readonly [what: string, before: string, is: Json, after: string | null])[];

const rows = (given: Rows) => given;

function expectRewritten(_what: string, before: string, is: Json, after: string | null): void {
  expect(editedText(before, is)).toBe(after);
}

test('nothing is edited where nothing differs', () => {
  const text = 'm: # c\n  a: 1\nl: [ 1 ]\n';
  const said = { m: { a: 1 }, l: [1] };
  expect(editsOf({ text, eol: '\n' }, rootOf(text), said, { ...said })).toEqual([]);
});

describe('a single value', () => {
  test.each(
    rows([
      ['is replaced where it stands', 'a:  1   # one\nb: two\n', { a: 2, b: 'two' }, 'a:  2   # one\nb: two\n'],
      ['keeps its quotes', `a: 'one'\nb: "two"\n`, { a: 'x', b: 'y' }, `a: 'x'\nb: "y"\n`],
      ['needs none for what is no text', `a: 'one'\nb: "two"\n`, { a: 5, b: null }, 'a: 5\nb: null\n'],
      ['keeps them for a text that holds one', "a: 'one'\n", { a: "it's" }, "a: 'it''s'\n"],
      ['gets some where it would say something else without', 'a: x\nb: x\n', { a: 'yes', b: 'b: c' }, 'a: "yes"\nb: "b: c"\n'],
      ['stands in one line', 'a: x\n', { a: 'one\ntwo' }, 'a: "one\\ntwo"\n'],
      ['takes the place of a text of many lines', 'a: |\n  one\n  two\n# c\nb: 1\n', { a: 'x', b: 1 }, 'a: x\n# c\nb: 1\n'],
      ['of many lines with a comment is left to people', 'a: >- # why\n  one\n  two\n', { a: 'x' }, null],
      ['keeps the hash that it holds', 'a: |\n  one # two\n', { a: '# x' }, 'a: "# x"\n'],
      ['may hold marks of such a text', 'a: x|y#z\n', { a: 'x' }, 'a: x\n'],
      ['becomes an empty list or map in its line', 'm:\n  a: 1 # c\n  b: 2\n', { m: { a: [], b: {} } }, 'm:\n  a: [] # c\n  b: {}\n'],
      [
        'becomes a map below its key',
        'm:\n  a: 1 # c\n  b: 2\n',
        { m: { a: { x: 1, y: [2] }, b: 2 } },
        'm:\n  a:\n    x: 1\n    "y":\n      - 2 # c\n  b: 2\n',
      ],
      ['becomes a list below its key', 'a: 1\n', { a: [1, { d: 3 }] }, 'a:\n  - 1\n  - d: 3\n'],
      ['becomes a map with the line ends of the file', 'a: 1\r\nb: 2\r\n', { a: { x: 1 }, b: 2 }, 'a:\r\n  x: 1\r\nb: 2\r\n'],
      ['becomes no map where a comment stands before it', 'a: # why\n  one\n', { a: { x: 1 } }, null],
      ['keeps the comment before it', 'a: # why\n  one # x\n', { a: 'two' }, 'a: # why\n  two # x\n'],
      ['comes where none was', 'a:\nb: 1\n', { a: 1, b: 1 }, 'a: 1\nb: 1\n'],
      ['comes before the comment that stood there alone', 'a: # why\nb: 1\n', { a: 'x', b: 1 }, 'a: x # why\nb: 1\n'],
      ['comes behind a dash that had none', 'l:\n  -\n  - b\n', { l: ['a', 'b'] }, 'l:\n  - a\n  - b\n'],
      ['in a list becomes a map behind its dash', 'l:\n  - a: 1\n', { l: [{ a: { b: 1 } }] }, 'l:\n  - a:\n      b: 1\n'],
      ['keeps its anchor', 'a: &x 1\nb: *x\n', { a: 2, b: 1 }, 'a: &x 2\nb: *x\n'],
      ['takes the place of an alias', 'a: &x 1\nb: *x\n', { a: 1, b: 2 }, 'a: &x 1\nb: 2\n'],
      ['is found behind a key with a colon in it', '"a: b": 1\na:b: 2\n', { 'a: b': 3, 'a:b': 4 }, '"a: b": 3\na:b: 4\n'],
      ['is found behind a key with a mark', '? a\n: 1\nb: 2\n', { a: 5, b: 2 }, '? a\n: 5\nb: 2\n'],
      ['is all of a document', 'one # c\n', 'two', 'two # c\n'],
    ]),
  )('%s', expectRewritten);
});

describe('a member', () => {
  test.each(
    rows([
      [
        'that is a setting comes below the last setting',
        'a: 1 # c\nb:\n  c: 1\n',
        { a: 1, b: { c: 1 }, d: 5 },
        'a: 1 # c\nd: 5\nb:\n  c: 1\n',
      ],
      [
        'comes below the last of several settings',
        'a: 1\nm:\n  n: 1\nb: 2\nl:\n  - 1\n',
        { a: 1, b: 2, m: { n: 1 }, l: [1], d: 5 },
        'a: 1\nm:\n  n: 1\nb: 2\nd: 5\nl:\n  - 1\n',
      ],
      ['comes below an alias', 'x: &a 1\ny: *a\nb:\n  c: 1\n', { x: 1, y: 1, b: { c: 1 }, d: 5 }, 'x: &a 1\ny: *a\nd: 5\nb:\n  c: 1\n'],
      [
        'that is a block comes at the end',
        'a: 1\nb:\n  - 1\n\n# end\n',
        { a: 1, b: [1], d: { e: [1] } },
        'a: 1\nb:\n  - 1\nd:\n  e:\n    - 1\n\n# end\n',
      ],
      ['comes at the end where no setting is', 'b:\n  c: 1\n', { b: { c: 1 }, d: 5 }, 'b:\n  c: 1\nd: 5\n'],
      ['comes below brackets too', 'b: { c: 1 }\n', { b: { c: 1 }, d: 5 }, 'b: { c: 1 }\nd: 5\n'],
      ['has the indentation of its map', 'm:\n    a: 1\n', { m: { a: 1, b: { c: 1 } } }, 'm:\n    a: 1\n    b:\n      c: 1\n'],
      [
        'stands before the comments below its map',
        'm:\n  a: 1\n  # inner\n\nn: 1\n',
        { m: { a: 1, b: 2 }, n: 1 },
        'm:\n  a: 1\n  b: 2\n  # inner\n\nn: 1\n',
      ],
      ['of an item stands in its column', 'l:\n  - a: 1\n    b: 2\n', { l: [{ a: 1, b: 2, c: 3 }] }, 'l:\n  - a: 1\n    b: 2\n    c: 3\n'],
      ['comes behind an item without a value', 'l:\n  - b\n  -\n', { l: ['b', null], d: {} }, 'l:\n  - b\n  -\nd: {}\n'],
      ['comes behind a key without a value', 'm:\n  a:\n', { m: { a: null, b: {} } }, 'm:\n  a:\n  b: {}\n'],
      ['comes behind a last line without a break', 'a: 1\r\nb: 2', { a: 1, b: 2, c: { d: 3 } }, 'a: 1\r\nb: 2\r\nc:\r\n  d: 3'],
      ['does not come below one that goes', 'a: 1\nb: 2\nc:\n  d: 1\n', { a: 1, c: { d: 1 }, e: 3 }, 'a: 1\ne: 3\nc:\n  d: 1\n'],
      ['that is null is said', 'a: 1\n', { a: 1, b: null }, 'a: 1\nb: null\n'],
      ['goes with its line and the comments about it', 'a: 1\n# about b\nb: 2 # two\nc: 3\n', { a: 1, c: 3 }, 'a: 1\nc: 3\n'],
      ['goes with its block', 'a: 1\nm:\n  - 1\n  - n: 2\nc: 3\n', { a: 1, c: 3 }, 'a: 1\nc: 3\n'],
      ['goes without a value', 'a:\nb: 1\n', { b: 1 }, 'b: 1\n'],
      ['goes as the last one of a text without a last break', 'a:\n  - 1\nb: 2', { a: [1] }, 'a:\n  - 1'],
      ['does not go from behind a dash', 'l:\n  - a: 1\n    b: 2\n', { l: [{ b: 2 }] }, null],
      ['goes from below a dash', 'l:\n  - a: 1\n    b: 2\n', { l: [{ a: 1 }] }, 'l:\n  - a: 1\n'],
      ['does not go from behind a mark', '? a\n: 1\nb: 2\n', { b: 2 }, null],
      ['changes while others come and go', 'a: 1\nb: 2\nc: 3\n', { a: 9, c: 3, d: 4 }, 'a: 9\nc: 3\nd: 4\n'],
      ['does not come where none stays', 'm:\n  a: 1\n', { m: { c: 1 } }, null],
    ]),
  )('%s', expectRewritten);
});

describe('a whole block', () => {
  test.each(
    rows([
      [
        'that is empty leaves a sign behind its key',
        'm: # k\n  a: 1 # c\n  # about b\n  b: 2\nn: 1\n',
        { m: {}, n: 1 },
        'm: {} # k\nn: 1\n',
      ],
      [
        'that is empty leaves comments that are about nothing in it',
        'm:\n  # first\n\n  a: 1\n  # tail\nn: 1\n',
        { m: {}, n: 1 },
        'm: {}\n  # first\n\n  # tail\nn: 1\n',
      ],
      ['that is an empty list likewise', 'l: # k\r\n  - a\r\n  - b\r\nn: 1\r\n', { l: [], n: 1 }, 'l: [] # k\r\nn: 1\r\n'],
      ['that is empty behind a dash is another item', 'l:\n  - a: 1\n  - b\n', { l: [{}, 'b'] }, 'l:\n  - {}\n  - b\n'],
      ['is not emptied where it is all of the text', 'a: 1\n', {}, null],
      ['is not emptied as a list that is all of the text', '- a\n- b\n', [], null],
      ['makes way for null', 'm: # k\n  a: 1 # c\n  b: 2\nn: 1\n', { m: null, n: 1 }, 'm: null # k\nn: 1\n'],
      ['makes way for null as a list', 'l:\n  - a\n  - b\n', { l: null }, 'l: null\n'],
      ['makes way for null within an item', '- a: 1\n  m:\n    b: 2\n- 3\n', [{ a: 1, m: null }, 3], '- a: 1\n  m: null\n- 3\n'],
      ['behind a dash makes way for another item', 'l:\n  - a: 1\n  - b\n', { l: [null, 'b'] }, 'l:\n  - null\n  - b\n'],
      ['makes way for nothing but null', 'm:\n  a: 1\n', { m: 5 }, null],
      ['that is all of the text makes no way', 'a: 1\n', null, null],
      ['is not made a list', 'm:\n  a: 1\n', { m: [1] }, null],
      ['is not made a map', 'l:\n  - 1\n', { l: { a: 1 } }, null],
    ]),
  )('%s', expectRewritten);
});

describe('an item', () => {
  test.each(
    rows([
      ['comes at the end', 'l:\n  - 1\n  - 2 # two\nn: 1\n', { l: [1, 2, 3], n: 1 }, 'l:\n  - 1\n  - 2 # two\n  - 3\nn: 1\n'],
      ['comes between two', 'l:\n- 1\n- 3\n', { l: [1, 2, 3] }, 'l:\n- 1\n- 2\n- 3\n'],
      [
        'comes before the first and its comments',
        'l:\n  # first\n  - 1\n  - 2\n',
        { l: [0, 1, 2] },
        'l:\n  - 0\n  # first\n  - 1\n  - 2\n',
      ],
      ['comes in a document of its own', '- 1\r\n- 2\r\n', [0, 1, 2, 3], '- 0\r\n- 1\r\n- 2\r\n- 3\r\n'],
      ['comes with others in their order', 'l:\n  - 1\n', { l: [8, 9, 1, 2, 3] }, 'l:\n  - 8\n  - 9\n  - 1\n  - 2\n  - 3\n'],
      [
        'that is a map is a block where the first is one',
        'l:\n  - a: 1\n',
        { l: [{ a: 1 }, { b: 2, c: [3] }] },
        'l:\n  - a: 1\n  - b: 2\n    c:\n      - 3\n',
      ],
      [
        'that is a map is in brackets where the first is',
        'l:\n  - { a: 1 }\n',
        { l: [{ a: 1 }, { b: 2, c: [3] }] },
        'l:\n  - { a: 1 }\n  - { b: 2, c: [ 3 ] }\n',
      ],
      ['that is a map among texts is a block', 'l:\n  - a\n', { l: ['a', { b: 2 }] }, 'l:\n  - a\n  - b: 2\n'],
      ['that is a list among maps is a block', 'l:\n  - a: 1\n', { l: [{ a: 1 }, [1, 2], 5] }, 'l:\n  - a: 1\n  - - 1\n    - 2\n  - 5\n'],
      ['that is a list among texts is in brackets', 'l:\n  - a\n', { l: ['a', [1, 2]] }, 'l:\n  - a\n  - [ 1, 2 ]\n'],
      ['is quoted like the first', `l:\n  - 'a'\n  - "b"\n`, { l: ['a', 'b', 'c'] }, `l:\n  - 'a'\n  - "b"\n  - 'c'\n`],
      ['comes with an end of line of the file before it', 'l:\r\n  - 1\r\n  - 2', { l: [1, 2, 3] }, 'l:\r\n  - 1\r\n  - 2\r\n  - 3'],
      ['goes with its comments', 'l:\n  # first\n  - 1\n  # second\n  - 2 # two\n', { l: [1] }, 'l:\n  # first\n  - 1\n'],
      ['goes as the first', 'l:\n  - a: 1\n    b: 2\n  - 3\n', { l: [3] }, 'l:\n  - 3\n'],
      ['goes without a value', 'l:\n  -\n  - b\n', { l: ['b'] }, 'l:\n  - b\n'],
      ['goes as the last one without a value', 'l:\n  - b\n  -\n', { l: ['b'] }, 'l:\n  - b\n'],
      ['that is a list is another item once it changes', 'l:\n  - - 1\n    - 2\n', { l: [[2]] }, 'l:\n  - [ 2 ]\n'],
      [
        'changes in its place',
        'l:\n  - a: 1 # one\n    b: 2\n  - 3\n',
        { l: [{ a: 5, b: 2 }, 3] },
        'l:\n  - a: 5 # one\n    b: 2\n  - 3\n',
      ],
      [
        'changes while others come and go',
        'l:\n  - a: 1\n  - 2\n  - b: 3\n',
        { l: [{ a: 9 }, { b: 3 }, 4] },
        'l:\n  - a: 9\n  - b: 3\n  - 4\n',
      ],
      [
        'that is an alias becomes a map in brackets',
        'x: &x { a: 1, b: 1 }\nl:\n  - *x\n',
        { x: { a: 1, b: 1 }, l: [{ a: 1, b: 2 }] },
        'x: &x { a: 1, b: 1 }\nl:\n  - { a: 1, b: 2 }\n',
      ],
      ['moves', 'l:\n- 1\n- 2\n', { l: [2, 1] }, 'l:\n- 2\n- 1\n'],
      [
        'is found behind a line that looks like one',
        'l:\n  - a: |\n      - no\n    b: 1\n  - 2\n',
        { l: [{ a: '- no\n', b: 1 }, 3] },
        'l:\n  - a: |\n      - no\n    b: 1\n  - 3\n',
      ],
    ]),
  )('%s', expectRewritten);
});
