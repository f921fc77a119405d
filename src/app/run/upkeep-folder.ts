/** The folder `.upkeep`, into which reports can be written. upkeep reads nothing there: a checkout could have brought it. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './exit-codes.ts';

/** Creates the folder, with a .gitignore that excludes all of it. */
export function ensureDotUpkeep(folder: string): void {
  const dotUpkeep = join(folder, '.upkeep');
  fs.mkdirSync(dotUpkeep, { recursive: true });
  try {
    fs.writeFileSync(join(dotUpkeep, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
