/** `init` writes the recipes of examples/ci: `npx vitest run test/examples/generated.test.ts -u` writes the examples again. */
import { expect, test } from 'vitest';
import { recipes } from '../../src/cli/init/files.ts';

test.each([
  ['github', 'upkeep.yml', 'secrets'],
  ['github', 'with-aws.yml', 'aws'],
  ['github', 'with-vault.yml', 'vault'],
  ['gitlab', 'gitlab-ci.yml', 'secrets'],
  ['gitlab', 'with-aws.yml', 'aws'],
  ['gitlab', 'with-vault.yml', 'vault'],
] as const)('examples/ci contains the recipe that `init` writes for %s: %s', async (ci, file, store) => {
  const [recipe] = recipes(ci, 'production', { tarball: '', sha256: '' }, store);
  await expect(recipe?.text).toMatchFileSnapshot(`../../examples/ci/${ci}/${file}`);
});
