import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../../src/core/config/yaml/parse.ts';
import { writeYaml } from '../../../../src/core/config/yaml/syntax-nodes.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { rounds } from '../../../support/figures.ts';
import { anyText, assertProperty } from '../../../support/property.ts';

const parse = (text: string) => parseYaml(new TextEncoder().encode(text));
const codes = (text: string) => parse(text).errors.map(({ line, column, code }) => `${line}:${column} ${code}`);

describe('parseYaml', () => {
  test('returns plain values in the order of the documents, without empty documents', () => {
    expect(parse('a: 1\n---\n# nothing\n---\nb: [x, true, null, -1.5]\n').documents).toEqual([{ a: 1 }, { b: ['x', true, null, -1.5] }]);
    expect(parse('').documents).toEqual([]);
    expect(parse('# only a comment\n')).toMatchObject({ documents: [], errors: [] });
  });

  test('returns maps without a prototype, so that no key reads an inherited member', () => {
    const [document] = parse('a: {}').documents;
    expect(Object.getPrototypeOf(document)).toBeNull();
    expect(Object.getPrototypeOf(Object(document).a)).toBeNull();
  });

  test('reads keys as texts, as written', () => {
    expect(Object.keys(Object(parse('0x10: a\ntrue: b\n7e5: c\n"": d').documents[0]))).toEqual(['0x10', 'true', '7e5']);
  });

  test('reads YAML 1.2 core schema, whatever a directive says', () => {
    expect(parse('%YAML 1.1\n---\na: yes\nb: 0o17\n').documents).toEqual([{ a: 'yes', b: 15 }]);
  });

  test('ignores a byte order mark', () => {
    const file = parse('\ufeffa: 1');
    expect(file.documents).toEqual([{ a: 1 }]);
    expect(file.locationOf(0, ['a'], 'key')).toMatchObject({ line: 1, column: 1 });
  });

  test('reads an alias as the value of its anchor', () => {
    expect(parse('a: &x { b: 1 }\nc: *x\nd: &x 2\ne: *x').documents).toEqual([{ a: { b: 1 }, c: { b: 1 }, d: 2, e: 2 }]);
  });
});

describe('a closing bracket in the column of its key', () => {
  test.each([
    ['a list', 'ids: [\n  a,\n  b\n]\nx: 1\n', { ids: ['a', 'b'], x: 1 }],
    ['a map', 'schedule: {\n  enabled: false\n}\n', { schedule: { enabled: false } }],
    ['a map with line ends of Windows', 'schedule: {\r\n  enabled: false\r\n}\r\n', { schedule: { enabled: false } }],
    ['a nested list', 'a:\n  b: [\n    1,\n  ]\n  c: 2\n', { a: { b: [1], c: 2 } }],
    ['a list that ends with a comment', 'a: [\n  1, # one\n  # two\n]\nb: 2\n', { a: [1], b: 2 }],
    ['a list in a list of lists', 'a: [\n  [\n    1\n  ],\n  { b: 2\n  }\n]\n', { a: [[1], { b: 2 }] }],
    ['a list beside a block text with such a line', 'a: [\n  1\n]\nb: |\n  x # y\n  ]\n  z\n', { a: [1], b: 'x # y\n]\nz\n' }],
    ['a list that ends with a quoted number sign', "a: [\n  \"b # c\", 'it''s # d', # e\n]\n", { a: ['b # c', "it's # d"] }],
    ['a list with a pair', 'a: [b, c: 1\n]\n', { a: ['b', { c: 1 }] }],
    ['a list beside a quoted text with such a line', 'a: [\n  1\n]\nb: "x #\n  ] y"\n', { a: [1], b: 'x # ] y' }],
  ])('is accepted at the end of %s', (_what, text, wanted) => {
    expect(parse(text)).toMatchObject({ documents: [wanted], errors: [] });
  });

  test('does not change any position', () => {
    const file = parse('a: [\n  1, # one\n]\nb: { c: 2\n}\nd: 3\n');
    expect([file.locationOf(0, ['a', 0]), file.locationOf(0, ['b', 'c']), file.locationOf(0, ['d'])]).toMatchObject([
      { line: 2, column: 3 },
      { line: 4, column: 9 },
      { line: 6, column: 4 },
    ]);
  });

  test('is found in linear time', () => {
    const text = `a: [\n  1\n]\nb: [${' #'.repeat(200_000)}\n  ${'x, '.repeat(1000)}\n]\n${'c: [\n]\n'.repeat(1)}`;
    expect(parse(text).errors).toEqual([]);
  });
});

