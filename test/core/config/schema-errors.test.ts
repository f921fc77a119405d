import { describe, expect, test, vi } from 'vitest';
import { pathSet } from '../../../src/core/config/path-set.ts';
import { describeSchemaError, isNotReportedYet } from '../../../src/core/config/schema-errors.ts';
import { createValidator } from '../../../src/core/config/validator.ts';

/** Returns the errors of a value, as `code path | summary | hint`. */
function errorsOf(schema: object, value: unknown, written?: string): string[] {
  const checked = createValidator<unknown>(schema)(value);
  if ('value' in checked) return [];
  return checked.errors.map((error) => {
    const { code, path, summary, hint } = describeSchemaError(error, written);
    return [`${code} ${path.join('.')}`, summary, typeof hint === 'function' ? hint() : hint].filter(Boolean).join(' | ');
  });
}

const entry = {
  type: 'object',
  additionalProperties: false,
  required: ['repeat'],
  properties: {
    repeat: { description: 'How often.', type: 'integer', minimum: -1 },
    desc: { type: 'string', maxLength: 5, pattern: '^[a-z]' },
    active: { enum: [0, 1] },
    unit: { type: 'string', enum: ['days', 'months'] },
    on: { type: 'boolean' },
    list: { type: 'array', maxItems: 1, uniqueItems: true, items: { type: 'string' } },
  },
};
const root = { type: 'object', properties: { entry }, additionalProperties: entry };

test('createValidator returns a valid value without errors', () => {
  expect(createValidator<{ a: number }>({ properties: { a: { type: 'integer' } } })({ a: 1 })).toEqual({ value: { a: 1 } });
});

test('createValidator writes defaults only with the option `defaults`', () => {
  const schema = { type: 'object', properties: { a: { type: 'object', default: {}, properties: { b: { default: 3 } } } } };
  expect(createValidator<unknown>(schema, true)({})).toEqual({ value: { a: { b: 3 } } });
  expect(createValidator<unknown>(schema)({})).toEqual({ value: {} });
});

test('isNotReportedYet rejects an error at a path that has a finding already, unless the value is a number', () => {
  const isNew = (path: readonly string[], value: unknown) =>
    isNotReportedYet({ path, value, keyword: 'type', keywordValue: 'string', schema: {} }, pathSet([['a']]));
  expect([isNew(['a', 'b'], null), isNew(['a', 'b'], 5), isNew(['c'], null)]).toEqual([false, true, true]);
});

