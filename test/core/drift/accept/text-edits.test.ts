/** Edits of a text by offset, which are applied together or not at all, and the lines of a text with either line break. */
import { describe, expect, test } from 'vitest';
import {
  applyTextEdits,
  commentsAbove,
  joinEdits,
  lineEnd,
  lineStart,
  removeLinesAt,
  type TextEdit,
} from '../../../../src/core/drift/accept/text-edits.ts';

function edit(start: number, end: number, text: string): TextEdit {
  return { start, end, text };
}

test('lists of edits are joined in order', () => {
  const [a, b, c] = [edit(5, 6, 'a'), edit(1, 2, 'b'), edit(3, 3, 'c')];
  expect(joinEdits([[a, b], [], [c]])).toEqual([a, b, c]);
  expect(joinEdits([])).toEqual([]);
});

test('lists of edits are not joined if one is null', () => {
  expect(joinEdits([[edit(1, 2, 'b')], null, [edit(3, 4, 'c')]])).toBeNull();
});

describe('edits of a text', () => {
  test.each([
    ['keep the text if there are none', 'abc\n', [], 'abc\n'],
    ['replace the text between two offsets', 'abc\n', [edit(1, 2, 'XY')], 'aXYc\n'],
    ['are applied in the order of the text', 'abcd\n', [edit(3, 4, 'D'), edit(0, 1, 'A')], 'AbcD\n'],
    ['insert before a replacement at the same offset', 'abc\n', [edit(1, 2, 'B'), edit(1, 1, '+')], 'a+Bc\n'],
    ['insert several texts at one offset in order', 'ab\n', [edit(1, 1, '1'), edit(1, 1, '2'), edit(1, 1, '3')], 'a123b\n'],
    ['may touch each other', 'abc\n', [edit(0, 1, ''), edit(1, 3, 'x')], 'x\n'],
    ['are rejected if they overlap', 'abc\n', [edit(0, 2, ''), edit(1, 3, 'x')], undefined],
    ['leave no line break at the end of a text that had none', 'a\nb', [edit(2, 3, '')], 'a'],
    ['leave no Windows line break at the end of a text that had none', 'a\r\nb', [edit(3, 4, '')], 'a'],
    ['remove several line breaks at the end of a text that had none', 'a\n\nb', [edit(3, 4, '')], 'a'],
    ['keep the line breaks within a text that ends without one', 'a\nb', [edit(2, 3, 'c')], 'a\nc'],
    ['keep empty lines at the end of a text that ends with a line break', 'a\n\nb\n', [edit(3, 5, '')], 'a\n\n'],
  ])('%s', (_name, text, edits, expected) => {
    expect(applyTextEdits(text, edits)).toBe(expected);
  });
});

describe('a line', () => {
  const text = 'ab\r\ncd\n\nef';

  test.each([
    [0, 0, 2],
    [1, 0, 2],
    [2, 0, 2],
    [4, 4, 6],
    [5, 4, 6],
    [6, 4, 6],
    [7, 7, 7],
    [8, 8, 10],
    [10, 8, 10],
  ])('that contains offset %i begins at %i and ends at %i', (offset, start, end) => {
    expect([lineStart(text, offset), lineEnd(text, offset)]).toEqual([start, end]);
  });

  test('never ends before the given offset', () => {
    expect(lineEnd('a\r\nb', 2)).toBe(2);
  });

  test('ends with the text if no line break follows, before a carriage return', () => {
    expect([lineEnd('ab', 0), lineEnd('ab\r', 0)]).toEqual([2, 2]);
  });
});

describe('the comments above a line', () => {
  test.each([
    ['are none without a comment', 'a: 1\nb: 2\n', 'b', 0, 5],
    ['include one in the same column', 'a: 1\n# b\nb: 2\n', 'b: ', 0, 5],
    ['include several', 'a: 1\n# b\n# it is\nb: 2\n', 'b: ', 0, 5],
    ['reach to the first line of the text', '# one\n# b\nb: 2\n', 'b: ', 0, 0],
    ['do not include one above an empty line', '# a\n\nb: 2\n', 'b: ', 0, 5],
    ['do not include one further left', 'a:\n# b\n  b: 2\n', 'b: ', 2, 7],
    ['do not include one further right', 'a:\n    # b\n  b: 2\n', 'b: ', 2, 11],
    ['do not include one after a value', 'a:\n  c: 1 # b\n  b: 2\n', 'b: ', 2, 14],
    ['do not include one after a key, even in the same column', 'l: # c\n   b: 2\n', 'b: ', 3, 7],
    ['include one in the same column of an indented line', 'a:\n  # b\n  b: 2\n', 'b: ', 2, 3],
    ['are none above the first line', 'b: 2\n', 'b: ', 0, 0],
  ])('%s', (_name, text, mark, column, start) => {
    expect(commentsAbove(text, text.indexOf(mark), column)).toBe(start);
  });
});

describe('the removal of lines', () => {
  test.each([
    ['removes a line', 'a: 1\nb: 2\nc: 3\n', 'b', 'b', 'a: 1\nc: 3\n'],
    ['removes several lines', 'a: 1\nb:\n  - 2\nc: 3\n', 'b', '2', 'a: 1\nc: 3\n'],
    ['removes the last line', 'a: 1\nb: 2\n', 'b', '2', 'a: 1\n'],
    ['removes the last line without a line break', 'a: 1\nb: 2', 'b', '2', 'a: 1'],
    ['removes the comment above a line', 'a:\n  # about b\n  b: 2\n  c: 3\n', 'b: ', '2', 'a:\n  c: 3\n'],
    ['removes the comment after a line', 'a: 1\nb: 2 # two\nc: 3\n', 'b', '2', 'a: 1\nc: 3\n'],
    ['removes a Windows line break', 'a: 1\r\nb: 2\r\nc: 3\r\n', 'b', '2', 'a: 1\r\nc: 3\r\n'],
    ['keeps a comment further left', 'a: 1\n# about l\nl:\n  - 2\n', '- 2', '2', 'a: 1\n# about l\nl:\n'],
  ])('%s', (_name, text, first, last, expected) => {
    expect(applyTextEdits(text, [removeLinesAt(text, text.indexOf(first), text.lastIndexOf(last))])).toBe(expected);
  });
});

test('keeps millions of empty lines, in linear time', () => {
  const text = `a${'\n'.repeat(3_000_000)}b`;
  expect(applyTextEdits(text, [{ start: 0, end: 1, text: 'c' }])).toBe(`c${text.slice(1)}`);
});
