/** The schema that editors load for source files is the one that the kinds' schemas compose; `npx vitest run test/schemas -u` writes it anew. */
import { expect, test } from 'vitest';
import { sourceSchema } from '../../src/engine/desired/validate.ts';
import { kinds } from '../../src/kinds/kinds.ts';

test('schemas/source.schema.json is composed of the kinds', async () => {
  const text = `${JSON.stringify(sourceSchema(kinds), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/source.schema.json');
});
