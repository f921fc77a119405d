import * as fs from 'node:fs';
import { join } from 'node:path';
import { CliError, codeOf, EXIT_CODES } from './exit-codes.ts';

/** Makes the folder of what upkeep keeps beside a project, which is nobody's to commit. */
export function ensureDotUpkeep(folder: string): void {
  const own = join(folder, '.upkeep');
  fs.mkdirSync(own, { recursive: true });
  try {
    fs.writeFileSync(join(own, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** What is kept there is nobody's to commit, so a link was: it would lead writes to wherever a pull request says. @throws Stop */
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
