/**
 * Keeps what upkeep must remember on this machine between runs, a folder for each target: the entry that waits to be pushed, the journal
 * of a running apply, and since when addresses drift. It lies where no checkout can put a file (design section 6, local files).
 */
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { LedgerError } from './errors.ts';
import type { GitEnvironment } from './git-process.ts';

/** Returns the folder of the local files of the project in a git directory. `project` is its path in the work tree, or its real path. */
export function localFolderIn(directory: string, project: string): string {
  return join(directory, 'upkeep', createHash('sha256').update(project).digest('hex'));
}

/** Returns the folder of the local files of the project without a repository, by its real path: in the user's state folder. */
export function localFolderOfUser(project: string, { XDG_STATE_HOME: state = '', HOME: home = '' }: GitEnvironment): string {
  const base = isAbsolute(state) ? state : join(isAbsolute(home) ? home : homedir(), '.local', 'state');
  return localFolderIn(base, project);
}

/** Reads a file; null where there is none. @throws LedgerError for a link, a file of another user, no regular file, and too many bytes */
export function readLocalFile(folder: string, name: string, maxBytes: number): string | null {
  for (const path of parents(folder)) checkFolder(path);
  const file = join(folder, name);
  const stat = ownEntry(file);
  if (stat === undefined) return null;
  if (!stat.isFile() || stat.size > maxBytes) throw unusable(file, stat.isFile() ? 'is too large' : 'is not a regular file');
  return fs.readFileSync(file, 'utf8');
}

/** Writes a file atomically and durably: the file is complete, or unchanged. @throws LedgerError as `readLocalFile`, or a system error */
export function writeLocalFile(folder: string, name: string, text: string): void {
  ensureLocalFolder(folder);
  const draft = join(folder, `${name}.${randomUUID()}`);
  try {
    fs.writeFileSync(draft, text, { flag: 'wx', flush: true, mode: 0o600 });
    fs.renameSync(draft, join(folder, name));
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Creates the local folder of the target, for this user alone. @throws LedgerError for a link or a folder of another user, or a system
 * error
 */
export function ensureLocalFolder(folder: string): void {
  fs.mkdirSync(dirname(dirname(dirname(folder))), { recursive: true, mode: 0o700 });
  for (const path of parents(folder)) {
    checkFolder(path);
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  }
}

/** Returns why files could not be written into a local folder, as the code of a system error; null where they could. Writes nothing. */
export function localFolderFault(folder: string): string | null {
  try {
    fs.accessSync(nearestThere(folder), fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/** Returns a path, or the nearest folder above it that exists. */
function nearestThere(path: string): string {
  return fs.existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

/**
 * Creates the folder of the history that a shallow clone lacks, beside the local files of the projects, and returns it. @throws LedgerError as
 * `ensureLocalFolder`, or a system error
 */
export function ensureHistoryFolder(localFolderOfProject: string): string {
  const folder = join(dirname(localFolderOfProject), 'history');
  for (const path of [dirname(folder), folder]) {
    checkFolder(path);
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  return folder;
}

/** Returns the folders that upkeep creates: `upkeep`, that of the project, and that of the target. */
function parents(folder: string): readonly string[] {
  return [dirname(dirname(folder)), dirname(folder), folder];
}

/** Checks a folder of upkeep, if it exists, and makes it accessible for this user alone. @throws LedgerError */
export function checkFolder(path: string): void {
  const stat = ownEntry(path);
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw unusable(path, 'is not a folder');
  if ((stat.mode & 0o077) !== 0) fs.chmodSync(path, 0o700);
}

/** Returns what is at a path itself; undefined where nothing is. @throws LedgerError for a link, and for what belongs to another user */
function ownEntry(path: string): fs.Stats | undefined {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) throw unusable(path, 'is a link, and is not followed');
  if (stat && process.getuid && stat.uid !== process.getuid()) throw unusable(path, 'belongs to another user');
  return stat;
}

function unusable(path: string, reason: string): LedgerError {
  return new LedgerError(`${path} ${reason}`, 'move it away: upkeep makes what it needs itself');
}
