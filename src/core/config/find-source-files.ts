/** Finds the YAML files below a folder of the project. Follows symbolic links, but lists each file once. */
import { compareStrings } from '../model/finding.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { isTestFile, isUnreadableName } from './file-reader.ts';

/** Limits of one source. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;
/** Each link may lead through forty others of thousands of steps each, which takes the file system long. */
export const MAX_SOURCE_LINKS = 200;

/** The files of a source. */
export interface SourceFiles {
  /** Sorted paths. Includes missing YAML files and folders, and links out of the project, because reading them reports the error. */
  readonly files: readonly string[];
  /** Links to files and folders that the source already contains. */
  readonly duplicateLinks: readonly ResolvedPath[];
  /** Files with a name that is almost that of a source: in other letter case, or behind a dot. They are not read. */
  readonly notRead: readonly string[];
}

/** Why a folder cannot be a source: the code of a finding, and the rest of its sentence about the folder. */
interface UnusableFolder {
  readonly code: 'too-large' | 'too-deep';
  readonly reason: string;
}

/** Lists all *.yaml and *.yml below a folder, except hidden files and folders, files of tests, and upkeep.yaml itself. */
export function findSourceFiles(projectFiles: ProjectFiles, folder: string, projectFile: string): SourceFiles | UnusableFolder {
  const search: Search = { addedPaths: new Set(), folders: [], links: [], files: [], duplicateLinks: [], notRead: [] };
  let [entries, links] = [0, 0];
  addEntry({ path: folder, type: 'folder', resolved: resolvedPath(projectFiles, folder) }, search);
  for (let current = nextFolder(search); current !== undefined; current = nextFolder(search)) {
    const names = projectFiles.list(current.path);
    entries += names.length;
    if (entries > MAX_ENTRIES) return { code: 'too-large', reason: `holds more than ${MAX_ENTRIES} files and folders` };
    if (current.path.split('/').length > MAX_DEPTH) return { code: 'too-deep', reason: `nests folders more than ${MAX_DEPTH} deep` };
    for (const name of names.toSorted(compareStrings).reverse()) {
      const entry = entryOf(projectFiles, current.path, name);
      if (isAlmostSource(name) && projectFiles.typeOf(joinPath(current.path, name)) === 'file')
        search.notRead.push(joinPath(current.path, name));
      if (entry === undefined || entry.path === projectFile || entry.resolved === projectFile) continue;
      if (!isLink(entry, name, current)) addEntry(entry, search);
      else if (++links > MAX_SOURCE_LINKS) return { code: 'too-large', reason: `holds more than ${MAX_SOURCE_LINKS} links` };
      else search.links.push(entry);
    }
  }
  return { files: search.files.sort(compareStrings), duplicateLinks: search.duplicateLinks, notRead: search.notRead.sort(compareStrings) };
}

/** A path of a file or folder. */
interface ResolvedPath {
  readonly path: string;
  /** The path with all links resolved. */
  readonly resolved: string;
}

interface Entry {
  readonly path: string;
  readonly type: ReturnType<ProjectFiles['typeOf']>;
  /** Null where the entry is missing or outside the project. */
  readonly resolved: string | null;
}

interface Search {
  /** Resolved paths of the entries added so far. */
  readonly addedPaths: Set<string>;
  /** Folders to list and links to follow, the next one last. */
  readonly folders: ResolvedPath[];
  readonly links: Entry[];
  readonly files: string[];
  readonly duplicateLinks: ResolvedPath[];
  readonly notRead: string[];
}

/** Decides whether a name differs from that of a source in letter case or a dot before it only. */
function isAlmostSource(name: string): boolean {
  return /\.ya?ml$/i.test(name) && (name.startsWith('.') || !/\.ya?ml$/.test(name));
}

/**
 * Decides whether an entry is a link: its resolved path is not its name in the resolved folder. An entry that is missing or outside the
 * project counts as one.
 */
function isLink({ resolved }: Entry, name: string, folder: ResolvedPath): boolean {
  return resolved !== joinPath(folder.resolved, name);
}

/** Returns the folder to list next. Links are followed last, so that a duplicate is reported at the link and not at its target. */
function nextFolder(search: Search): ResolvedPath | undefined {
  while (search.folders.length === 0) {
    const link = search.links.pop();
    if (link === undefined) return undefined;
    addEntry(link, search);
  }
  return search.folders.pop();
}

/**
 * Returns the entry of a name in a folder; undefined where it is ignored: a file that is no YAML, a pipe, socket or device, or a link that
 * leads nowhere and has the name of such a file. A link without an extension could lead to a folder of sources.
 */
function entryOf(projectFiles: ProjectFiles, folder: string, name: string): Entry | undefined {
  if (name.startsWith('.')) return undefined;
  const path = joinPath(folder, name);
  const isYaml = /\.ya?ml$/.test(name) && !isTestFile(name);
  // A file with such a name cannot be opened by it.
  const type = isUnreadableName(name) ? 'missing' : projectFiles.typeOf(path);
  if (type === 'outside') return { path, type, resolved: null };
  if (type === 'missing') return isYaml || !/\.[a-z]\w*$/i.test(name) ? { path, type, resolved: null } : undefined;
  if (type === 'special') return isYaml ? { path, type, resolved: null } : undefined;
  if (type === 'skipped') return isYaml ? { path, type, resolved: path } : undefined;
  return type === 'folder' || isYaml ? { path, type, resolved: resolvedPath(projectFiles, path) } : undefined;
}

function addEntry({ path, type, resolved }: Entry, { addedPaths, folders, files, duplicateLinks }: Search): void {
  if (resolved !== null && addedPaths.has(resolved)) duplicateLinks.push({ path, resolved });
  else if (resolved !== null && type === 'folder') folders.push({ path, resolved });
  else files.push(path);
  if (resolved !== null) addedPaths.add(resolved);
}

function joinPath(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

/** Returns a path with all links resolved. */
export function resolvedPath(projectFiles: ProjectFiles, path: string): string {
  return projectFiles.resolve?.(path) ?? path;
}
