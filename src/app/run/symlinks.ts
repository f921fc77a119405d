/** Decides whether a write would leave a checkout through a link, which a pull request can add (design section 4, rule 13). */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError, codeOf } from './exit-codes.ts';

/**
 * Refuses a file or folder that lies in the working directory, in a project or in a work tree by its name, and outside of it by its links.
 * `path` is absolute, and need not exist; `name` is how the user calls it. @throws CliError
 */
export function refuseLeavingLinks(cwd: string, path: string, name: string): void {
  const left = folderLeft(cwd, path);
  if (left === null) return;
  const summary = `cannot write to ${name}: a link on the way leaves ${left}`;
  throw new CliError(EXIT_CODES.invalid, 'output', summary, 'remove the link, or choose another path');
}

/** Returns the folder that a link in the path leaves: the working directory, a project or a work tree; null where there is none. */
export function folderLeft(cwd: string, path: string): string | null {
  const real = realPathOfExisting(path);
  for (const root of ancestors(path)) {
    const isRoot = root === cwd || exists(join(root, '.git')) || exists(join(root, 'upkeep.yaml'));
    if (isRoot && root !== path && !isWithin(real, realPathOfExisting(root))) return root === cwd ? 'the working directory' : root;
  }
  return null;
}

/** Returns a folder and all folders above it, as they are named. */
function ancestors(path: string): readonly string[] {
  return dirname(path) === path ? [path] : [path, ...ancestors(dirname(path))];
}

/** Returns a path without links; of what does not exist, that of the nearest folder above it. A link that leads nowhere counts as left. */
function realPathOfExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR' && codeOf(error) !== 'ELOOP') throw error;
    return exists(path) ? sep : realPathOfExisting(dirname(path));
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (['ELOOP', 'EACCES', 'ENOTDIR'].includes(codeOf(error))) return false;
    throw error;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
