import * as fs from 'node:fs';
import { join } from 'node:path';
import { CliError, codeOf, EXIT_CODES } from './exit-codes.ts';

/** Creates `.upkeep`, the folder for upkeep's local files beside a project, with a .gitignore that excludes all of it. */
export function ensureDotUpkeep(folder: string): void {
  const own = join(folder, '.upkeep');
  fs.mkdirSync(own, { recursive: true });
  try {
    fs.writeFileSync(join(own, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Refuses symbolic links among these paths: `.upkeep` is never committed, and a committed link could redirect writes anywhere. @throws
 * CliError
 */
export function refuseLinks(...paths: readonly string[]): void {
  for (const path of paths) {
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new CliError(
        EXIT_CODES.error,
        'own-folder',
        `${path} is a link, and is not followed`,
        'remove it: upkeep makes what it needs itself',
      );
  }
}
