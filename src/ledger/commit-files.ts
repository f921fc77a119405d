/** Reads the files of a project at a commit, with the same interface as a folder on disk. */
import { posix } from 'node:path';
import { type Blobs, blobsOf } from './blobs.ts';
import { bringCommit } from './commits.ts';
import { GitError } from './errors.ts';
import type { LedgerRemote } from './remote.ts';
import type { Repository } from './repository.ts';

/** What the engine calls a Tree; paths are relative to the project folder, with `/`. Reading throws GitError where git fails. */
export interface CommitFiles {
  /** What stands at a path; `outside` when it, or a link on the way, leaves the project. */
  at(path: string): 'file' | 'folder' | 'missing' | 'outside';
  /** Names in a folder, unsorted. */
  list(folder: string): readonly string[];
  /** Size in bytes. */
  size(file: string): number;
  read(file: string): Uint8Array;
  /** What a path comes to when its links are followed; the path itself where nothing stands there. */
  real(path: string): string;
}

/** One thing below the project folder. */
interface Node {
  readonly nature: 'file' | 'folder' | 'link' | 'submodule';
  /** The name that git gives to its contents. */
  readonly blob: string;
}

/** Modes of git's trees; whatever is none of these is a file. */
const NATURES: { readonly [mode: string]: Node['nature'] } = { '040000': 'folder', '120000': 'link', '160000': 'submodule' };

/** Maximum number of links in one path, as on Linux, and maximum length of a link target in bytes. */
const MAX_LINKS = 40;
const MAX_LINK_BYTES = 4096;

/**
 * The project folder at a commit, which is fetched if it is not here. Links count as on disk, except absolute ones, which mean
 * something else on every machine and are `outside`. @throws GitError
 */
export async function filesAt(at: LedgerRemote, commit: string): Promise<CommitFiles> {
  const { repository } = at;
  await bringCommit(at, commit);
  const nodes = await nodesAt(repository, commit);
  const blobs = blobsOf(repository);
  blobs.expect([...nodes.values()].flatMap(({ nature, blob }) => (nature === 'link' ? [blob] : [])));
  return commitTree(nodes, blobs, repository.prefix);
}

async function nodesAt(repository: Repository, commit: string): Promise<ReadonlyMap<string, Node>> {
  const top = await folderAt(repository, commit, repository.prefix);
  if (top === null) return new Map();
  const below = rows(await repository.run(['ls-tree', '-r', '-t', '-z', '--full-tree', top]));
  return new Map([['.', { nature: 'folder', blob: top }], ...below]);
}

/** Returns the hash of a folder's tree at a commit; null where the folder did not exist. */
async function folderAt(repository: Repository, commit: string, prefix: string): Promise<string | null> {
  if (prefix === '') return commit;
  const [found] = rows(await repository.run(['ls-tree', '-d', '-z', '--full-tree', commit, '--', prefix.slice(0, -1)]));
  return found?.[1].nature === 'folder' ? found[1].blob : null;
}

/** Rows `<mode> <type> <name>`, a tab, and the path. */
function rows(output: Buffer): readonly (readonly [string, Node])[] {
  return output
    .toString()
    .split('\0')
    .flatMap((row) => {
      const tab = row.indexOf('\t');
      const [mode = '', , blob] = row.slice(0, Math.max(tab, 0)).split(' ');
      return blob === undefined ? [] : [[row.slice(tab + 1), { nature: NATURES[mode] ?? 'file', blob }] as const];
    });
}

function commitTree(nodes: ReadonlyMap<string, Node>, blobs: Blobs, prefix: string): CommitFiles {
  const names = namesByFolder(nodes.keys());
  const resolve = resolver(nodes, blobs, prefix);
  const real = (path: string, nature: Node['nature']): { readonly place: string; readonly blob: string } => {
    const found = resolve(path);
    if (typeof found !== 'string' && found.nature === nature) return found;
    throw new Error(`${path}: ${found === 'outside' ? 'outside the project' : `no such ${nature}`}`);
  };
  return {
    at: (path) => {
      const found = resolve(path);
      return typeof found === 'string' ? found : found.nature === 'folder' ? 'folder' : 'file';
    },
    list: (path) => {
      const { place } = real(path, 'folder');
      const here = names.get(place) ?? [];
      // A caller that lists a folder reads its YAML files next.
      const yaml = here.flatMap((name) => (/\.ya?ml$/.test(name) ? (nodes.get(posix.join(place, name)) ?? []) : []));
      blobs.expect(yaml.flatMap(({ nature, blob }) => (nature === 'file' ? [blob] : [])));
      return here;
    },
    size: (path) => blobs.size(real(path, 'file').blob),
    read: (path) => blobs.read(real(path, 'file').blob),
    real: (path) => {
      const found = resolve(path);
      return typeof found === 'string' ? path : found.place;
    },
  };
}

function namesByFolder(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    if (path === '.') continue;
    const folder = posix.dirname(path);
    const known = names.get(folder);
    if (known === undefined) names.set(folder, [posix.basename(path)]);
    else known.push(posix.basename(path));
  }
  return names;
}

type Found = (Node & { readonly place: string }) | 'missing' | 'outside';

/** Creates a function that resolves all links of a path. */
function resolver(nodes: ReadonlyMap<string, Node>, blobs: Blobs, prefix: string): (path: string) => Found {
  const follow = (path: string, links: number): Found => {
    const normal = posix.normalize(path).replace(/(?<=.)\/$/, '');
    if (posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../') || /[\\\0]/.test(path)) return 'outside';
    const steps = normal.split('/');
    for (let depth = 1; ; depth++) {
      const place = steps.slice(0, depth).join('/');
      const node = nodes.get(place);
      if (node === undefined) return 'missing';
      if (node.nature === 'submodule') throw submodule(place);
      if (node.nature === 'link') return behind(node.blob, place, steps.slice(depth), links);
      if (depth === steps.length) return { ...node, place };
    }
  };
  const behind = (blob: string, place: string, rest: readonly string[], links: number): Found => {
    if (links === 0 || blobs.size(blob) > MAX_LINK_BYTES) return 'missing';
    const goal = goalOf(prefix, place, Buffer.from(blobs.read(blob)).toString());
    return goal === null ? 'outside' : follow(posix.join(goal, ...rest), links - 1);
  };
  return (path) => follow(path, MAX_LINKS);
}

/** Returns the target of a link, relative to the project; null where it is outside. A target may leave the project and return to it. */
function goalOf(prefix: string, place: string, target: string): string | null {
  if (posix.isAbsolute(target)) return null;
  const fromTop = posix.join(prefix, posix.dirname(place), target);
  if (prefix === '') return fromTop;
  return `${fromTop}/`.startsWith(prefix) ? fromTop.slice(prefix.length) || '.' : null;
}

function submodule(place: string): GitError {
  return new GitError(
    'failed',
    `\`${place}\` is a submodule, of which this repository holds no files`,
    'keep sources in the repository itself',
  );
}
