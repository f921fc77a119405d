/** Edits of blocks, lists and single values, which keep every other character of the text. */
import { describe, expect, test } from 'vitest';
import { editsOf } from '../../../../src/core/drift/accept/yaml-edit.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { editedText, rootOf } from './fixture.ts';

/** The title, the text before, its new value, and the text after; null = the text cannot be edited in place. */
type Rows = readonly (readonly [title: string, before: string, is: Json, after: string | null])[];

const rows = (table: Rows) => table;

function expectEdited(_title: string, before: string, is: Json, after: string | null): void {
  expect(editedText(before, is)).toBe(after);
}

test('nothing is edited where nothing differs', () => {
  const text = 'm: # c\n  a: 1\nl: [ 1 ]\n';
  const value = { m: { a: 1 }, l: [1] };
  expect(editsOf({ text, eol: '\n' }, rootOf(text), value, { ...value })).toEqual([]);
});

describe('a single value', () => {
  test.each(
    rows([
      ['is replaced in its place', 'a:  1   # one\nb: two\n', { a: 2, b: 'two' }, 'a:  2   # one\nb: two\n'],
      ['keeps its quotes', `a: 'one'\nb: "two"\n`, { a: 'x', b: 'y' }, `a: 'x'\nb: "y"\n`],
      ['needs no quotes for other types', `a: 'one'\nb: "two"\n`, { a: 5, b: null }, 'a: 5\nb: null\n'],
      ['keeps its quotes for a text that contains one', "a: 'one'\n", { a: "it's" }, "a: 'it''s'\n"],
      ['is quoted where its value would differ without quotes', 'a: x\nb: x\n', { a: 'yes', b: 'b: c' }, 'a: "yes"\nb: "b: c"\n'],
      ['is in one line', 'a: x\n', { a: 'one\ntwo' }, 'a: "one\\ntwo"\n'],
      ['replaces a text of many lines', 'a: |\n  one\n  two\n# c\nb: 1\n', { a: 'x', b: 1 }, 'a: x\n# c\nb: 1\n'],
      ['of many lines with a comment cannot be edited in place', 'a: >- # why\n  one\n  two\n', { a: 'x' }, null],
      ['is quoted where it contains a hash', 'a: |\n  one # two\n', { a: '# x' }, 'a: "# x"\n'],
      ['may contain block scalar indicators', 'a: x|y#z\n', { a: 'x' }, 'a: x\n'],
      ['becomes an empty list or map in its line', 'm:\n  a: 1 # c\n  b: 2\n', { m: { a: [], b: {} } }, 'm:\n  a: [] # c\n  b: {}\n'],
      [
        'becomes a map below its key',
        'm:\n  a: 1 # c\n  b: 2\n',
        { m: { a: { x: 1, y: [2] }, b: 2 } },
        'm:\n  a:\n    x: 1\n    "y":\n      - 2 # c\n  b: 2\n',
      ],
      ['becomes a list below its key', 'a: 1\n', { a: [1, { d: 3 }] }, 'a:\n  - 1\n  - d: 3\n'],
      ['becomes a map with the line ends of the file', 'a: 1\r\nb: 2\r\n', { a: { x: 1 }, b: 2 }, 'a:\r\n  x: 1\r\nb: 2\r\n'],
      ['becomes no map where a comment is before it', 'a: # why\n  one\n', { a: { x: 1 } }, null],
      ['keeps the comment before it', 'a: # why\n  one # x\n', { a: 'two' }, 'a: # why\n  two # x\n'],
      ['is added where the key had none', 'a:\nb: 1\n', { a: 1, b: 1 }, 'a: 1\nb: 1\n'],
      ['is added before a comment after its key', 'a: # why\nb: 1\n', { a: 'x', b: 1 }, 'a: x # why\nb: 1\n'],
      ['is added after a dash that had none', 'l:\n  -\n  - b\n', { l: ['a', 'b'] }, 'l:\n  - a\n  - b\n'],
      ['in a list becomes a map after its dash', 'l:\n  - a: 1\n', { l: [{ a: { b: 1 } }] }, 'l:\n  - a:\n      b: 1\n'],
      ['keeps its anchor', 'a: &x 1\nb: *x\n', { a: 2, b: 1 }, 'a: &x 2\nb: *x\n'],
      ['replaces an alias', 'a: &x 1\nb: *x\n', { a: 1, b: 2 }, 'a: &x 1\nb: 2\n'],
      ['is found after a key with a colon in it', '"a: b": 1\na:b: 2\n', { 'a: b': 3, 'a:b': 4 }, '"a: b": 3\na:b: 4\n'],
      ['is found after a key with a question mark', '? a\n: 1\nb: 2\n', { a: 5, b: 2 }, '? a\n: 5\nb: 2\n'],
      ['is replaced above empty lines at the end', 'a: 1\n\n\n', { a: 2 }, 'a: 2\n\n\n'],
      ['is a whole document', 'one # c\n', 'two', 'two # c\n'],
    ]),
  )('%s', expectEdited);
});

