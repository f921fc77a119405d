/** The schemas that editors load for source files are made of the kinds' schemas; `npx vitest run test/schemas -u` writes them anew. */
import { expect, test } from 'vitest';
import { sourceSchema } from '../../src/config/source-schema.ts';
import { kinds } from '../../src/kinds/index.ts';
import { overlaySchema } from './overlay-schema.ts';

test.each([
  ['source', sourceSchema(kinds)],
  ['overlay', overlaySchema(sourceSchema(kinds))],
])('schemas/%s.schema.json is composed of the kinds', async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../schemas/${name}.schema.json`);
});
