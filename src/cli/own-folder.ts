import * as fs from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './exit.ts';

/** Makes the folder of what upkeep keeps beside a project, which is nobody's to commit. */
export function beside(folder: string): void {
  const own = join(folder, '.upkeep');
  fs.mkdirSync(own, { recursive: true });
  try {
    fs.writeFileSync(join(own, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