describe('a member', () => {
  test.each(
    rows([
      [
        'that is a setting is added below the last setting',
        'a: 1 # c\nb:\n  c: 1\n',
        { a: 1, b: { c: 1 }, d: 5 },
        'a: 1 # c\nd: 5\nb:\n  c: 1\n',
      ],
      [
        'is added below the last of several settings',
        'a: 1\nm:\n  n: 1\nb: 2\nl:\n  - 1\n',
        { a: 1, b: 2, m: { n: 1 }, l: [1], d: 5 },
        'a: 1\nm:\n  n: 1\nb: 2\nd: 5\nl:\n  - 1\n',
      ],
      ['is added below an alias', 'x: &a 1\ny: *a\nb:\n  c: 1\n', { x: 1, y: 1, b: { c: 1 }, d: 5 }, 'x: &a 1\ny: *a\nd: 5\nb:\n  c: 1\n'],
      [
        'that is a block is added at the end',
        'a: 1\nb:\n  - 1\n\n# end\n',
        { a: 1, b: [1], d: { e: [1] } },
        'a: 1\nb:\n  - 1\nd:\n  e:\n    - 1\n\n# end\n',
      ],
      ['is added at the end where no setting is', 'b:\n  c: 1\n', { b: { c: 1 }, d: 5 }, 'b:\n  c: 1\nd: 5\n'],
      ['is added below brackets too', 'b: { c: 1 }\n', { b: { c: 1 }, d: 5 }, 'b: { c: 1 }\nd: 5\n'],
      ['has the indentation of its map', 'm:\n    a: 1\n', { m: { a: 1, b: { c: 1 } } }, 'm:\n    a: 1\n    b:\n      c: 1\n'],
      [
        'is before the comments below its map',
        'm:\n  a: 1\n  # inner\n\nn: 1\n',
        { m: { a: 1, b: 2 }, n: 1 },
        'm:\n  a: 1\n  b: 2\n  # inner\n\nn: 1\n',
      ],
      ['of an item is in its column', 'l:\n  - a: 1\n    b: 2\n', { l: [{ a: 1, b: 2, c: 3 }] }, 'l:\n  - a: 1\n    b: 2\n    c: 3\n'],
      ['is added after an item without a value', 'l:\n  - b\n  -\n', { l: ['b', null], d: {} }, 'l:\n  - b\n  -\nd: {}\n'],
      ['is added after a key without a value', 'm:\n  a:\n', { m: { a: null, b: {} } }, 'm:\n  a:\n  b: {}\n'],
      ['is added after a last line without a break', 'a: 1\r\nb: 2', { a: 1, b: 2, c: { d: 3 } }, 'a: 1\r\nb: 2\r\nc:\r\n  d: 3'],
      ['is not added below a removed one', 'a: 1\nb: 2\nc:\n  d: 1\n', { a: 1, c: { d: 1 }, e: 3 }, 'a: 1\ne: 3\nc:\n  d: 1\n'],
      ['is added as null', 'a: 1\n', { a: 1, b: null }, 'a: 1\nb: null\n'],
      ['is removed with its line and the comments about it', 'a: 1\n# about b\nb: 2 # two\nc: 3\n', { a: 1, c: 3 }, 'a: 1\nc: 3\n'],
      ['is removed with its block', 'a: 1\nm:\n  - 1\n  - n: 2\nc: 3\n', { a: 1, c: 3 }, 'a: 1\nc: 3\n'],
      ['is removed without a value', 'a:\nb: 1\n', { b: 1 }, 'b: 1\n'],
      ['is removed as the last one of a text without a last break', 'a:\n  - 1\nb: 2', { a: [1] }, 'a:\n  - 1'],
      ['is not removed from after a dash', 'l:\n  - a: 1\n    b: 2\n', { l: [{ b: 2 }] }, null],
      ['is removed from an item if it is not the first member', 'l:\n  - a: 1\n    b: 2\n', { l: [{ a: 1 }] }, 'l:\n  - a: 1\n'],
      ['is not removed from after a question mark', '? a\n: 1\nb: 2\n', { b: 2 }, null],
      ['changes while others are added and removed', 'a: 1\nb: 2\nc: 3\n', { a: 9, c: 3, d: 4 }, 'a: 9\nc: 3\nd: 4\n'],
      ['is not added where no other stays', 'm:\n  a: 1\n', { m: { c: 1 } }, null],
    ]),
  )('%s', expectEdited);
});

