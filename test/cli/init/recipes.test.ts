/** The files of examples/ci hold example values, and `init` writes them with the values of a project. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_VALUES, type RecipeValues, recipeOf, replaceExamples } from '../../../src/cli/init/recipes.ts';

const folder = new URL('../../../examples/ci/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const files = ['github', 'gitlab'].flatMap((ci) => readdirSync(new URL(ci, folder)).map((name) => `${ci}/${name}`));

const VALUES: RecipeValues = {
  target: 'my-target',
  tarball: 'https://releases.example/upkeep.tgz',
  sha256: 'fedcba9876543210'.repeat(4),
};

const RECIPES = [
  ['github', 'github/upkeep.yml'],
  ['gitlab', 'gitlab/gitlab-ci.yml'],
] as const;

/** Returns how often a text contains another. */
const count = (text: string, part: string) => text.split(part).length - 1;

/** Returns the address and the SHA-256 that a recipe sets. */
const releaseIn = (text: string) => [...text.matchAll(/^ +UPKEEP_(?:TARBALL|SHA256)(?:: |=)'(.*)'$/gm)].map(([, value]) => value);

describe.each(RECIPES)('the recipe that init writes for %s', (ci, file) => {
  const example = read(file);

  test('has every value of the project where its file has the example value, and is that file in all else', () => {
    const written = recipeOf(ci, VALUES).text;
    for (const name of ['target', 'tarball', 'sha256'] as const) {
      expect(written).not.toContain(EXAMPLE_VALUES[name]);
      expect([name, count(written, VALUES[name])]).toEqual([name, count(example, EXAMPLE_VALUES[name])]);
    }
    expect(replaced(written, VALUES, EXAMPLE_VALUES)).toBe(example);
  });

  test('has an empty address and SHA-256 without a release', () => {
    const written = recipeOf(ci, { ...VALUES, tarball: '', sha256: '' }).text;
    expect(releaseIn(written)).toEqual(['', '']);
  });

  test.each([
    { ...VALUES, target: 'production-production' },
    { ...VALUES, target: 'upkeep-0' },
    { ...VALUES, tarball: 'https://releases.example/production/$&/upkeep-0.1.0.tgz' },
    { ...VALUES, tarball: `${EXAMPLE_VALUES.tarball}?sha256=${EXAMPLE_VALUES.sha256}`, sha256: EXAMPLE_VALUES.sha256 },
    EXAMPLE_VALUES,
  ])('has the values of a project that resemble the example values as they are: %j', (values) => {
    const written = recipeOf(ci, values).text;
    expect(written).toContain(` -t ${values.target} `);
    expect(releaseIn(written)).toEqual([values.tarball, values.sha256]);
  });
});

/** Returns a text with the values of one project in place of those of another. */
function replaced(text: string, from: RecipeValues, to: RecipeValues): string {
  return text.replaceAll(from.tarball, to.tarball).replaceAll(from.sha256, to.sha256).replaceAll(from.target, to.target);
}

test.each(files)('examples/ci/%s names the example release once, and no other', (file) => {
  const text = read(file);
  expect([count(text, EXAMPLE_VALUES.tarball), count(text, EXAMPLE_VALUES.sha256)]).toEqual([1, 1]);
  expect(releaseIn(text)).toEqual([EXAMPLE_VALUES.tarball, EXAMPLE_VALUES.sha256]);
});

describe('a recipe in which an example value is not found as often as expected is refused', () => {
  const { target, tarball, sha256 } = EXAMPLE_VALUES;
  const text = `${target} ${target}-plan '${tarball}' '${sha256}'\n`;

  test.each([
    ['a target less', text.replace(`${target}-plan`, 'staging-plan'), `${target} 1 times instead of 2`],
    ['a target more', text + target, `${target} 3 times instead of 2`],
    ['no address', text.replace('-0.1.0', '-0.2.0'), `${tarball} 0 times instead of 1`],
    ['two addresses', text + tarball, `${tarball} 2 times instead of 1`],
    ['no SHA-256', text.replace(sha256, ''), `${sha256} 0 times instead of 1`],
    ['two SHA-256', text + sha256, `${sha256} 2 times instead of 1`],
  ])('is refused: %s', (_what, changed, telling) => {
    expect(replaceExamples(text, VALUES, 2)).toBe(`my-target my-target-plan '${VALUES.tarball}' '${VALUES.sha256}'\n`);
    expect(() => replaceExamples(changed, VALUES, 2)).toThrow(`the recipe has the example value ${telling}`);
  });
});
