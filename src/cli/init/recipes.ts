/** CI recipes of a new project: a plan for every pull request, an apply after every merge, and drift detection every night. */
import type { CI_SYSTEMS } from '../../app/options.ts';
import { githubRecipe } from './github.ts';
import { gitlabRecipe } from './gitlab.ts';

/** A file to write; `name` is relative to the project's folder, with `/`. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the recipe for the CI system of a new project. `examples/ci` holds the same, for a target named `production`. */
export function recipes(ci: (typeof CI_SYSTEMS)[number], target: string): readonly NewFile[] {
  if (ci === 'github') return [{ name: '.github/workflows/upkeep.yml', text: githubRecipe(target) }];
  return ci === 'gitlab' ? [{ name: '.gitlab-ci.yml', text: gitlabRecipe(target) }] : [];
}
