/** What stands in brackets stays in brackets: one thing comes or goes in its place, several are written anew where no comment can be lost. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/json.ts';
import { editedText } from './fixture.ts';

/** What it is about, what stands behind `a: `, what it is to say, and what stands there then; null = it cannot be done in place. */
type Rows = readonly (readonly [what: string, before: string, is: Json, after: string | null])[];

const rows = (given: Rows) => given;

function expectRewritten(_what: string, before: string, is: Json, after: string | null): void {
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
      ['gets a space behind a colon that had none', '{"x":1}', { x: 2 }, '{"x": 2}'],
      ['gets a value that it had not', '{ x: , v: 1 }', { x: 2, v: 1 }, '{ x: 2, v: 1 }'],
      ['without a colon is left to people', '{ x, v: 1 }', { x: 2, v: 1 }, null],
      ['comes at the end', '{ x: 1, v: 2 }', { x: 1, v: 2, z: [1, { q: 'w' }] }, '{ x: 1, v: 2, z: [ 1, { q: w } ] }'],
      ['comes without padding where there is none', '{x: 1}', { x: 1, z: 3 }, '{x: 1, z: 3}'],
      [
        'comes at the end of several lines',
        '{\n  x: 1, # one\n  v: 2 # two\n  }',
        { x: 1, v: 2, z: 3 },
        '{\n  x: 1, # one\n  v: 2, z: 3 # two\n  }',
      ],
      ['comes while another changes', '{ x: 1 }', { x: 2, z: 3 }, '{ x: 2, z: 3 }'],
      ['comes as null', '{ x: 1 }', { x: 1, z: null }, '{ x: 1, z: null }'],
      ['goes from the end', '{ x: 1, v: 2 }', { x: 1 }, '{ x: 1 }'],
      ['goes from the beginning', '{ x: 1, v: 2 }', { v: 2 }, '{ v: 2 }'],
      ['goes from the middle', '{ x: 1, v: 2, z: 3 }', { x: 1, z: 3 }, '{ x: 1, z: 3 }'],
      ['goes while another changes', '{ x: 1, v: 2 }', { v: 3 }, '{ v: 3 }'],
      ['comes into brackets without any', '{}', { x: 1 }, '{ x: 1 }'],
      ['comes into brackets with a space', '{ }', { x: 1 }, '{ x: 1 }'],
      ['goes as the only one', '{ x: 1 }', {}, '{}'],
      ['goes as the only one, and another comes', '{x: 1}', { z: 2 }, '{z: 2}'],
      ['goes, and another comes', '{ x: 1, v: 2 }', { v: 2, z: 3 }, '{ v: 2, z: 3 }'],
      ['goes from where no padding is, and another comes', '{x: 1, v: 2}', { v: 2, z: 3 }, '{v: 2, z: 3}'],
    ]),
  )('%s', expectRewritten);
});

