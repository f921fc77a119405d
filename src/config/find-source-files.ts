/** Finds the YAML files below a folder of the project: each once, also with symbolic links, and reports what it does not follow. */
import { compareStrings } from '../model/finding.ts';
import type { ProjectFiles } from '../model/project-files.ts';

/** Limits of one source. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;

/** The files of a source. */
export interface SourceFiles {
  /** Sorted paths. Missing files and links out of the project are included, whatever their names: reading them reports the error. */
  readonly files: readonly string[];
  /** Links to files and folders that the source contains already. */
  readonly duplicateLinks: readonly ResolvedPath[];
}

/** Why a folder cannot be a source: code and text of a finding. */
interface UnusableFolder {
  readonly code: 'too-large' | 'too-deep';
  readonly reason: string;
}

/** Lists all *.yaml and *.yml below a folder, except hidden files and folders and upkeep.yaml itself. */
export function findSourceFiles(projectFiles: ProjectFiles, folder: string, projectFile: string): SourceFiles | UnusableFolder {
  const search: Search = { seen: new Set(), folders: [], links: [], files: [], repeated: [] };
  let entries = 0;
  addEntry({ path: folder, type: 'folder', real: resolvedPath(projectFiles, folder) }, search);
  for (let current = nextFolder(search); current !== undefined; current = nextFolder(search)) {
    const names = projectFiles.list(current.path);
    entries += names.length;
    if (entries > MAX_ENTRIES) return { code: 'too-large', reason: `holds more than ${MAX_ENTRIES} files and folders` };
    if (current.path.split('/').length > MAX_DEPTH) return { code: 'too-deep', reason: `nests folders more than ${MAX_DEPTH} deep` };
    for (const name of names.toSorted(compareStrings).reverse()) {
      const entry = entryOf(projectFiles, current.path, name);
      if (entry === undefined || entry.path === projectFile || entry.real === projectFile) continue;
      if (isLink(entry, name, current)) search.links.push(entry);
      else addEntry(entry, search);
    }
  }
  return { files: search.files.sort(compareStrings), duplicateLinks: search.repeated };
}

/** A path of a file or folder. */
interface ResolvedPath {
  readonly path: string;
  /** The path with all links resolved. */
  readonly real: string;
}

interface Entry {
  readonly path: string;
  readonly type: ReturnType<ProjectFiles['typeOf']>;
  /** Null where the entry is missing or outside the project. */
  readonly real: string | null;
}

interface Search {
  /** Resolved paths of the entries added so far. */
  readonly seen: Set<string>;
  /** Folders to list and links to follow, the next one last. */
  readonly folders: ResolvedPath[];
  readonly links: Entry[];
  readonly files: string[];
  readonly repeated: ResolvedPath[];
}

/** Decides whether an entry is a link, missing or outside the project: its resolved path is not its name in the resolved folder. */
function isLink({ real }: Entry, name: string, folder: ResolvedPath): boolean {
  return real !== joinPath(folder.real, name);
}

/** Returns the folder to list next. Links are followed last, so that a duplicate is reported at the link, not at its target. */
function nextFolder(search: Search): ResolvedPath | undefined {
  while (search.folders.length === 0) {
    const link = search.links.pop();
    if (link === undefined) return undefined;
    addEntry(link, search);
  }
  return search.folders.pop();
}

/** Returns the entry of a name in a folder; undefined where it is ignored. */
function entryOf(projectFiles: ProjectFiles, folder: string, name: string): Entry | undefined {
  if (name.startsWith('.')) return undefined;
  const path = joinPath(folder, name);
  const type = projectFiles.typeOf(path);
  if (type === 'outside' || type === 'missing') return { path, type, real: null };
  return type === 'folder' || /\.ya?ml$/.test(name) ? { path, type, real: resolvedPath(projectFiles, path) } : undefined;
}

function addEntry({ path, type, real }: Entry, { seen, folders, files, repeated }: Search): void {
  if (real !== null && seen.has(real)) repeated.push({ path, real });
  else if (real !== null && type === 'folder') folders.push({ path, real });
  else files.push(path);
  if (real !== null) seen.add(real);
}

function joinPath(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

function resolvedPath(projectFiles: ProjectFiles, path: string): string {
  return projectFiles.resolve?.(path) ?? path;
}
