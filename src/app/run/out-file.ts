/** Checks and writes the files of `--out`: symbolic links are not followed, and files are replaced atomically. */
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isGitFolder } from '../../core/config/project-folder.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError, codeOf } from './exit-codes.ts';
import { folderLeft } from './symlinks.ts';
import { ensureDotUpkeep } from './upkeep-folder.ts';

/** Maximum size of a previous report that is read, bytes; metrics files are far smaller. */
const MAX_PREVIOUS_SIZE = 1024 * 1024;

/**
 * Refuses a report path before any request is sent: a missing folder, configuration files, files of git, anything but a regular file (a symbolic link, too,
 * since a pull request can add one), and paths in a checkout that a link redirects outside of it. Any other path is allowed.
 * `protectedFiles` are absolute paths of further configuration files, without links. @throws CliError
 */
export function refuseReportPath(cwd: string, file: string, protectedFiles: ReadonlySet<string> = new Set()): void {
  const reason = whyNotWritable(cwd, resolve(cwd, file), protectedFiles);
  if (reason !== null) throw new CliError(EXIT_CODES.invalid, 'output', `--out cannot write to ${file}: ${reason}`, 'choose another file');
}

/**
 * Writes a report atomically, replacing the previous one. A missing folder is an error, except `.upkeep`, which is created.
 * @throws CliError as `refuseReportPath`, or an error of the file system
 */
export async function saveReport(cwd: string, file: string, text: string, protectedFiles: ReadonlySet<string>): Promise<void> {
  refuseReportPath(cwd, file, protectedFiles);
  const path = resolve(cwd, file);
  const folder = dirname(path);
  if (basename(folder) === '.upkeep' && !existsSync(folder) && existsSync(dirname(folder))) ensureDotUpkeep(dirname(folder));
  const draft = join(folder, `.${randomUUID()}.new`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Reads the previous report at a path; null if there is none that can be read. */
export function previousReport(cwd: string, file: string): string | null {
  const path = resolve(cwd, file);
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= MAX_PREVIOUS_SIZE ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    // Without a readable file nothing is carried over; writing reports the problem.
    if (error instanceof Error && 'syscall' in error) return null;
    throw error;
  }
}

/** Returns the reason why a path must not be written, a clause; null if it may be. `protectedFiles` as in `refuseReportPath`. */
export function whyNotWritable(cwd: string, path: string, protectedFiles: ReadonlySet<string>): string | null {
  const left = folderLeft(cwd, dirname(path));
  if (left !== null) return `a link on the way leaves ${left}`;
  const folder = realPathOf(dirname(path)) ?? realPathToCreate(dirname(path));
  if (folder === null) return 'its folder does not exist';
  if (join(folder, basename(path)).split(sep).some(isGitFolder)) return 'it belongs to git';
  if (/\.ya?ml$/i.test(path)) return 'files of this name hold configuration';
  if (protectedFiles.has(join(folder, basename(path)))) return 'it is part of the configuration';
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && !stat.isFile() ? 'what is there is not a regular file' : null;
}

/** Returns the path without links of a folder that is created if it is missing, which is `.upkeep`; null for any other. */
function realPathToCreate(folder: string): string | null {
  const parent = basename(folder) === '.upkeep' ? realPathOf(dirname(folder)) : null;
  return parent === null ? null : join(parent, basename(folder));
}

/** Returns the path of a folder without links; null if there is none. */
function realPathOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