describe('an item', () => {
  test.each(
    rows([
      ['changes in its place', '[{ x: 1 }, {x: 2}]', [{ x: 1 }, { x: 3 }], '[{ x: 1 }, {x: 3}]'],
      ['changes as a pair', '[x: 1, v: 2]', [{ x: 1 }, { v: 3 }], '[x: 1, v: 3]'],
      ['that is another text is written anew', '[x, v]', ['x', 'w'], '[x, w]'],
      ['comes at the end', '[1, 2]', [1, 2, 3], '[1, 2, 3]'],
      ['comes at the beginning', '[1, 2]', [0, 1, 2], '[0, 1, 2]'],
      ['comes in the middle', '[ 1,  2 ]', [1, 5, 2], '[ 1, 5,  2 ]'],
      ['is quoted like the first', `['x', v]`, ['x', 'v', 'z'], `['x', v, 'z']`],
      ['at the beginning is quoted like the first too', `["x", v]`, ['w', 'x', 'v'], `["w", "x", v]`],
      ['that is a map comes in brackets', '[x: 1, v: 2]', [{ x: 1 }, { z: 3 }, { v: 2 }], '[x: 1, { z: 3 }, v: 2]'],
      ['comes at the end of several lines', '[\n  1, # one\n  2,\n  ]', [1, 2, 3], '[\n  1, # one\n  2, 3,\n  ]'],
      ['goes from the end', '[1, 2, 3]', [1, 2], '[1, 2]'],
      ['goes from the beginning', '[1, 2, 3]', [2, 3], '[2, 3]'],
      ['goes from the middle', '[1, 2, 3]', [1, 3], '[1, 3]'],
      ['goes while another changes', '[1, { x: 1 }, 3]', [{ x: 2 }, 3], '[{ x: 2 }, 3]'],
      ['comes into brackets without any', '[]', [1, 2], '[ 1, 2 ]'],
      ['comes into brackets with a space', '[ ]', ['x'], '[ x ]'],
      ['goes as the only one', '[1]', [], '[]'],
      ['goes with another one', '[1, 2, 3]', [2], '[2]'],
      ['goes with another one, the padding stays', '[ 1, 2, 3 ]', [2], '[ 2 ]'],
      ['comes with another one', '[1]', [1, 2, 3], '[1, 2, 3]'],
      ['stays padded where others go from brackets without', '[{ x: 1 }, 2, 3]', [{ x: 1 }], '[{ x: 1 }]'],
      ['comes beside an alias', '[&x 1, *x]', [1, 1, 2], '[&x 1, *x, 2]'],
      ['goes, and was an alias', '[3, &x 1, *x]', [3, 1], '[3, &x 1]'],
    ]),
  )('%s', expectRewritten);
});

describe('in several lines', () => {
  test.each(
    rows([
      ['one goes from the end', '[\n  1, # one\n  2,\n  3\n  ]', [1, 2], '[\n  1, # one\n  2\n  ]'],
      ['one goes with the comment behind it', '[\n  1, # one\n  2, # two\n  3\n  ]', [1, 3], '[\n  1, # one\n  3\n  ]'],
      ['the first one goes with the comment behind it', '[\n  1, # one\n  2 # two\n  ]', [2], '[\n  2 # two\n  ]'],
      ['one stays where the comment of the next one would go', '[\n  1,\n  # two\n  2\n  ]', [2], null],
      ['the last one stays where the comment of the one before would go', '[\n  1, # one\n  2\n  ]', [1], null],
      ['several are not written anew', '[\n  1, # one\n  2,\n  3\n  ]', [3], null],
      ['the only one stays', '{\n  x: 1\n  }', {}, null],
    ]),
  )('%s', expectRewritten);
});

describe('what others may refer to, or what refers to others, is not written anew', () => {
  test.each(
    rows([
      ['an alias', '[&x 1, 2, *x, 3]', [1, 2], null],
      ['an anchor', '[&x 1, 2, 3]', [1], null],
      ['an anchor and its alias', '[3, &x 1, *x]', [3], null],
    ]),
  )('%s', expectRewritten);

  test('an alias alone', () => {
    expect(editedText('a: &x 1\nb: [*x, 2]\n', { a: 1, b: [3] })).toBeNull();
  });
});

describe('brackets of another kind', () => {
  test.each(
    rows([
      ['a list becomes a map', '[1]', { x: 1 }, '{ x: 1 }'],
      ['a map becomes a list', '{ x: 1 }', [1], '[ 1 ]'],
      ['a map becomes a single value', '{ x: 1 }', 'q', 'q'],
      ['a list makes way for null', '[1]', null, 'null'],
    ]),
  )('%s', expectRewritten);

  test('a document in brackets', () => {
    expect(editedText('{ a: 1, b: 2 }\n', { b: 2 })).toBe('{ b: 2 }\n');
    expect(editedText('[1, 2]', [2, 3])).toBe('[2, 3]');
  });
});
