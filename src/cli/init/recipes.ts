import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Release } from './release.ts';

/** The values of a project in a CI recipe. */
export interface RecipeValues extends Release {
  readonly target: string;
}

/** The values in the files of `examples/ci`. */
export const EXAMPLE_VALUES: RecipeValues = {
  target: 'production',
  tarball: 'https://files.example.com/upkeep-0.1.0.tgz',
  sha256: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
};

/** For each CI system: where it looks for a recipe, the file of `examples/ci`, and how often that file names the target. */
const RECIPES = {
  github: { name: '.github/workflows/upkeep.yml', example: 'github/upkeep.yml', targets: 13 },
  gitlab: { name: '.gitlab-ci.yml', example: 'gitlab/gitlab-ci.yml', targets: 14 },
};

/**
 * Returns the CI recipe of a new project: a plan for every pull request, an apply after every merge, and drift detection every night. It is
 * the file of `examples/ci` with these values.
 */
export function recipeOf(ci: keyof typeof RECIPES, values: RecipeValues): { readonly name: string; readonly text: string } {
  const { name, example, targets } = RECIPES[ci];
  // A package can import itself by its name, so the path is the same from src/ and from dist/.
  const top = dirname(createRequire(import.meta.url).resolve('upkeep/package.json'));
  return { name, text: replaceExamples(readFileSync(join(top, 'examples/ci', example), 'utf8'), values, targets) };
}

/**
 * Returns the text of a recipe with these values in place of the example values. @throws Error unless the text names the example target
 * `targets` times, and the address and the SHA-256 of the example release once each
 */
export function replaceExamples(text: string, values: RecipeValues, targets: number): string {
  // The new address comes last, because it can contain any word.
  const counts = [
    ['target', targets],
    ['sha256', 1],
    ['tarball', 1],
  ] as const;
  return counts.reduce((rest, [name, count]) => {
    const parts = rest.split(EXAMPLE_VALUES[name]);
    if (parts.length !== count + 1)
      throw new Error(`the recipe has the example value ${EXAMPLE_VALUES[name]} ${parts.length - 1} times instead of ${count}`);
    return parts.join(values[name]);
  }, text);
}