describe('describeSchemaError', () => {
  test.each([
    [{ repeat: 1, dsc: 'x' }, 'unknown-key entry.dsc | unknown key `dsc` in `entry` | Did you mean `desc`?'],
    [
      { repeat: 1, colour: 'x' },
      'unknown-key entry.colour | unknown key `colour` in `entry` | Known here: active, desc, list, on, repeat, unit.',
    ],
    [{ repeat: 1, id: 'x' }, 'unknown-key entry.id | unknown key `id` in `entry` | The service sets it; leave it out.'],
    [{ repeat: 1, lastmod: 5 }, 'unknown-key entry.lastmod | unknown key `lastmod` in `entry` | The service sets it; leave it out.'],
    [{}, 'missing-key entry | `entry` needs the key `repeat` | How often.'],
    [{ repeat: '5' }, 'wrong-type entry.repeat | `repeat` must be a whole number, not "5" | Write it without quotes.'],
    [{ repeat: 'x' }, 'wrong-type entry.repeat | `repeat` must be a whole number, not "x" | Write a whole number, such as 30.'],
    [{ repeat: 1.5 }, 'wrong-type entry.repeat | `repeat` must be a whole number, not 1.5 | Write it without a fraction.'],
    [{ repeat: [1] }, 'wrong-type entry.repeat | `repeat` must be a whole number, not a list'],
    [{ repeat: {} }, 'wrong-type entry.repeat | `repeat` must be a whole number, not a map'],
    [{ repeat: -2 }, 'out-of-range entry.repeat | `repeat` must be at least -1; it is -2'],
    [{ repeat: 1, desc: true }, 'wrong-type entry.desc | `desc` must be a text, not true | Put it in quotes: "true"'],
    [{ repeat: 1, desc: 'abcdef' }, 'out-of-range entry.desc | `desc` must have at most 5 characters'],
    [{ repeat: 1, desc: 'A' }, 'invalid-value entry.desc | `desc` cannot be "A" | It must match ^[a-z]'],
    [{ repeat: 1, active: 2 }, 'invalid-value entry.active | `active` must be one of 0, 1; it is 2'],
    [{ repeat: 1, active: '1' }, 'invalid-value entry.active | `active` must be one of 0, 1; it is "1" | Write it without quotes.'],
    [{ repeat: 1, active: [Object.create(null)] }, 'invalid-value entry.active | `active` must be one of 0, 1; it is a list'],
    [
      { repeat: 1, on: Object.create(null) },
      'wrong-type entry.on | `on` must be true or false, not a map | Write true or false, without quotes.',
    ],
    [
      { repeat: 1, on: 0 },
      'wrong-type entry.on | `on` must be true or false, not 0 | Write false in its place; only true and false are switches in YAML 1.2.',
    ],
    [{ repeat: 1, active: Object.create(null) }, 'invalid-value entry.active | `active` must be one of 0, 1; it is a map'],
    [{ repeat: 1, unit: 'day' }, 'invalid-value entry.unit | `unit` must be one of days, months; it is "day" | Did you mean `days`?'],
    [{ repeat: 1, on: 'true' }, 'wrong-type entry.on | `on` must be true or false, not "true" | Write true or false, without quotes.'],
    [
      { repeat: 1, on: 'yes' },
      'wrong-type entry.on | `on` must be true or false, not "yes" | Write true in its place; only true and false are switches in YAML 1.2.',
    ],
    [{ repeat: 1, list: ['a', 'b'] }, 'out-of-range entry.list | `list` must have at most 1 items'],
    [{ repeat: 1, list: [true] }, 'wrong-type entry.list.0 | `list[0]` must be a text, not true | Put it in quotes: "true"'],
  ])('says what is wrong with %j', (value, expected) => {
    expect(errorsOf(root, { entry: value })).toEqual([expected]);
  });

  test('describes a number instead of a text as an ID without quotes, as written', () => {
    expect(errorsOf({ type: 'string' }, 7, '0007')).toEqual([
      'unquoted-id  | the content must be a text, but YAML reads `0007` as a number | Put it in quotes: "0007"',
    ]);
    expect(errorsOf({ type: ['string', 'object'] }, 7)[0]).toContain('must be a text or a map, but YAML reads `7` as a number');
  });

  test('describes a duplicate item, an invalid key, a constant and a length', () => {
    expect(errorsOf({ properties: { x: { uniqueItems: true } } }, { x: ['a', 'b', 'a'] })).toEqual([
      'duplicate-item x.2 | `x[2]` is in the list already | Leave it out.',
    ]);
    expect(errorsOf({ propertyNames: { pattern: '^[a-z]+$' } }, { A1: 1 })).toEqual([
      'invalid-key A1 | `A1` cannot be a key here | It must match ^[a-z]+$',
    ]);
    expect(errorsOf({ propertyNames: { minLength: 1 } }, { '': 1 })).toEqual(['invalid-key  | `` cannot be a key here']);
    expect(errorsOf({ const: 1 }, 2)).toEqual(['invalid-value  | the content must be 1; it is 2']);
    expect(errorsOf({ not: { type: 'string' } }, 'x')).toEqual(['invalid-value  | the content cannot be "x"']);
    expect(errorsOf({ minProperties: 1 }, {})).toEqual(['out-of-range  | the content must have at least 1 entries']);
  });

  test('truncates long values', () => {
    expect(errorsOf({ type: 'integer' }, 'x'.repeat(5_000))[0]?.length).toBeLessThan(200);
    expect(errorsOf({ additionalProperties: false }, { ['x'.repeat(5_000)]: 1 })[0]).toContain(`\`${'x'.repeat(80)}...\``);
  });

  test('returns paths with slashes and tildes in keys, and with list indexes', () => {
    const schema = { additionalProperties: { items: { properties: { a: { type: 'string' } } } } };
    const checked = createValidator<unknown>(schema)({ 'x/~y': [{}, { a: true }] });
    expect('errors' in checked && checked.errors[0]?.path).toEqual(['x/~y', 1, 'a']);
  });
});

