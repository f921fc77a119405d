/** The program compiles its schemas without checking them (`engine/desired/schema.ts`), so that it starts sooner: here they are checked. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { sourceSchema } from '../../src/config/source-schema.ts';
import { kinds } from '../../src/kinds/index.ts';

const files = readdirSync('schemas').map((file): [string, unknown] => [file, JSON.parse(readFileSync(`schemas/${file}`, 'utf8'))]);

test.each([...files, ['the kinds together', sourceSchema(kinds)] as const])('%s is a schema of draft-07', (_name, schema) => {
  const ajv = new Ajv({ strict: false });
  expect(ajv.validateSchema(Object(schema)), ajv.errorsText()).toBe(true);
});

test.each([...files, ['the kinds together', sourceSchema(kinds)] as const])(
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
