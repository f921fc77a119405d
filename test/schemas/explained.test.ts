/**
 * What editors show of the files that people write: every field is described, every value explained, every text and number has an example.
 */
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import configurationSchema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { expandedSchema } from '../../src/core/config/source-schema.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { isObject } from '../../src/core/model/json.ts';

interface Part {
  readonly pointer: string;
  readonly schema: { readonly [keyword: string]: unknown };
}

/** Returns every part of a schema that describes a value; references are checked at their definitions. */
function partsOf(schema: unknown, pointer: string): readonly Part[] {
  if (!isObject(schema)) return [];
  const below = (keyword: string): readonly Part[] =>
    isObject(schema[keyword])
      ? Object.entries(schema[keyword]).flatMap(([name, part]) => partsOf(part, `${pointer}/${keyword}/${name}`))
      : [];
  return [
    ...(schema.$ref === undefined ? [{ pointer, schema }] : []),
    ...below('properties'),
    ...below('definitions'),
    ...partsOf(schema.additionalProperties, `${pointer}/additionalProperties`),
    ...partsOf(schema.items, `${pointer}/items`),
  ];
}

const files = { 'configuration.schema.json': configurationSchema, 'source.schema.json': expandedSchema(kinds) };
const parts = Object.entries(files).flatMap(([name, schema]) => partsOf(schema, name).map((part) => ({ ...part, root: schema })));

/** Types whose values are free: no list of them can be offered. */
const FREE = ['string', 'integer', 'number', 'array'];

type SchemaOfPart = Part['schema'];

function isFree({ type, enum: values }: SchemaOfPart): boolean {
  return [type].flat().some((each) => FREE.includes(String(each))) && values === undefined;
}

function examplesOf({ examples }: SchemaOfPart): readonly unknown[] {
  return Array.isArray(examples) ? examples : [];
}

const partsWithExamples = parts.filter(({ schema }) => isFree(schema) || examplesOf(schema).length > 0 || 'default' in schema);

describe.each(parts)('the schema at $pointer', ({ schema }) => {
  test('has a description', () => {
    expect(schema.description).toMatch(/\S.{3,}/);
  });

  test('describes each of its values', () => {
    const explained = [schema.enumDescriptions ?? []].flat();
    expect(explained).toHaveLength(Array.isArray(schema.enum) ? schema.enum.length : 0);
    for (const words of explained) expect(words).toMatch(/^[A-Z0-9].*\.$/);
  });
});

describe.each(partsWithExamples)('the schema at $pointer', ({ schema, root }) => {
  test('has an example where its values are free, and is met by its examples and its default', () => {
    const examples = examplesOf(schema);
    if (isFree(schema)) expect(examples).not.toEqual([]);
    const { definitions } = { definitions: {}, ...root };
    const accepts = new Ajv({ strict: false }).compile({ ...schema, definitions });
    const values = [...examples, ...('default' in schema ? [schema.default] : [])];
    expect(values.filter((value) => !accepts(value))).toEqual([]);
  });
});
