/**
 * Every schema has the same verdict from the validator of upkeep and from a second one: on values that are generated from the schema and
 * then changed, and on the sources and the upkeep.yaml of the examples and of all tests.
 */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lazy } from '../../src/core/config/lazy.ts';
import { expandedSchema } from '../../src/core/config/source-schema.ts';
import { createValidator } from '../../src/core/config/validator.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { rounds } from '../support/figures.ts';
import { assertProperty } from '../support/property.ts';
import { compileWithSchemasafe } from '../support/second-validator.ts';
import { readCorpus } from './corpus.ts';
import { textsFor } from './schema-values.ts';

const folder = new URL('../../schemas/', import.meta.url);

function schemaIn(file: string): { readonly [keyword: string]: unknown } {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
}

/** Returns a function that validates a JSON text with both validators; it returns the verdict that they share. */
function bothValidators(schema: object, defaults = false, schemaOfSecond = schema): (text: string) => boolean {
  const own = createValidator<unknown>(schema, defaults);
  const second = compileWithSchemasafe(schemaOfSecond);
  return (text) => {
    const result = own(JSON.parse(text));
    const violations = second(text);
    const isValid = violations.length === 0;
    const errors = 'errors' in result ? result.errors.map(({ path, keyword }) => `/${path.join('/')} ${keyword}`) : [];
    expect('value' in result, JSON.stringify({ text: text.slice(0, 2_000), errors, violations }, null, 1)).toBe(isValid);
    return isValid;
  };
}

describe.each(readdirSync(folder))('the schema %s', (file) => {
  test('has the same verdict on generated values from both validators, which accept some and refuse some', () => {
    const schema = schemaIn(file);
    const validate = bothValidators(schema, file === 'configuration.schema.json');
    const verdicts = { accepted: 0, refused: 0 };
    assertProperty(
      fc.property(textsFor(schema), (text) => {
        verdicts[validate(text) ? 'accepted' : 'refused'] += 1;
      }),
      { numRuns: rounds(50, 1_000) },
    );
    expect(Math.min(verdicts.accepted, verdicts.refused), JSON.stringify(verdicts)).toBeGreaterThan(5);
  });
});

describe('the examples and the tests', () => {
  const corpus = lazy(readCorpus);

  test.each([
    ['sources', () => corpus().source, expandedSchema(kinds), false, { valid: 100, invalid: 200 }],
    ['texts of upkeep.yaml', () => corpus().configuration, schemaIn('configuration.schema.json'), true, { valid: 1, invalid: 50 }],
  ] as const)('have %s, each with the same verdict from both validators', (_what, texts, schema, defaults, least) => {
    const verdicts = texts().map(bothValidators(schema, defaults));
    expect(verdicts.filter((isValid) => isValid).length).toBeGreaterThanOrEqual(least.valid);
    expect(verdicts.filter((isValid) => !isValid).length).toBeGreaterThanOrEqual(least.invalid);
  });
});

test('a keyword that only one of the validators reads is noticed', () => {
  const { additionalProperties: _, ...open } = expandedSchema(kinds);
  expect(() => bothValidators(expandedSchema(kinds), false, open)('{"unknown":1}')).toThrow('additionalProperties');
});
