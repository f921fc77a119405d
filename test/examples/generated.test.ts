/** What `init` writes and what stands in examples/ci is one recipe: `npx vitest run test/examples/generated.test.ts -u` writes the examples anew. */

import { expect, test } from 'vitest';
import { recipes } from '../../src/cli/init/files.ts';

test.each([
  ['github', 'upkeep.yml'],
  ['gitlab', 'gitlab-ci.yml'],
] as const)('for %s', async (ci, file) => {
  const [recipe] = recipes(ci, 'production');
  await expect(recipe?.text).toMatchFileSnapshot(`../../examples/ci/${ci}/${file}`);
});
