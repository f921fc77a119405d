/** The program compiles its schemas without checking them (`engine/desired/schema.ts`), so that it starts sooner: here they are checked. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { expandedSchema } from '../../src/core/config/source-schema.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { isObject } from '../../src/core/model/json.ts';

const files = readdirSync('schemas').map((file): [string, unknown] => [file, JSON.parse(readFileSync(`schemas/${file}`, 'utf8'))]);

test.each([...files, ['the kinds together', expandedSchema(kinds)] as const])('%s is a schema of draft-07', (_name, schema) => {
  const ajv = new Ajv({ strict: false });
  expect(ajv.validateSchema(Object(schema)), ajv.errorsText()).toBe(true);
});

test.each([...files, ['the kinds together', expandedSchema(kinds)] as const])(
  'a list of unique items in %s contains strings only, as ajv compares anything else with every other item',
  (_name, schema) => {
    const compared: unknown[] = [];
    JSON.stringify(schema, (_key, part) => {
      if (part?.uniqueItems === true && part.items?.type !== 'string') compared.push(part);
      return part;
    });
    expect(compared).toEqual([]);
  },
);

const ANNOTATIONS = ['$comment', 'title', 'description', 'default', 'examples'];

test.each([...files, ['the kinds together', expandedSchema(kinds)] as const])(
  '%s has no keyword beside $ref that draft-07 ignores and later drafts read, and names no member that every object inherits',
  (_name, schema) => {
    const wrong: string[] = [];
    const walk = (part: unknown, isSchema: boolean): void => {
      if (Array.isArray(part)) for (const each of part) walk(each, isSchema);
      if (!isObject(part)) return;
      for (const [key, value] of Object.entries(part)) {
        if (isSchema && part.$ref !== undefined && key !== '$ref' && !ANNOTATIONS.includes(key)) wrong.push(`${key} beside $ref`);
        if (!isSchema && key in Object.prototype) wrong.push(key);
        walk(value, !isSchema || !['properties', 'definitions'].includes(key));
      }
    };
    walk(schema, true);
    expect(wrong).toEqual([]);
  },
);
