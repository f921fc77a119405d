/**
 * The official test suite of JSON Schema, draft-07, for the keywords of our schemas: ajv, as upkeep runs it, and the second validator judge
 * every test as the suite does. `.ci/run` installs the suite from Debian.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createValidator } from '../../src/core/config/validator.ts';
import { isObject } from '../../src/core/model/json.ts';
import { compileWithSchemasafe } from '../support/second-validator.ts';

const PACKAGE = 'json-schema-test-suite';
const SUITE = `/usr/share/${PACKAGE}/tests/draft7`;

const isHere = existsSync(SUITE);
if (!isHere) process.stderr.write(`The validators were not tried with the suite of JSON Schema: apt-get install ${PACKAGE}\n`);

test('CI has the official test suite of JSON Schema', () => {
  expect(isHere || (process.env.CI ?? '') === '', `apt-get install ${PACKAGE}`).toBe(true);
});

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** What both validators read as later drafts do: draft-07 ignores keywords beside `$ref`. `draft.test.ts` keeps our schemas free of them. */
const KNOWN_DEVIATIONS = ['ref overrides any sibling keywords'];

/** Keywords for people, which no validator reads. */
const ANNOTATIONS = ['$schema', '$comment', 'title', 'description', 'examples', 'enumDescriptions'];

/** Keywords whose value is a map of schemas, of a list of schemas, or no schema at all. */
const MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const VALUES = ['const', 'default', 'enum', 'required', ...ANNOTATIONS];

/** Returns every keyword of a schema; the keyword `items` with a list of schemas is another one, and so is a schema that is no object. */
function keywordsOf(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [typeof schema];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const isRemote = keyword === '$ref' && !/^#\/definitions\/\w+$/.test(String(value));
    const isPlain = ['string', 'number'].includes(typeof value) || VALUES.includes(keyword);
    const isFlag = typeof value === 'boolean' && ['additionalProperties', 'uniqueItems'].includes(keyword);
    if (isRemote || isPlain || isFlag) return [isRemote ? 'another $ref' : keyword];
    const schemas = MAPS.includes(keyword) && isObject(value) ? Object.values(value) : [value].flat();
    return [keyword === 'items' && Array.isArray(value) ? 'items of a list' : keyword, ...schemas.flatMap(keywordsOf)];
  });
}

function jsonIn(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const own = new Set(readdirSync('schemas').flatMap((file) => keywordsOf(jsonIn(`schemas/${file}`))));

/** The groups of tests whose schemas have only keywords of our schemas. */
function groups(): readonly Group[] {
  const files = readdirSync(SUITE).filter((file) => file.endsWith('.json'));
  const all: readonly Group[] = files.flatMap((file) => JSON.parse(readFileSync(`${SUITE}/${file}`, 'utf8')));
  return all.filter(
    ({ schema, description }) =>
      isObject(schema) && keywordsOf(schema).every((keyword) => own.has(keyword)) && !KNOWN_DEVIATIONS.includes(description),
  );
}

test.runIf(isHere)(
  'ajv, as upkeep runs it, and the second validator judge every test of the suite of JSON Schema as the suite does',
  () => {
    const tried = new Set<string>();
    const wrong: string[] = [];
    for (const { description, schema, tests } of groups()) {
      const validate = createValidator<unknown>(Object(schema));
      const second = compileWithSchemasafe(Object(schema));
      for (const keyword of keywordsOf(schema)) tried.add(keyword);
      for (const { description: title, data, valid } of tests) {
        if ('value' in validate(data) !== valid) wrong.push(`ajv: ${description}: ${title}`);
        if ((second(JSON.stringify(data)).length === 0) !== valid) wrong.push(`second: ${description}: ${title}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([...own].filter((keyword) => !tried.has(keyword) && !ANNOTATIONS.includes(keyword))).toEqual([]);
  },
);
