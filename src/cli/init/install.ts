/** How the recipes install upkeep: from one release tarball, by its address and SHA-256, and never by a public name. */
import { CliError, EXIT_CODES } from '../../app/run/exit-codes.ts';

/** The release tarball of a recipe; both are empty until somebody writes them into the recipe. */
export interface Release {
  readonly tarball: string;
  readonly sha256: string;
}

/** The variables that name the release tarball, in the environment of `init` and at the top of each recipe. */
const TARBALL = 'UPKEEP_TARBALL';
const SHA256 = 'UPKEEP_SHA256';

/** Returns the release tarball that the environment names, for the recipe of a new project. @throws CliError if it names half of one */
export function releaseOf(env: NodeJS.ProcessEnv): Release {
  const [tarball, sha256] = [env[TARBALL] ?? '', env[SHA256] ?? ''];
  if (tarball + sha256 === '') return { tarball, sha256 };
  const problems = [
    ...(/^https?:\/\/[^\s'@]+$/.test(tarball)
      ? []
      : [`${TARBALL} ${tarball === '' ? 'is not set' : 'is no http(s) address without user'}`]),
    ...(/^[0-9a-f]{64}$/.test(sha256) ? [] : [`${SHA256} ${sha256 === '' ? 'is not set' : 'is not 64 digits of lower-case hexadecimal'}`]),
  ];
  if (problems.length === 0) return { tarball, sha256 };
  throw new CliError(
    EXIT_CODES.invalid,
    'usage',
    `the environment names no release tarball: ${problems.join('; ')}`,
    `${TARBALL} is its address, ${SHA256} its SHA-256; set both, or unset both`,
  );
}

/** Returns the two variables of a recipe for GitHub, as YAML. */
export function releaseVariables({ tarball, sha256 }: Release): string {
  return `  ${TARBALL}: '${tarball}'
  ${SHA256}: '${sha256}'
`;
}

/** Returns the lines of a shell script that set the two variables, whatever values the environment has for them. */
export function releaseAssignments({ tarball, sha256 }: Release): readonly string[] {
  return [`${TARBALL}='${tarball}'`, `${SHA256}='${sha256}'`];
}

/**
 * Returns the lines of a shell script that downloads the tarball into a folder, unless a cache has brought it there, compares its SHA-256,
 * and installs it without running any script of a package.
 */
export function installScript(folder: string): readonly string[] {
  return [
    `: "\${${TARBALL}:?is not set: write the address of the release tarball at the top of this recipe}"`,
    `: "\${${SHA256}:?is not set: write the SHA-256 of the release tarball at the top of this recipe}"`,
    `release=${folder}`,
    `echo "$${SHA256}  $release/upkeep.tgz" | sha256sum --check --status 2>/dev/null ||`,
    `  curl --fail --silent --show-error --location --create-dirs --output "$release/upkeep.tgz" --url "$${TARBALL}"`,
    `echo "$${SHA256}  $release/upkeep.tgz" | sha256sum --check --strict`,
    'npm install --global --ignore-scripts --engine-strict "$release/upkeep.tgz"',
  ];
}