describe('a layout that js-yaml rejects', () => {
  test.each([
    ['a closing bracket in the column of its key', 'a: [\n  1,\n]\nb: 007\n', { a: [1], b: 7 }, '4:4'],
    [
      'nested closing brackets in the columns of their lines',
      'a:\n  b: [\n    [\n      1\n    ]\n  ]\n  c: 007\n',
      { a: { b: [[1]], c: 7 } },
      '7:6',
    ],
    ['tabs between tokens', 'a:\t{ b:\t1 }\nc:\t007\n', { a: { b: 1 }, c: 7 }, '2:4'],
  ])('is read with its values and places, between valid and invalid documents: %s', (_what, text, value, place) => {
    const file = parse(`x: 1\n---\n${text}---\ny: {\n`);
    expect(file.documents).toEqual([{ x: 1 }, value]);
    const lines = text.split('\n').length + 2;
    const [line, column] = place.split(':').map(Number);
    expect(file.errors).toMatchObject([
      { line: lines + 1, column: 4, summary: 'the bracket that opens here is not closed' },
      { line: Number(line) + 2, column, code: 'ambiguous-number' },
    ]);
  });

  test.each([
    ['block texts', 'a: [\n]\nb: |+\n  c\n   d\n\n\ne: >2-\n    f\n  g\n', { a: [], b: 'c\n d\n\n\n', e: '  f\ng' }],
    [
      'escapes and texts of several lines',
      "a: [\n]\nb: \"c\\td\n  e\"\nf: 'g''h\n\n  i'\nj: k\n  l\n",
      { a: [], b: 'c\td e', f: "g'h\ni", j: 'k l' },
    ],
    ['numbers and absent values', 'a: [\n]\nb: 0x1F\nc:\nd: ~\n', { a: [], b: 31, c: null, d: null }],
    ['anchors and aliases', 'a: &x [\n  1\n]\nb: *x\n', { a: [1], b: [1] }],
  ])('does not change the values beside it: %s', (_what, text, value) => {
    expect(parse(text)).toMatchObject({ documents: [value], errors: [] });
  });

  test.each([
    ['a: [\n]\nb: !x 1\n', '3:4 yaml-syntax'],
    ['a: [\n]\nb: &c: 1\n', '3:4 yaml-syntax'],
    ['a: [\n]\n? [b]\n: c\n', '3:3 yaml-syntax'],
    ['a: [\n]\nb: *c\n', '3:4 alias'],
    ['a: [\n]\nb: 1\nb: 2\n', '4:1 duplicate-key'],
    ['a: [\n]\n: 1\n', '3:1 unsupported-key'],
    ['a: [\n]\n<<: 1\n', '3:1 unsupported-key'],
    ['a: [\n]\nb:\n  -\tc: 1\n', '4:4 yaml-syntax'],
    ['a: [\n]\nb: "\\ud800"\n', '3:4 not-text'],
  ])('does not hide a form that is refused: %j', (text, expected) => {
    expect(codes(text)).toEqual([expected]);
  });

  test('has the same places as in another layout', () => {
    const text = 'a: [\n  1, "x", \'y\',\n  { b: c }\n  ]\nd:\n  - e\n  - |\n    f\n  -\ng:\nh: { i }\n';
    const [readByJsYaml, readByYaml] = [parse(text), parse(text.replace('  ]', ']'))];
    const paths = [[], ['a'], ['a', 0], ['a', 1], ['a', 2], ['a', 3, 'b'], ['d'], ['d', 0], ['d', 1], ['d', 2], ['g'], ['h', 'i'], ['z']];
    const places = (file: typeof readByYaml) =>
      paths.flatMap((path) => [file.locationOf(0, path, 'key'), file.locationOf(0, path, 'value')]);
    expect(readByYaml.documents).toEqual(readByJsYaml.documents);
    expect(places(readByYaml)).toEqual(places(readByJsYaml));
  });
});

