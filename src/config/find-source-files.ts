/** The YAML files below a folder of the project: each once, whatever links lie there, and nothing left out silently. */
import { compareStrings } from '../model/finding.ts';
import type { ProjectFiles } from './desired-state.ts';

/** Bounds for what one source may hold. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;

/** What a folder holds. */
export interface SourceFiles {
  /** Sorted. What lies outside the project or is missing stands among them, whatever its name: reading it tells so. */
  readonly files: readonly string[];
  /** Other ways to what the folder holds already, and what is found there. */
  readonly repeated: readonly Way[];
}

/** Why a folder cannot be a source: a finding's code, and its clause. */
interface Unfit {
  readonly code: 'too-large' | 'too-deep';
  readonly excess: string;
}

/** All *.yaml and *.yml below a folder, without hidden files and folders, and upkeep.yaml itself. */
export function findSourceFiles(tree: ProjectFiles, folder: string, projectFile: string): SourceFiles | Unfit {
  const found: Found = { seen: new Set(), folders: [], links: [], files: [], repeated: [] };
  let entries = 0;
  take({ path: folder, nature: 'folder', real: realOf(tree, folder) }, found);
  for (let here = nextFolder(found); here !== undefined; here = nextFolder(found)) {
    const names = tree.list(here.path);
    entries += names.length;
    if (entries > MAX_ENTRIES) return { code: 'too-large', excess: `holds more than ${MAX_ENTRIES} files and folders` };
    if (here.path.split('/').length > MAX_DEPTH) return { code: 'too-deep', excess: `nests folders more than ${MAX_DEPTH} deep` };
    for (const name of names.toSorted(compareStrings).reverse()) {
      const entry = entryOf(tree, here.path, name);
      if (entry === undefined || entry.path === projectFile || entry.real === projectFile) continue;
      if (entry.real === below(here.real, name)) take(entry, found);
      else found.links.push(entry);
    }
  }
  return { files: found.files.sort(compareStrings), repeated: found.repeated };
}

/** A way to a file or folder. */
interface Way {
  readonly path: string;
  /** The path behind all links. */
  readonly real: string;
}

interface Entry {
  readonly path: string;
  readonly nature: ReturnType<ProjectFiles['at']>;
  /** Null where there is nothing that may be looked at. */
  readonly real: string | null;
}

interface Found {
  /** What was taken, by its path behind all links. */
  readonly seen: Set<string>;
  /** Still to be entered, and to be followed; the next one last. */
  readonly folders: Way[];
  readonly links: Entry[];
  readonly files: string[];
  readonly repeated: Way[];
}

/** The folder to enter next. Links are followed when nothing else is left, so that it is they who repeat, not what they lead to. */
function nextFolder(found: Found): Way | undefined {
  while (found.folders.length === 0) {
    const link = found.links.pop();
    if (link === undefined) return undefined;
    take(link, found);
  }
  return found.folders.pop();
}

/** What a name in a folder stands for; undefined where it does not count. */
function entryOf(tree: ProjectFiles, folder: string, name: string): Entry | undefined {
  if (name.startsWith('.')) return undefined;
  const path = below(folder, name);
  const nature = tree.at(path);
  if (nature === 'outside' || nature === 'missing') return { path, nature, real: null };
  return nature === 'folder' || /\.ya?ml$/.test(name) ? { path, nature, real: realOf(tree, path) } : undefined;
}

function take({ path, nature, real }: Entry, { seen, folders, files, repeated }: Found): void {
  if (real !== null && seen.has(real)) repeated.push({ path, real });
  else if (real !== null && nature === 'folder') folders.push({ path, real });
  else files.push(path);
  if (real !== null) seen.add(real);
}

function below(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

function realOf(tree: ProjectFiles, path: string): string {
  return tree.real?.(path) ?? path;
}
