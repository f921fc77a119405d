/** `init` writes the recipes of examples/ci: `npx vitest run test/examples/generated.test.ts -u` writes the examples again. */
import { expect, test } from 'vitest';
import { recipes } from '../../src/cli/init/files.ts';

test.each([
  ['github', 'upkeep.yml'],
  ['gitlab', 'gitlab-ci.yml'],
] as const)('`init` writes the same recipe as examples/ci contains for %s', async (ci, file) => {
  const [recipe] = recipes(ci, 'production', { tarball: '', sha256: '' });
  await expect(recipe?.text).toMatchFileSnapshot(`../../examples/ci/${ci}/${file}`);
});