describe('a tab between two tokens', () => {
  test.each([
    ['a:\t{}', { a: {} }],
    ['a:\tx\nb: \t"y"\t# c\n', { a: 'x', b: 'y' }],
    ['- \tx\n-\t[]\n- - {\ta:\t1\t}\n', ['x', [], [{ a: 1 }]]],
    ['a: [1,\t2 ,\t3]\nb:\t{ c: "d"\t}\n', { a: [1, 2, 3], b: { c: 'd' } }],
    ['a: ["x\ty",\t\'\t\', b\tc\t]\n', { a: ['x\ty', '\t', 'b\tc'] }],
    ['a:\t{\n  b:\t1, # c\td\n}\n', { a: { b: 1 } }],
    ['a: [\n  1\n]\nb:\t{}\n', { a: [1], b: {} }],
    ['a:\t[]\nb: |\n  c\td\n  \te\n', { a: [], b: 'c\td\n\te\n' }],
    ['a:\t&x { b: 1 }\nc:\t*x\nd: &y\t[]\n', { a: { b: 1 }, c: { b: 1 }, d: [] }],
    ['a:\t&x\n  b: 1\n', { a: { b: 1 } }],
    ['---\t{ a: 1 }', { a: 1 }],
  ])('is read as a space: %j', (text, wanted) => {
    expect(parse(text)).toMatchObject({ documents: [wanted], errors: [] });
  });

  test('does not hide a tab that indents a block', () => {
    expect(parse('a:\t{}\nb:\n  -\tc: 1\n').errors).toMatchObject([{ line: 3, column: 4, summary: 'a tab is used for indentation' }]);
    expect(codes('a:\t{}\nb:\n\tc: 1\n')).toEqual(['3:1 yaml-syntax']);
  });

  test('does not hide another error', () => {
    expect(codes('a:\t{}\nb: [1\n')).toEqual(['2:4 yaml-syntax']);
    expect(codes('a: [\n  1\n]\nb: @x\n')).toEqual(['4:4 yaml-syntax']);
  });

  test('leaves every position where it is', () => {
    expect(parse('a:\t{ b:\t1 }\n').locationOf(0, ['a', 'b'])).toEqual({ line: 1, column: 9, written: '1' });
  });
});

describe('a reserved character', () => {
  test.each([
    ['@a: 1', '1:1'],
    ['`a: 1', '1:1'],
    ['%a: 1', '1:1'],
    ['  %a: 1', '1:3'],
    ['a:\n  @b: 1', '2:3'],
    ['a:\n  `b: 1', '2:3'],
    ['a:\n  %b: 1', '2:3'],
    ['a: 1\n%b: 2', '2:1'],
    ['a:\n  - @b: 1', '2:5'],
    ['a: @b', '1:4'],
    ['- %a', '1:3'],
    ['{ @a: 1 }', '1:3'],
    ['[b, `a]', '1:5'],
  ])('at the beginning of a key or text is reported with its position: %j', (text, place) => {
    const { errors } = parse(text);
    expect(errors.map(({ line, column }) => `${line}:${column}`)).toEqual([place]);
    expect(errors).toMatchObject([{ summary: 'a key or text cannot begin with @, % or a backquote', hint: 'Put it in quotes.' }]);
  });

  test('is accepted in quotes and within a key or text', () => {
    expect(parse('"@a": "%b"\na@b: c`d\n').documents).toEqual([{ '@a': '%b', 'a@b': 'c`d' }]);
  });

  test('after a closing quote is reported as text after it', () => {
    expect(parse('a: "b" @c').errors).toMatchObject([{ line: 1, column: 8, summary: 'there is text after the closing quote' }]);
  });
});

