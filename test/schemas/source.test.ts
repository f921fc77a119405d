/** The schemas that editors load for source files are made of the kinds' schemas; `npx vitest run test/schemas -u` writes them anew. */

import { expect, test } from 'vitest';
import testSchema from '../../schemas/test.schema.json' with { type: 'json' };
import { expansionSchema } from '../../src/core/config/expand/expansion-schema.ts';
import { templatedDefinitions, writtenSchema } from '../../src/core/config/expand/written-schema.ts';
import { expandedSchema } from '../../src/core/config/source-schema.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { sourceModel } from '../support/source-model.ts';
import { editorSchema } from './editor-schema.ts';
import { overlaySchema } from './overlay-schema.ts';
import { withSources } from './test-file-schema.ts';

const source = editorSchema(writtenSchema(sourceModel), templatedDefinitions(sourceModel));

test.each([
  ['expanded', expandedSchema(kinds)],
  ['language', expansionSchema(sourceModel.templatedSections)],
  ['source', source],
  ['test', withSources(testSchema, source)],
  ['overlay', overlaySchema(editorSchema(writtenSchema(sourceModel), []))],
])('schemas/%s.schema.json is composed of the kinds', async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../schemas/${name}.schema.json`);
});
