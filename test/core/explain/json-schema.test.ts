import { describe, expect, test } from 'vitest';
import { bounds, type JsonSchema, typeOf, unitOf } from '../../../src/core/explain/json-schema.ts';

/** Parts behind references, as a schema has them. */
const PARTS: { readonly [ref: string]: JsonSchema } = { track: { type: 'object', properties: {} }, word: { type: 'string' } };
const behind = (part: JsonSchema): JsonSchema => ({ ...PARTS[part.$ref ?? ''], ...part });

describe('a type', () => {
  test.each<[string, JsonSchema]>([
    ['text', { type: 'string' }],
    ['whole number', { type: 'integer' }],
    ['number', { type: 'number' }],
    ['true or false', { type: 'boolean' }],
    ['map', { type: 'object' }],
    ['list', { type: 'array' }],
    ['null', { type: 'null' }],
    ['text or map', { type: ['string', 'object'] }],
    ['text', { enum: ['a', 'b'] }],
    ['whole number or true or false', { enum: [0, 1, false, true] }],
    ['whole number', { const: 0 }],
    ['text or true or false', { enum: ['all'], const: false }],
    ['number', { type: 'number', enum: ['a'], const: 'b' }],
    ['map', {}],
    ['list of text', { items: { $ref: 'word' } }],
    ['list of list of map', { items: { items: { $ref: 'track' } } }],
    ['map by name', { additionalProperties: { $ref: 'track' } }],
    ['map by name', { additionalProperties: {} }],
    ['map of text, by name', { additionalProperties: { $ref: 'word' } }],
    ['map of list of text, by name', { additionalProperties: { items: { type: 'string' } } }],
    ['text or map', { anyOf: [{ type: 'string', enum: ['a'] }, { $ref: 'track' }, { $ref: 'word' }] }],
    ['map of text or map, by name', { additionalProperties: { anyOf: [{ $ref: 'word' }, { $ref: 'track' }] } }],
    ['map', { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
    ['map', { type: 'object', additionalProperties: false }],
    ['map', { type: 'object', additionalProperties: true }],
    ['map', { type: 'object', properties: {}, additionalProperties: { type: 'string' } }],
  ])('is %s', (type, shape) => {
    expect(typeOf(shape, behind)).toBe(type);
  });
});

describe('a unit', () => {
  test.each<[unit: string | undefined, description: string, type: string]>([
    ['seconds', 'Length in seconds.', 'integer'],
    ['seconds', 'Seconds between two looks.', 'number'],
    ['Unix milliseconds', 'When it rotates next, in Unix milliseconds.', 'integer'],
    ['MiB', 'The largest answer, in MiB.', 'integer'],
    ['requests a second', 'At most so many requests a second.', 'number'],
    ['percent', 'Of the live objects, in percent.', 'number'],
    ['UTC', 'The hour, in UTC.', 'integer'],
    [undefined, 'Length in milliseconds, or as a percentage.', 'integer'],
    [undefined, 'How many there may be.', 'number'],
    [undefined, 'Length in seconds.', 'string'],
  ])('is %s where the description says "%s" of type %s', (unit, description, type) => {
    expect(unitOf({ type, description })).toBe(unit);
  });

  test('is none where nothing is described, or the type is not told', () => {
    expect(unitOf({ type: 'integer' })).toBeUndefined();
    expect(unitOf({ description: 'Length in seconds.' })).toBeUndefined();
  });
});

describe('bounds', () => {
  test.each<[string, JsonSchema]>([
    ['at least 0', { minimum: 0 }],
    ['above 0', { exclusiveMinimum: 0 }],
    ['at most 3600', { maximum: 3600 }],
    ['at least 1 in the list', { minItems: 1 }],
    ['at most 100 in the list', { maxItems: 100 }],
    ['at most 60 characters', { maxLength: 60 }],
    ['nothing twice', { uniqueItems: true }],
    ['matches ^[a-z]+$', { pattern: '^[a-z]+$' }],
    ['names match ^[a-z]+$', { propertyNames: { pattern: '^[a-z]+$' } }],
  ])('say: %s', (clause, shape) => {
    expect(bounds(shape)).toEqual([clause]);
  });

  test('come in one order, those of names last', () => {
    const shape = { propertyNames: { pattern: 'b' }, pattern: 'a', uniqueItems: true, maximum: 9, minimum: 1 };
    expect(bounds(shape)).toEqual(['at least 1', 'at most 9', 'nothing twice', 'matches a', 'names match b']);
  });

  test.each<[JsonSchema]>([[{}], [{ type: 'string', description: 'A text.' }], [{ propertyNames: { type: 'string' } }]])(
    'are none in %j',
    (shape) => {
      expect(bounds(shape)).toEqual([]);
    },
  );
});
