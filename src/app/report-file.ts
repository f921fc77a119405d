/** Where the reports of `--out` may be written, and writing them: no link is followed, and a reader finds the old report or the new one. */
import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { CliError, codeOf, EXIT_CODES } from './exit-codes.ts';

/** Largest former report that is read, bytes: one of gauges is far smaller. */
const LARGEST_FORMER = 1024 * 1024;

/**
 * Refuses a file for a report before any request is sent: what holds configuration or belongs to git, what is no regular file (a link
 * neither, since a pull request can put one there), and what a link takes out of the working directory that its name seems to be in.
 * Any other place is the user's own to name. `spared` are absolute paths behind all links that hold configuration too. @throws Stop
 */
export function refusePlace(cwd: string, file: string, spared: ReadonlySet<string> = new Set()): void {
  const why = objection(cwd, resolve(cwd, file), spared);
  if (why !== null) throw new CliError(EXIT_CODES.invalid, 'output', `--out cannot write to ${file}: ${why}`, 'choose another file');
}

/** Writes a report whole, in place of the one before. @throws Stop as `refusePlace`, or an error of the file system */
export async function saveReport(cwd: string, file: string, text: string, spared: ReadonlySet<string>): Promise<void> {
  refusePlace(cwd, file, spared);
  const path = resolve(cwd, file);
  const draft = join(dirname(path), `.${randomUUID()}.new`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The report that stands in a place where one is to be written; null where there is none that can be read. */
export function formerReport(cwd: string, file: string): string | null {
  const path = resolve(cwd, file);
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= LARGEST_FORMER ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    // Where nothing can be read nothing is carried over; writing says what is wrong with the place.
    if (error instanceof Error && 'syscall' in error) return null;
    throw error;
  }
}

function objection(cwd: string, path: string, spared: ReadonlySet<string>): string | null {
  const folder = realOf(dirname(path));
  // Where there is no folder, writing says so.
  if (folder === null) return null;
  if (isWithin(path, cwd) && !isWithin(folder, realOf(cwd) ?? cwd)) return 'a link on the way leaves the working directory';
  if (join(folder, basename(path)).split(sep).includes('.git')) return 'it belongs to git';
  if (/\.ya?ml$/i.test(path)) return 'files of this name hold configuration';
  if (spared.has(join(folder, basename(path)))) return 'it is part of the configuration';
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && !stat.isFile() ? 'what is there is not a regular file' : null;
}

function realOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
