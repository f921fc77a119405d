/** Edits within brackets: one change is made in its place; several changes rewrite the brackets, unless a comment would be lost. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/core/model/json.ts';
import { editedText } from './fixture.ts';

/** The title, the text after `a: `, its new value, and the text after the edit; null = the text cannot be edited in place. */
type Rows = readonly (readonly [title: string, before: string, is: Json, after: string | null])[];

const rows = (table: Rows) => table;

function expectEdited(_title: string, before: string, is: Json, after: string | null): void {
  expect(editedText(`a: ${before} # c\nb: 1\n`, { a: is, b: 1 })).toBe(after === null ? null : `a: ${after} # c\nb: 1\n`);
}

describe('a member', () => {
  test.each(
    rows([
      ['changes in its place', '{ x: 1,  v:  2 }', { x: 1, v: 3 }, '{ x: 1,  v:  3 }'],
      ['changes with all others', '{ x: 1, v: 2 }', { x: 8, v: 9 }, '{ x: 8, v: 9 }'],
      ['changes within brackets within brackets', '{ x: { v: [1, 2] } }', { x: { v: [1, 3] } }, '{ x: { v: [1, 3] } }'],
      ['becomes a map in the same line', '{ x: { v: 1 } }', { x: { v: { z: 1 } } }, '{ x: { v: { z: 1 } } }'],
      ['becomes an empty list', '{ x: 1 }', { x: [] }, '{ x: [] }'],
      ['keeps its quotes', `{ x: 'q', v: "r" }`, { x: "it's", v: 's' }, `{ x: 'it''s', v: "s" }`],
      ['is quoted where brackets ask for it', '{ x: q }', { x: 'one, two' }, '{ x: "one, two" }'],
      ['gets a space after a colon that had none', '{"x":1}', { x: 2 }, '{"x": 2}'],
      ['gets a value that it had not', '{ x: , v: 1 }', { x: 2, v: 1 }, '{ x: 2, v: 1 }'],
      ['without a colon cannot be edited in place', '{ x, v: 1 }', { x: 2, v: 1 }, null],
      ['is added at the end', '{ x: 1, v: 2 }', { x: 1, v: 2, z: [1, { q: 'w' }] }, '{ x: 1, v: 2, z: [ 1, { q: w } ] }'],
      ['is added without padding where there is none', '{x: 1}', { x: 1, z: 3 }, '{x: 1, z: 3}'],
      [
        'is added at the end of several lines',
        '{\n  x: 1, # one\n  v: 2 # two\n  }',
        { x: 1, v: 2, z: 3 },
        '{\n  x: 1, # one\n  v: 2, z: 3 # two\n  }',
      ],
      ['is added while another changes', '{ x: 1 }', { x: 2, z: 3 }, '{ x: 2, z: 3 }'],
      ['is added as null', '{ x: 1 }', { x: 1, z: null }, '{ x: 1, z: null }'],
      ['is removed from the end', '{ x: 1, v: 2 }', { x: 1 }, '{ x: 1 }'],
      ['is removed from the beginning', '{ x: 1, v: 2 }', { v: 2 }, '{ v: 2 }'],
      ['is removed from the middle', '{ x: 1, v: 2, z: 3 }', { x: 1, z: 3 }, '{ x: 1, z: 3 }'],
      ['is removed while another changes', '{ x: 1, v: 2 }', { v: 3 }, '{ v: 3 }'],
      ['is added into brackets without any', '{}', { x: 1 }, '{ x: 1 }'],
      ['is added into brackets with a space', '{ }', { x: 1 }, '{ x: 1 }'],
      ['is removed as the only one', '{ x: 1 }', {}, '{}'],
      ['is removed as the only one, and another is added', '{x: 1}', { z: 2 }, '{z: 2}'],
      ['is removed, and another is added', '{ x: 1, v: 2 }', { v: 2, z: 3 }, '{ v: 2, z: 3 }'],
      ['is removed from brackets without padding, and another is added', '{x: 1, v: 2}', { v: 2, z: 3 }, '{v: 2, z: 3}'],
    ]),
  )('%s', expectEdited);
});

