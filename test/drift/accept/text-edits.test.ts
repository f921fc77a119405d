/** Edits by offset are made all at once or not at all, and lines end where both kinds of line break say. */
import { describe, expect, test } from 'vitest';
import {
  applyTextEdits,
  commentsAbove,
  joinEdits,
  lineEnd,
  lineStart,
  removeLinesAt,
  type TextEdit,
} from '../../../src/drift/accept/text-edits.ts';

function edit(start: number, end: number, text: string): TextEdit {
  return { start, end, text };
}

test('parts that can all be done are one list, in their order', () => {
  const [a, b, c] = [edit(5, 6, 'a'), edit(1, 2, 'b'), edit(3, 3, 'c')];
  expect(joinEdits([[a, b], [], [c]])).toEqual([a, b, c]);
  expect(joinEdits([])).toEqual([]);
});

test('nothing is done where one part cannot be', () => {
  expect(joinEdits([[edit(1, 2, 'b')], null, [edit(3, 4, 'c')]])).toBeNull();
});

describe('edits of a text', () => {
  test.each([
    ['none', 'abc\n', [], 'abc\n'],
    ['replaces what stands between two offsets', 'abc\n', [edit(1, 2, 'XY')], 'aXYc\n'],
    ['are made in the order of the text, whatever theirs is', 'abcd\n', [edit(3, 4, 'D'), edit(0, 1, 'A')], 'AbcD\n'],
    ['put in before what is replaced at the same offset', 'abc\n', [edit(1, 2, 'B'), edit(1, 1, '+')], 'a+Bc\n'],
    ['put several in at one offset in their order', 'ab\n', [edit(1, 1, '1'), edit(1, 1, '2'), edit(1, 1, '3')], 'a123b\n'],
    ['may touch each other', 'abc\n', [edit(0, 1, ''), edit(1, 3, 'x')], 'x\n'],
    ['do not overlap', 'abc\n', [edit(0, 2, ''), edit(1, 3, 'x')], undefined],
    ['leave no break behind a last line that had none', 'a\nb', [edit(2, 3, '')], 'a'],
    ['leave none of either kind', 'a\r\nb', [edit(3, 4, '')], 'a'],
    ['take several such breaks away', 'a\n\nb', [edit(3, 4, '')], 'a'],
    ['keep the breaks between lines where the last one has none', 'a\nb', [edit(2, 3, 'c')], 'a\nc'],
    ['keep empty lines at the end of a text that ends with a break', 'a\n\nb\n', [edit(3, 5, '')], 'a\n\n'],
  ])('%s', (_what, text, edits, made) => {
    expect(applyTextEdits(text, edits)).toBe(made);
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
  ])('that holds offset %i begins at %i and ends at %i', (offset, start, end) => {
    expect([lineStart(text, offset), lineEnd(text, offset)]).toEqual([start, end]);
  });

  test('does not end before the offset that was asked for', () => {
    expect(lineEnd('a\r\nb', 2)).toBe(2);
  });

  test('ends with the text where there is no break, without half a break', () => {
    expect([lineEnd('ab', 0), lineEnd('ab\r', 0)]).toEqual([2, 2]);
  });
});

describe('comments above a line', () => {
  test.each([
    ['none', 'a: 1\nb: 2\n', 'b', 0, 5],
    ['one in the same column', 'a: 1\n# b\nb: 2\n', 'b: ', 0, 5],
    ['several', 'a: 1\n# b\n# it is\nb: 2\n', 'b: ', 0, 5],
    ['up to the first line of the text', '# one\n# b\nb: 2\n', 'b: ', 0, 0],
    ['not one behind an empty line', '# a\n\nb: 2\n', 'b: ', 0, 5],
    ['not one in a column to the left', 'a:\n# b\n  b: 2\n', 'b: ', 2, 7],
    ['not one in a column to the right', 'a:\n    # b\n  b: 2\n', 'b: ', 2, 11],
    ['not one behind a value', 'a:\n  c: 1 # b\n  b: 2\n', 'b: ', 2, 14],
    ['not one behind a key, though in that column', 'l: # c\n   b: 2\n', 'b: ', 3, 7],
    ['in its column', 'a:\n  # b\n  b: 2\n', 'b: ', 2, 3],
    ['none above the first line', 'b: 2\n', 'b: ', 0, 0],
  ])('%s', (_what, text, mark, column, start) => {
    expect(commentsAbove(text, text.indexOf(mark), column)).toBe(start);
  });
});

describe('taking lines away', () => {
  test.each([
    ['a line', 'a: 1\nb: 2\nc: 3\n', 'b', 'b', 'a: 1\nc: 3\n'],
    ['several lines', 'a: 1\nb:\n  - 2\nc: 3\n', 'b', '2', 'a: 1\nc: 3\n'],
    ['the last line', 'a: 1\nb: 2\n', 'b', '2', 'a: 1\n'],
    ['the last line without a break', 'a: 1\nb: 2', 'b', '2', 'a: 1'],
    ['a line with the comment above it', 'a:\n  # about b\n  b: 2\n  c: 3\n', 'b: ', '2', 'a:\n  c: 3\n'],
    ['a line with the comment behind it', 'a: 1\nb: 2 # two\nc: 3\n', 'b', '2', 'a: 1\nc: 3\n'],
    ['a line with its break of two characters', 'a: 1\r\nb: 2\r\nc: 3\r\n', 'b', '2', 'a: 1\r\nc: 3\r\n'],
    ['not the comment of what stands further left', 'a: 1\n# about l\nl:\n  - 2\n', '- 2', '2', 'a: 1\n# about l\nl:\n'],
  ])('%s', (_what, text, first, last, left) => {
    expect(applyTextEdits(text, [removeLinesAt(text, text.indexOf(first), text.lastIndexOf(last))])).toBe(left);
  });
});
