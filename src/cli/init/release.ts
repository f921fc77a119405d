import { CliError } from '../../app/run/exit-codes.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';

/** The release tarball that the jobs of a recipe install; both are empty until somebody writes them into the recipe. */
export interface Release {
  readonly tarball: string;
  readonly sha256: string;
}

/** Returns the release tarball that the environment names, for the recipe of a new project. @throws CliError if it names half of one */
export function releaseOf(env: NodeJS.ProcessEnv): Release {
  const { UPKEEP_TARBALL: tarball = '', UPKEEP_SHA256: sha256 = '' } = env;
  if (tarball + sha256 === '') return { tarball, sha256 };
  const problems = [
    ...(/^https?:\/\/[^\s'@]+$/.test(tarball)
      ? []
      : [`UPKEEP_TARBALL ${tarball === '' ? 'is not set' : 'is no http(s) address without user'}`]),
    ...(/^[0-9a-f]{64}$/.test(sha256)
      ? []
      : [`UPKEEP_SHA256 ${sha256 === '' ? 'is not set' : 'is not 64 digits of lower-case hexadecimal'}`]),
  ];
  if (problems.length === 0) return { tarball, sha256 };
  throw new CliError(
    EXIT_CODES.invalid,
    'usage',
    `the environment names no release tarball: ${problems.join('; ')}`,
    'UPKEEP_TARBALL is its address, UPKEEP_SHA256 its SHA-256; set both, or unset both',
  );
}
