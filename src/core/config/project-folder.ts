/** Reads the files of a project. Never reads a file outside its folder, not even through a link. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import type { ProjectFiles } from '../model/project-files.ts';

/** The name of the project file. */
export const PROJECT_FILE = 'upkeep.yaml';

/** Returns the files of a folder on disk. All methods but `typeOf` throw for paths that are neither a folder nor a file of the project. */
export function diskFiles(folder: string): ProjectFiles {
  const root = realpathSync(folder);
  const resolveInside = (path: string): string => {
    const found = realWithin(root, path);
    if (found === 'missing' || found === 'outside')
      throw new Error(`${path}: ${found === 'missing' ? 'no such file' : 'outside the project'}`);
    return found.path;
  };
  return {
    typeOf: (path) => {
      const found = realWithin(root, path);
      return typeof found === 'string' ? found : fileTypeOf(found.path);
    },
    list: (path) => readdirSync(resolveInside(path)),
    size: (path) => statSync(resolveInside(path)).size,
    read: (path) => readFileSync(resolveInside(path)),
    resolve: (path) => relative(root, resolveInside(path)).replaceAll(sep, '/') || '.',
  };
}

/** Returns the given files as the files of a project, all in one folder. */
export function memoryFiles(files: readonly { readonly name: string; readonly text: string }[]): ProjectFiles {
  const known = new Map(files.map(({ name, text }) => [name, new TextEncoder().encode(text)]));
  const bytes = (name: string): Uint8Array => {
    const found = known.get(name);
    if (found === undefined) throw new Error(`${name}: no such file`);
    return found;
  };
  return {
    typeOf: (path) => (known.has(path) ? 'file' : path === '.' ? 'folder' : 'missing'),
    list: () => [...known.keys()],
    size: (name) => bytes(name).length,
    read: bytes,
  };
}

/**
 * Returns the absolute path of the upkeep.yaml to use; null where there is none. It is `explicit` (a file, or a folder that contains
 * upkeep.yaml) or, without it, the nearest upkeep.yaml in `start` or a folder above. The search ends at the top of the work tree, and
 * outside git at the first folder or file of another user, who may have put it there for others to find (design section 3).
 */
export function findProjectFile(start: string, explicit?: string): string | null {
  if (explicit === undefined) return nearestProjectFile(resolve(start));
  const named = resolve(start, explicit);
  const file = fileTypeOrMissing(named) === 'folder' ? join(named, PROJECT_FILE) : named;
  return fileTypeOrMissing(file) === 'file' ? file : null;
}

/** Searches upwards from a folder. Outside git, what lies above it must belong to the user. */
function nearestProjectFile(start: string): string | null {
  const top = workTreeTop(start);
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    const isTrusted = folder === start || top !== null || (isOwn(folder) && isOwn(file));
    if (!isTrusted) return null;
    if (fileTypeOrMissing(file) === 'file') return file;
    if (folder === top || dirname(folder) === folder) return null;
  }
}

/** Returns the nearest folder with a `.git` of this user, from here upwards; null where there is none. */
function workTreeTop(folder: string): string | null {
  const git = join(folder, '.git');
  if (fileTypeOrMissing(git) !== 'missing' && isOwn(git)) return folder;
  return dirname(folder) === folder ? null : workTreeTop(dirname(folder));
}

/** Decides whether a path, not what it leads to, belongs to this user; what does not exist belongs to nobody else. */
function isOwn(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined || process.getuid === undefined || stat.uid === process.getuid();
}

/** Decides whether a folder is that of git, on a file system that may not distinguish case. What is in it is no file of the project. */
export function isGitFolder(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** Returns the path with all links resolved, unless the result is outside the root, or belongs to git. */
function realWithin(root: string, path: string): { readonly path: string } | 'missing' | 'outside' {
  const normal = posix.normalize(path);
  if (posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../') || /[\\\0]/.test(path)) return 'outside';
  const found = unlessMissing(() => realpathSync.native(join(root, normal)));
  if (found === 'missing') return 'missing';
  const below = relative(root, found).split(sep);
  return below[0] === '..' || isAbsolute(below.join(sep)) || below.some(isGitFolder) ? 'outside' : { path: found };
}

function fileTypeOrMissing(path: string): 'file' | 'folder' | 'special' | 'missing' {
  return unlessMissing(() => fileTypeOf(path));
}

/** Returns the type of a path. Devices, sockets and pipes are never read, since that may never end. */
function fileTypeOf(path: string): 'file' | 'folder' | 'special' {
  const stat = statSync(path);
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'special';
}

/** Returns the result of a file system call, or `missing` where the path does not exist or is a loop of links. */
function unlessMissing<T>(call: () => T): T | 'missing' {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(String(error.code)))
      return 'missing';
    throw error;
  }
}