describe('an item', () => {
  test.each(
    rows([
      ['changes in its place', '[{ x: 1 }, {x: 2}]', [{ x: 1 }, { x: 3 }], '[{ x: 1 }, {x: 3}]'],
      ['changes as a pair', '[x: 1, v: 2]', [{ x: 1 }, { v: 3 }], '[x: 1, v: 3]'],
      ['that is another text is written again', '[x, v]', ['x', 'w'], '[x, w]'],
      ['is added at the end', '[1, 2]', [1, 2, 3], '[1, 2, 3]'],
      ['is added at the beginning', '[1, 2]', [0, 1, 2], '[0, 1, 2]'],
      ['is added in the middle', '[ 1,  2 ]', [1, 5, 2], '[ 1, 5,  2 ]'],
      ['is quoted like the first', `['x', v]`, ['x', 'v', 'z'], `['x', v, 'z']`],
      ['at the beginning is quoted like the first too', `["x", v]`, ['w', 'x', 'v'], `["w", "x", v]`],
      ['that is a map is added in brackets', '[x: 1, v: 2]', [{ x: 1 }, { z: 3 }, { v: 2 }], '[x: 1, { z: 3 }, v: 2]'],
      ['is added at the end of several lines', '[\n  1, # one\n  2,\n  ]', [1, 2, 3], '[\n  1, # one\n  2, 3,\n  ]'],
      ['is removed from the end', '[1, 2, 3]', [1, 2], '[1, 2]'],
      ['is removed from the beginning', '[1, 2, 3]', [2, 3], '[2, 3]'],
      ['is removed from the middle', '[1, 2, 3]', [1, 3], '[1, 3]'],
      ['is removed while another changes', '[1, { x: 1 }, 3]', [{ x: 2 }, 3], '[{ x: 2 }, 3]'],
      ['is added into brackets without any', '[]', [1, 2], '[ 1, 2 ]'],
      ['is added into brackets with a space', '[ ]', ['x'], '[ x ]'],
      ['is removed as the only one', '[1]', [], '[]'],
      ['is removed with another one', '[1, 2, 3]', [2], '[2]'],
      ['is removed with another one, the padding stays', '[ 1, 2, 3 ]', [2], '[ 2 ]'],
      ['is added with another one', '[1]', [1, 2, 3], '[1, 2, 3]'],
      ['stays padded where others are removed from brackets without', '[{ x: 1 }, 2, 3]', [{ x: 1 }], '[{ x: 1 }]'],
      ['is added beside an alias', '[&x 1, *x]', [1, 1, 2], '[&x 1, *x, 2]'],
      ['is removed, and was an alias', '[3, &x 1, *x]', [3, 1], '[3, &x 1]'],
    ]),
  )('%s', expectEdited);
});

describe('in brackets over several lines', () => {
  test.each(
    rows([
      ['an item is removed from the end', '[\n  1, # one\n  2,\n  3\n  ]', [1, 2], '[\n  1, # one\n  2\n  ]'],
      ['an item is removed with the comment after it', '[\n  1, # one\n  2, # two\n  3\n  ]', [1, 3], '[\n  1, # one\n  3\n  ]'],
      ['the first one is removed with the comment after it', '[\n  1, # one\n  2 # two\n  ]', [2], '[\n  2 # two\n  ]'],
      ['an item stays where the comment of the next one would be lost', '[\n  1,\n  # two\n  2\n  ]', [2], null],
      ['the last one stays where the comment of the one before would be lost', '[\n  1, # one\n  2\n  ]', [1], null],
      ['several are not written again', '[\n  1, # one\n  2,\n  3\n  ]', [3], null],
      ['the only one stays', '{\n  x: 1\n  }', {}, null],
    ]),
  )('%s', expectEdited);
});

describe('several changes in one list are refused if they would rewrite', () => {
  test.each(
    rows([
      ['an alias', '[&x 1, 2, *x, 3]', [1, 2], null],
      ['an anchor', '[&x 1, 2, 3]', [1], null],
      ['an anchor and its alias', '[3, &x 1, *x]', [3], null],
    ]),
  )('refuses to rewrite %s', expectEdited);

  test('an alias alone', () => {
    expect(editedText('a: &x 1\nb: [*x, 2]\n', { a: 1, b: [3] })).toBeNull();
  });
});

describe('a value in brackets', () => {
  test.each(
    rows([
      ['becomes a map where it was a list', '[1]', { x: 1 }, '{ x: 1 }'],
      ['becomes a list where it was a map', '{ x: 1 }', [1], '[ 1 ]'],
      ['becomes a single value', '{ x: 1 }', 'q', 'q'],
      ['becomes null', '[1]', null, 'null'],
    ]),
  )('%s', expectEdited);

  test('is edited where it is the whole document', () => {
    expect(editedText('{ a: 1, b: 2 }\n', { b: 2 })).toBe('{ b: 2 }\n');
    expect(editedText('[1, 2]', [2, 3])).toBe('[2, 3]');
  });
});