test('parseYaml accepts a quoted `<<` as an ordinary key, and rejects a plain one as a merge key', () => {
  expect(parse('"<<": 1\na: { \'<<\': { b: 2 } }\n')).toMatchObject({ documents: [{ '<<': 1, a: { '<<': { b: 2 } } }], errors: [] });
  expect(parse('<<: { b: 2 }').errors).toMatchObject([{ line: 1, column: 1, summary: 'merge keys (`<<`) are not supported' }]);
});

describe('parseYaml reports the position of an error', () => {
  test.each([
    ['a: 1\na: 2\n', '2:1 duplicate-key'],
    ['a: { b: 1, b: 2 }', '1:12 duplicate-key'],
    ['__proto__: 1', '1:1 unsupported-key'],
    ['a:\n  constructor: 1', '2:3 unsupported-key'],
    ['prototype: 1', '1:1 unsupported-key'],
    ['a: { <<: { b: 1 } }', '1:6 unsupported-key'],
    ['a: 1\n: 2', '2:1 unsupported-key'],
    ['"\\ud800": 1', '1:1 not-text'],
    ['a: "\\udc00"', '1:4 not-text'],
    ['a: \u0000', '1:1 not-text'],
    ['a: 0123', '1:4 ambiguous-number'],
    ['a: 9007199254740993', '1:4 ambiguous-number'],
    ['a: 7771e33', '1:4 ambiguous-number'],
    ['a: .inf', '1:4 ambiguous-number'],
    ['a: .nan', '1:4 ambiguous-number'],
    ['a: *x', '1:4 alias'],
    ['a: &x [*x]', '1:8 alias'],
    ['a: !x 1', '1:4 yaml-syntax'],
    ['a: !!binary aGk=', '1:4 yaml-syntax'],
    ['!!set { a }', '1:1 yaml-syntax'],
    ['? [a]\n: b', '1:3 yaml-syntax'],
    ['a:\n\tb: 1', '2:1 yaml-syntax'],
    ['a: b: c', '1:4 yaml-syntax'],
    ['a: "b', '1:4 yaml-syntax'],
    ['a: [1', '1:4 yaml-syntax'],
    ['%BAD\n---\na: 1', '1:1 yaml-syntax'],
    ['a: @x', '1:4 yaml-syntax'],
  ])('in %j', (text, expected) => {
    expect(codes(text)).toEqual([expected]);
  });

  test.each([
    ['%YAML 1.2\n---\na: 1', '1:1 yaml-syntax'],
    ['%TAG !e! tag:e,2000:\n---\na: 1', '1:1 yaml-syntax'],
    ['a: !!str 1', '1:4 yaml-syntax'],
    ['a: ! 1', '1:4 yaml-syntax'],
    ['!!str a: 1', '1:1 yaml-syntax'],
    ['1: a\n"1": b', '2:1 duplicate-key'],
    ['*a : 1', '1:1 yaml-syntax'],
    ['{ [a]: 1 }', '1:3 yaml-syntax'],
    ['a: b\rc: d', '1:5 yaml-syntax'],
    ['a: 1\n\ufeffb: 2', '2:1 yaml-syntax'],
    ['...\na: 1', '1:1 yaml-syntax'],
    ['a: 1\n... b', '2:1 yaml-syntax'],
    ['a:\n\t\nb: 1', '2:1 yaml-syntax'],
    ['a: x\n\t\n  y', '2:1 yaml-syntax'],
    ['-\t&x a', '1:2 yaml-syntax'],
    ['?\t&x a\n: b', '1:2 yaml-syntax'],
    ['  %b\n---\na: 1', '1:3 yaml-syntax'],
    ['  ---\na: 1', '1:3 yaml-syntax'],
    ['? a\n\t: b', '2:1 yaml-syntax'],
    ['a: &x b: c', '1:4 yaml-syntax'],
    ['a: &b: c', '1:4 yaml-syntax'],
    ['a: "x\\U00110000"', '1:6 yaml-syntax'],
    ['a: "x\\\n\t\n y"', '1:6 yaml-syntax'],
    ['|1\n  a', '1:1 yaml-syntax'],
    ['a: |-\n  b\n    \nc: 1', '1:4 yaml-syntax'],
    [`${'k'.repeat(1_025)}: 1`, '1:1 yaml-syntax'],
    ['a: 1e999', '1:4 ambiguous-number'],
  ])('in %j, which parsers read differently', (text, expected) => {
    expect(codes(text)).toEqual([expected]);
  });

  test('and the line of the first of two equal keys', () => {
    expect(parse('x: 0\na: 1\nb: 2\na: 3').errors[0]?.otherPlace).toEqual({ line: 2 });
  });

  test('and reads the other documents', () => {
    const file = parse('a: 1\n---\nb: [\n---\nc: 3\n');
    expect(file.errors).toHaveLength(1);
    expect(file.documents).toContainEqual({ a: 1 });
  });

  test('at the quote that is not closed, unless a quote closes it on a line that is not indented enough', () => {
    for (const text of ['a: "b\nc: 1\n', "a: 'b\nc: 1\n", 'a: "b\nc: "d"\n', '- "b\n- "c"\n', '- - "a', '{ a: "b }\n']) {
      expect(parse(text).errors).toMatchObject([
        { line: 1, column: text.search(/["']/) + 1, summary: 'the quote that opens here is not closed' },
      ]);
    }
    for (const text of ['a: "b\nc"\n', 'a: [1,\nb]'])
      expect(parse(text).errors).toMatchObject([
        { line: 2, column: 1, summary: 'this line is within quotes or brackets, and begins in column 1' },
      ]);
  });

  test('once for each invalid document', () => {
    expect(codes('a: [\n---\nb: 1\n---\nc: @x\n---\nd: 1\nd: 2\n')).toEqual(['1:4 yaml-syntax', '5:4 yaml-syntax', '8:1 duplicate-key']);
  });

  test('of a quote that is not closed, which hides the documents after it', () => {
    const file = parse('a: 1\n---\nb: "\n---\nc: 1\nc: 2\n');
    expect(file.errors).toMatchObject([{ line: 3, column: 4, summary: 'the quote that opens here is not closed' }]);
    expect(file.documents).toEqual([{ a: 1 }]);
  });

  test('also beside a rejected tag or key', () => {
    expect(codes('a: !x 1\nb: 007\n? [c]\n: 1\n')).toEqual(['1:4 yaml-syntax', '2:4 ambiguous-number', '3:3 yaml-syntax']);
  });

  test('without quoting the file', () => {
    for (const text of [
      'key: "SECRET',
      'key: !SECRET x',
      'key: *SECRET',
      'key: "\\SECRET"',
      'key: @SECRET',
      'SECRET\nkey: x',
      'key: SECRET: x',
      '- [SECRET',
      'a: 1\nSECRET\nkey: x',
      'a: "SECRET" SECRET',
      '<<<<<<< SECRET\na: 1',
    ]) {
      const { errors } = parse(text);
      expect(errors).not.toEqual([]);
      expect(JSON.stringify(errors)).not.toContain('SECRET');
    }
  });
});

describe('the nesting limit', () => {
  const flow = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const block = (depth: number) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:`).join('\n');

  test('allows 64 levels, and rejects 65', () => {
    expect(codes(flow(64))).toEqual([]);
    expect(codes(`${block(64)} x`)).toEqual([]);
    expect(codes(flow(65))).toEqual(['1:66 too-deep']);
    expect(codes(`${block(65)} x`)).toEqual([expect.stringContaining('too-deep')]);
  });

  test('rejects any depth of any form without harm, any number of times', () => {
    for (const text of [flow(20_000), '['.repeat(100_000), '- '.repeat(20_000), '? '.repeat(20_000), '{a: '.repeat(20_000), block(1_000)]) {
      expect(codes(text)).toEqual([expect.stringContaining('too-deep')]);
    }
  });
});

describe('the limit of aliases', () => {
  test('counts the values that aliases repeat', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) =>
        `a${level}: &a${level} [${Array(9)
          .fill(level === 0 ? 'x' : `*a${level - 1}`)
          .join(', ')}]`,
    );
    const file = parse(levels.join('\n'));
    expect(file.errors.map((error) => error.code)).toEqual(['alias']);
    expect(JSON.stringify(file.documents).length).toBeLessThan(2_000_000);
  });

  test('rejects long chains of aliases', () => {
    const chain = Array.from({ length: 3_000 }, (_, index) => (index === 0 ? '- &a0 [x]' : `- &a${index} [*a${index - 1}]`));
    expect(parse(chain.join('\n')).errors.map((error) => error.code)).toEqual(['alias']);
  });
});

describe('YamlFile.locationOf', () => {
  const text = 'a:\n  b: "x"\n  list:\n    - one\n    - { two: 2 }\n  empty:\nc: *q\n---\nd: 007\n';
  const file = parse(text);

  test.each([
    [0, ['a', 'b'], 'value', { line: 2, column: 6, written: '"x"' }],
    [0, ['a', 'b'], 'key', { line: 2, column: 3, written: '"x"' }],
    [0, ['a', 'list', 1, 'two'], 'value', { line: 5, column: 14, written: '2' }],
    [0, ['a', 'list', 0], 'key', { line: 4, column: 7, written: 'one' }],
    [0, ['a', 'list', 1], 'value', { line: 5, column: 7, written: undefined }],
    [0, ['c'], 'value', { line: 7, column: 4, written: undefined }],
    [1, ['d'], 'value', { line: 9, column: 4, written: '007' }],
    [1, [], 'value', { line: 9, column: 1, written: undefined }],
  ] as const)('returns the position in document %i of path %j, point %s', (document, path, point, expected) => {
    expect(file.locationOf(document, path, point)).toEqual(expected);
  });

  test('returns the key for a block below it and for an absent value', () => {
    expect(file.locationOf(0, ['a'])).toEqual({ line: 1, column: 1, written: undefined });
    expect(file.locationOf(0, ['a', 'list'])).toEqual({ line: 3, column: 3, written: undefined });
    expect(file.locationOf(0, ['a', 'empty'])).toEqual({ line: 6, column: 3, written: '' });
  });

  test('returns the nearest existing ancestor of a missing path', () => {
    expect(file.locationOf(0, ['a', 'b', 'x'])).toEqual({ line: 2, column: 6, written: undefined });
    expect(file.locationOf(0, ['a', 'list', 7, 'x'])).toEqual({ line: 3, column: 3, written: undefined });
    expect(file.locationOf(0, ['z'], 'key')).toEqual({ line: 1, column: 1, written: undefined });
    expect(file.locationOf(5, ['z'])).toEqual({ line: 1, column: 1, written: undefined });
  });

  test('counts columns in UTF-16 code units, and ends lines at line feeds', () => {
    expect(parse('a: "😀", \r\nb: 1').errors[0]).toMatchObject({ line: 1 });
    expect(parse('["😀", 0123]').errors[0]).toMatchObject({ line: 1, column: 8 });
    expect(file.line(2)).toBe('  b: "x"');
  });

  test('returns no lines for a file that is not text', () => {
    const binary = parseYaml(new Uint8Array([0xff]));
    expect([binary.line(1), binary.locationOf(0, ['a'])]).toEqual(['', { line: 1, column: 1, written: undefined }]);
  });
});

describe('parseYaml, for random input,', () => {
  test('never throws', () => {
    const pieces = fc.constantFrom(
      'a: ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '&x ',
      '*x',
      '!t ',
      '|\n',
      '>\n',
      '"',
      "'",
      '\n',
      '  ',
      '\t',
      '---\n',
      '...\n',
      '? ',
      ': ',
      '<<: ',
      '%YAML 1.1\n',
      '#',
      ',',
      '0123',
      '\u0000',
      '\x02',
      '\x1f',
      '\u0085',
    );
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => Array.isArray(parseYaml(bytes).errors)),
      { numRuns: 300 },
    );
    assertProperty(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const file = parse(parts.join(''));
        for (const error of file.errors) expect(error.line).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  const name = fc.string({ minLength: 1, maxLength: 6 }).filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
  const leaf = fc.oneof(
    fc.string(),
    anyText(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(
      '0123',
      '7e5',
      'null',
      '~',
      'yes',
      '1_000',
      '0x1f',
      '',
      ' a',
      'a: b',
      '- a',
      '$'.concat('{x}'),
      '\u0085',
      '\ufeff',
      'a\nb\n\n',
      '\u2028',
    ),
  );
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;

  test('reads the values that writeYaml wrote', () => {
    assertProperty(
      fc.property(fc.dictionary(name, json, { noNullPrototype: true }), (value) => {
        const file = parse(writeYaml(value));
        expect(file.errors).toEqual([]);
        expect(JSON.stringify(file.documents[0] ?? {})).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
  });
});

test('writeYaml quotes texts that a YAML 1.1 parser would read as another type', () => {
  expect(writeYaml({ id: '7771e33', yes: 'yes', octal: '017' })).toBe('id: "7771e33"\n"yes": "yes"\noctal: "017"\n');
});

test('writeYaml never writes a workflow command of a CI system', () => {
  const value = { '::error::key': ['::set-output name=x::y', '##vso[task]x', 'a ##[group]', '\\##[x]'], '##[key]': '\n##[x]' };
  const text = writeYaml(value);
  expect(text).not.toMatch(/^[\s-]*::|##\w*\[/m);
  expect(JSON.stringify(parse(text).documents[0])).toBe(JSON.stringify(value));
});

test.each([
  ...[' ', '\n', '- ', '- \n', 'a: ', 'a:\n', '# ', '[', '{a: ', '"', "'", 'a', '1', ' #', '---\n', '...\n', ':\n', '\t\n', '\n\t'],
  ...['- |\n', '? a\n', '[a]: b\n', '*a\n', '!x\n', '\\\n', '%\n', '\ufeff\n', '\r'],
])('parseYaml reads or rejects thousands of %j in short time', (piece) => {
  for (const head of ['', 'a: ', 'a: [b', '- {a: "', "a: 'b", '- |\n  ', '&a [']) {
    const file = parse(head + piece.repeat(rounds(15_000, 60_000) / piece.length));
    expect(file.locationOf(0, ['a']).line).toBeGreaterThan(0);
  }
});

test.each([
  ['a b', ' ', 'c\n  d'],
  ['a: |\n  b\n', ' ', 'c'],
  ['a: |\n  b\n', ' ', '\n'],
  ['a:\n', ' ', '\tb'],
  ['a: x\n  ', '\t', 'y'],
  ['a:', '\t', '&x y'],
  ['a: "x', ' ', '\\\n y"'],
  ['a: x', ' ', '# c\t'],
])('parseYaml reads or rejects %j, a million times %j, and %j in short time', (head, piece, end) => {
  expect(parse(head + piece.repeat(1_000_000) + end).errors.length).toBeLessThanOrEqual(1);
});

test.each([
  ['a:\t[', '[\t], ', ']'],
  ['a:\t{ b: [', '{\t}, ', ']\n}'],
  ['a: [b', '\n\t\n, c', ']'],
  ['', '- \n', '\t'],
  ['', '---\n- \n', '\t'],
  ['a: [', '"b", ', ''],
  ['a: b: ', '| c: ', ''],
  ['a: b: ', '"c" ', ''],
])('parseYaml reads or rejects %j, very often %j, and %j in linear time', (head, piece, end) => {
  expect(parse(head + piece.repeat(rounds(50_000, 200_000)) + end).errors.length).toBeLessThanOrEqual(1);
});

test.each(['[', ']', '}', ',', '"', '&a ', '? ', '- ', '\\', '*a ', '!x ', '...\n', ': ', '{a: ]'])(
  'parseYaml rejects a file that repeats `%s` before it uses much memory',
  (piece) => {
    for (const head of ['', 'a: [', 'a: "']) {
      const file = parse(head + piece.repeat(rounds(75_000, 300_000) / piece.length));
      expect(file.errors.length).toBeLessThanOrEqual(2);
      expect(file.documents.length + file.errors.length).toBeGreaterThan(0);
    }
  },
);