describe('createValidator, for alternatives,', () => {
  const form = (key: string, type: string) => ({
    type: 'object',
    additionalProperties: false,
    required: [key],
    properties: { [key]: { type } },
  });
  const either = {
    definitions: { text: { type: 'string', minLength: 2 } },
    oneOf: [form('beam', 'string'), form('ad', 'integer'), { $ref: '#/definitions/text' }],
  };

  test.each([
    [
      'anyOf',
      'an error in the form that was meant',
      { beam: true },
      'wrong-type beam | `beam` must be a text, not true | Put it in quotes: "true"',
    ],
    ['anyOf', 'the other form', { ad: 'x' }, 'wrong-type ad | `ad` must be a whole number, not "x" | Write a whole number, such as 30.'],
    ['anyOf', 'a form behind a reference', 'x', 'out-of-range  | the content must have at least 2 characters'],
    [
      'anyOf',
      'no type fits',
      [],
      'wrong-type  | the content must be a map or a text, not a list | Write keys with a colon here, without a dash in front of them.',
    ],
    [
      'anyOf',
      'a number where a text is one of the types',
      5,
      'unquoted-id  | the content must be a map or a text, but YAML reads `5` as a number | Put it in quotes: "5"',
    ],
    ['anyOf', 'neither form', {}, 'invalid-value  | the content must have exactly one of these forms: `beam`, `ad`'],
    ['anyOf', 'both forms', { beam: 'x', ad: 1 }, 'invalid-value  | the content must have exactly one of these forms: `beam`, `ad`'],
  ])('%s: %s', (_keyword, _what, value, expected) => {
    expect(errorsOf(either, value)).toEqual([expected]);
    expect(errorsOf({ definitions: either.definitions, anyOf: either.oneOf }, value)).toEqual([expected]);
  });

  test('reports two forms at once', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, oneOf: [{ required: ['a'] }, { required: ['b', 'c'] }] };
    expect(errorsOf(schema, { a: 1, b: 1, c: 1 })).toEqual([
      'invalid-value  | the content must have exactly one of these forms: `a`, `b` with `c`',
    ]);
    expect(errorsOf(schema, { a: 'x' })).toEqual([
      'wrong-type a | `a` must be a whole number, not "x" | Write a whole number, such as 30.',
    ]);
  });

  test('keeps an error beside the alternatives', () => {
    const schema = { additionalProperties: { minProperties: 3, anyOf: [form('beam', 'string'), form('ad', 'integer')] } };
    expect(errorsOf(schema, { x: { beam: 1 } }, '1')).toEqual([
      'unquoted-id x.beam | `beam` must be a text, but YAML reads `1` as a number | Put it in quotes: "1"',
      'out-of-range x | `x` must have at least 3 entries',
    ]);
  });

  test('handles alternatives within alternatives', () => {
    const schema = { anyOf: [{ type: 'array', items: { anyOf: [{ type: 'string' }, form('ad', 'integer')] } }, { type: 'boolean' }] };
    expect(errorsOf(schema, ['a', { ad: 'x' }])).toEqual([
      'wrong-type 1.ad | `ad` must be a whole number, not "x" | Write a whole number, such as 30.',
    ]);
  });

  test('reports a condition once', () => {
    const schema: object = JSON.parse('{ "if": { "properties": { "a": { "const": 1 } } }, "then": { "required": ["b"] } }');
    expect(errorsOf(schema, { a: 1 })).toEqual(['missing-key  | the content needs the key `b`']);
  });
});

describe('many errors', () => {
  const item = { type: 'object', required: ['a'], properties: { a: { $ref: '#/definitions/inner' } } };
  const schema = { definitions: { item, inner: { type: 'object', required: ['b'], items: { $ref: '#/definitions/item' } } } };
  const listed = { ...schema, items: { $ref: '#/definitions/item' } };
  const chosen = { ...schema, anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#/definitions/item' } }] };

  /** Counts the items that are copied from list to list while the errors of a list of `count` wrong items are found. */
  function copied(of: object, count: number): number {
    const check = createValidator<unknown>(of);
    check([{ a: {} }]);
    const concat = vi.spyOn(Array.prototype, 'concat');
    const checked = check(Array.from({ length: count }, () => ({ a: {} })));
    const copies = concat.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    concat.mockRestore();
    expect('errors' in checked && checked.errors).toHaveLength(count);
    return copies;
  }

  test.each([
    ['a list', listed],
    ['an alternative', chosen],
  ])('of %s are collected in linear time', (_where, of) => {
    expect(copied(of, 200)).toBeLessThanOrEqual(2 * copied(of, 100));
  });

  test('may be more than a call can have arguments', () => {
    expect(copied(chosen, 200_000)).toBe(0);
  });
});
