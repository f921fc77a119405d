/** Where upkeep keeps the records of a test's project: journal, record that waits to be pushed, and since when addresses drift. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the state folder of the user who runs the project in a folder; it lies beside the folder. */
export function stateHomeOf(folder: string): string {
  return `${folder}.state`;
}

/** Returns the path of a local file of a target; the project is the top of a clone, or in no repository. */
export function localFile(folder: string, name: string, target = 'live'): string {
  const git = join(folder, '.git');
  const [base, project] = existsSync(git) ? [git, ''] : [join(stateHomeOf(folder)), realpathSync(folder)];
  return join(base, 'upkeep', createHash('sha256').update(project).digest('hex'), target, name);
}

/** Reads a local file; null where there is none. */
export function readLocalFileOf(folder: string, name: string, target = 'live'): string | null {
  const file = localFile(folder, name, target);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Writes a local file, as an earlier run would have left it. */
export function writeLocalFileOf(folder: string, name: string, content: string | Uint8Array, target = 'live'): void {
  const file = localFile(folder, name, target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