describe('a whole block', () => {
  test.each(
    rows([
      [
        'becomes an empty map in the line of its key',
        'm: # k\n  a: 1 # c\n  # about b\n  b: 2\nn: 1\n',
        { m: {}, n: 1 },
        'm: {} # k\nn: 1\n',
      ],
      [
        'that becomes empty keeps comments that do not belong to a member',
        'm:\n  # first\n\n  a: 1\n  # tail\nn: 1\n',
        { m: {}, n: 1 },
        'm: {}\n  # first\n\n  # tail\nn: 1\n',
      ],
      ['becomes an empty list in the line of its key', 'l: # k\r\n  - a\r\n  - b\r\nn: 1\r\n', { l: [], n: 1 }, 'l: [] # k\r\nn: 1\r\n'],
      ['that becomes empty after a dash is replaced', 'l:\n  - a: 1\n  - b\n', { l: [{}, 'b'] }, 'l:\n  - {}\n  - b\n'],
      ['is not emptied where it is the whole text', 'a: 1\n', {}, null],
      ['is not emptied as a list that is the whole text', '- a\n- b\n', [], null],
      ['is replaced by null', 'm: # k\n  a: 1 # c\n  b: 2\nn: 1\n', { m: null, n: 1 }, 'm: null # k\nn: 1\n'],
      ['is replaced by null as a list', 'l:\n  - a\n  - b\n', { l: null }, 'l: null\n'],
      ['is replaced by null within an item', '- a: 1\n  m:\n    b: 2\n- 3\n', [{ a: 1, m: null }, 3], '- a: 1\n  m: null\n- 3\n'],
      ['after a dash is replaced by another item', 'l:\n  - a: 1\n  - b\n', { l: [null, 'b'] }, 'l:\n  - null\n  - b\n'],
      ['is replaced by nothing but null', 'm:\n  a: 1\n', { m: 5 }, null],
      ['that is the whole text is not replaced by null', 'a: 1\n', null, null],
      ['is not made a list', 'm:\n  a: 1\n', { m: [1] }, null],
      ['is not made a map', 'l:\n  - 1\n', { l: { a: 1 } }, null],
    ]),
  )('%s', expectEdited);
});

describe('an item', () => {
  test.each(
    rows([
      ['is added at the end', 'l:\n  - 1\n  - 2 # two\nn: 1\n', { l: [1, 2, 3], n: 1 }, 'l:\n  - 1\n  - 2 # two\n  - 3\nn: 1\n'],
      ['is added between two', 'l:\n- 1\n- 3\n', { l: [1, 2, 3] }, 'l:\n- 1\n- 2\n- 3\n'],
      [
        'is added before the first and its comments',
        'l:\n  # first\n  - 1\n  - 2\n',
        { l: [0, 1, 2] },
        'l:\n  - 0\n  # first\n  - 1\n  - 2\n',
      ],
      ['is added in a document of its own', '- 1\r\n- 2\r\n', [0, 1, 2, 3], '- 0\r\n- 1\r\n- 2\r\n- 3\r\n'],
      ['is added with others in their order', 'l:\n  - 1\n', { l: [8, 9, 1, 2, 3] }, 'l:\n  - 8\n  - 9\n  - 1\n  - 2\n  - 3\n'],
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
      ['is added with an end of line of the file before it', 'l:\r\n  - 1\r\n  - 2', { l: [1, 2, 3] }, 'l:\r\n  - 1\r\n  - 2\r\n  - 3'],
      ['is removed with its comments', 'l:\n  # first\n  - 1\n  # second\n  - 2 # two\n', { l: [1] }, 'l:\n  # first\n  - 1\n'],
      ['is removed as the first', 'l:\n  - a: 1\n    b: 2\n  - 3\n', { l: [3] }, 'l:\n  - 3\n'],
      ['is removed without a value', 'l:\n  -\n  - b\n', { l: ['b'] }, 'l:\n  - b\n'],
      ['is removed as the last one without a value', 'l:\n  - b\n  -\n', { l: ['b'] }, 'l:\n  - b\n'],
      ['that is a list is another item once it changes', 'l:\n  - - 1\n    - 2\n', { l: [[2]] }, 'l:\n  - [ 2 ]\n'],
      [
        'changes in its place',
        'l:\n  - a: 1 # one\n    b: 2\n  - 3\n',
        { l: [{ a: 5, b: 2 }, 3] },
        'l:\n  - a: 5 # one\n    b: 2\n  - 3\n',
      ],
      [
        'changes while others are added and removed',
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
        'is found after a line that looks like one',
        'l:\n  - a: |\n      - no\n    b: 1\n  - 2\n',
        { l: [{ a: '- no\n', b: 1 }, 3] },
        'l:\n  - a: |\n      - no\n    b: 1\n  - 3\n',
      ],
    ]),
  )('%s', expectEdited);
});
