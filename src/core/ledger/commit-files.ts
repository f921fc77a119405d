/** Reads the files of a project at a commit, with the same interface as a folder on disk. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ProjectFiles } from '../model/project-files.ts';
import { fetchCommit } from './commits.ts';
import { GitError } from './errors.ts';
import type { LedgerRemote } from './remote.ts';
import type { Repository } from './repository.ts';
import { objectsIn } from './single-file-commit.ts';

/** An entry of the tree below the project folder. */
interface TreeEntry {
  readonly type: 'file' | 'folder' | 'link' | 'submodule';
  /** Name of its object. */
  readonly object: string;
}

/** Types by the modes of git; every other mode is a file. */
const TYPES: { readonly [mode: string]: TreeEntry['type'] } = { '040000': 'folder', '120000': 'link', '160000': 'submodule' };

/** The files of a project at a commit. */
export interface CommitFiles extends ProjectFiles {
  /** Decides whether a path is a file with this content; ends of lines may differ (LF, CRLF). @throws GitError */
  hasText(path: string, content: Uint8Array): boolean;
  resolve(path: string): string;
  /** Returns a text that is equal for equal contents: of a file its object, of a folder the names in it. @throws GitError */
  identityOf(path: string): string;
}

/** Maximum number of links in one path, as on Linux, and maximum length of a link target in bytes. */
const MAX_LINKS = 40;
const MAX_LINK_BYTES = 4096;

/**
 * Reads the project folder at a commit, which is fetched if necessary. Links are followed as on disk, except absolute ones, which are
 * `outside`, since they mean something else on every machine. All methods throw GitError where git fails.
 * @throws GitError
 */
export async function filesAt(at: LedgerRemote, commit: string): Promise<CommitFiles> {
  const { repository } = at;
  await fetchCommit(at, commit);
  const entries = await entriesAt(repository, commit);
  const pathOf = (object: string) => [...entries].find(([, entry]) => entry.object === object)?.[0] ?? object;
  const blobs = blobsOf(repository, pathOf);
  blobs.prefetch([...entries.values()].flatMap(({ type, object }) => (type === 'link' ? [object] : [])));
  return commitTree(entries, blobs, repository.prefix);
}

async function entriesAt(repository: Repository, commit: string): Promise<ReadonlyMap<string, TreeEntry>> {
  const top = await folderAt(repository, commit, repository.prefix);
  if (top === null) return new Map();
  const below = treeEntries(await repository.run(['ls-tree', '-r', '-t', '-z', '--full-tree', top]));
  return new Map([['.', { type: 'folder', object: top }], ...below]);
}

/** Returns the hash of a folder's tree at a commit; null where the folder did not exist. */
async function folderAt(repository: Repository, commit: string, prefix: string): Promise<string | null> {
  if (prefix === '') return commit;
  const [found] = treeEntries(await repository.run(['ls-tree', '-d', '-z', '--full-tree', commit, '--', prefix.slice(0, -1)]));
  return found?.[1].type === 'folder' ? found[1].object : null;
}

/** Parses the output of `ls-tree -z`: rows `<mode> <type> <name>`, a tab, and the path. */
function treeEntries(output: Buffer): readonly (readonly [string, TreeEntry])[] {
  return output
    .toString()
    .split('\0')
    .flatMap((row) => {
      const tab = row.indexOf('\t');
      const [mode = '', , object] = row.slice(0, Math.max(tab, 0)).split(' ');
      return object === undefined ? [] : [[row.slice(tab + 1), { type: TYPES[mode] ?? 'file', object }] as const];
    });
}

function commitTree(entries: ReadonlyMap<string, TreeEntry>, blobs: Blobs, prefix: string): CommitFiles {
  const names = namesByFolder(entries.keys());
  const resolve = resolver(entries, blobs, prefix);
  const resolved = (path: string, type: TreeEntry['type']): { readonly path: string; readonly object: string } => {
    const found = resolve(path);
    if (typeof found !== 'string' && found.type === type) return found;
    throw new Error(`${path}: ${found === 'outside' ? 'outside the project' : `no such ${type}`}`);
  };
  return {
    typeOf: (path) => {
      const found = resolve(path);
      return typeof found === 'string' ? found : found.type === 'folder' ? 'folder' : 'file';
    },
    list: (path) => {
      const folder = resolved(path, 'folder').path;
      const children = names.get(folder) ?? [];
      // A caller that lists a folder reads its YAML files next.
      const yaml = children.flatMap((name) => (/\.ya?ml$/.test(name) ? (entries.get(posix.join(folder, name)) ?? []) : []));
      blobs.prefetch(yaml.flatMap(({ type, object }) => (type === 'file' ? [object] : [])));
      return children;
    },
    size: (path) => blobs.size(resolved(path, 'file').object),
    read: (path) => blobs.read(resolved(path, 'file').object),
    resolve: (path) => {
      const found = resolve(path);
      return typeof found === 'string' ? path : found.path;
    },
    hasText: (path, content) => {
      const found = resolve(path);
      if (typeof found === 'string' || found.type !== 'file') return false;
      return blobName(content, found.object.length) === found.object || withLineFeeds(content) === withLineFeeds(blobs.read(found.object));
    },
    identityOf: (path) => {
      const found = resolve(path);
      if (typeof found === 'string') return found;
      return [found.path, ...(found.type === 'folder' ? (names.get(found.path) ?? []) : [found.object])].join('\0');
    },
  };
}

/** Returns the name that git gives to a content; `length` is that of the repository's names, in hexadecimal digits. */
export function blobName(content: Uint8Array, length: number): string {
  const hash = createHash(length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Returns a content with LF instead of CRLF, one character for each byte. */
function withLineFeeds(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n');
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

type ResolvedEntry = (TreeEntry & { readonly path: string }) | 'missing' | 'outside';

function resolver(entries: ReadonlyMap<string, TreeEntry>, blobs: Blobs, prefix: string): (path: string) => ResolvedEntry {
  const follow = (path: string, links: number): ResolvedEntry => {
    const normal = posix.normalize(path).replace(/(?<=.)\/$/, '');
    if (posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../') || /[\\\0]/.test(path)) return 'outside';
    const steps = normal.split('/');
    for (let depth = 1; ; depth++) {
      const place = steps.slice(0, depth).join('/');
      const entry = entries.get(place);
      if (entry === undefined) return 'missing';
      if (entry.type === 'submodule') throw submoduleError(place);
      if (entry.type === 'link') return followLink(entry.object, place, steps.slice(depth), links);
      if (depth === steps.length) return { ...entry, path: place };
    }
  };
  const followLink = (link: string, place: string, rest: readonly string[], links: number): ResolvedEntry => {
    if (links === 0 || blobs.size(link) > MAX_LINK_BYTES) return 'missing';
    const target = linkTarget(prefix, place, Buffer.from(blobs.read(link)).toString());
    return target === null ? 'outside' : follow(posix.join(target, ...rest), links - 1);
  };
  return (path) => follow(path, MAX_LINKS);
}

/** Returns the target of a link, relative to the project; null where it is outside. A target may leave the project and return to it. */
function linkTarget(prefix: string, place: string, target: string): string | null {
  if (posix.isAbsolute(target)) return null;
  const fromTop = posix.join(prefix, posix.dirname(place), target);
  if (prefix === '') return fromTop;
  return `${fromTop}/`.startsWith(prefix) ? fromTop.slice(prefix.length) || '.' : null;
}

function submoduleError(place: string): GitError {
  return new GitError(
    'failed',
    `\`${place}\` is a submodule, of which this repository holds no files`,
    'keep sources in the repository itself',
  );
}

/** Contents of files, by the names of their objects; many are read with one call of git. All members throw GitError. */
interface Blobs {
  /** Size in bytes. */
  size(name: string): number;
  read(name: string): Uint8Array;
  /** Reads these together with the next one that is read. */
  prefetch(names: readonly string[]): void;
}

/** Maximum number of bytes that one call prefetches. */
const MAX_PREFETCH = 64 * 1024 * 1024;

/** Returns the blobs of a repository. Sizes are read first, so that no unneeded content is held in memory. `pathOf` names one in an error. */
function blobsOf(repository: Repository, pathOf: (name: string) => string): Blobs {
  const sizes = new Map<string, number>();
  const contents = new Map<string, Uint8Array>();
  const expected = new Set<string>();
  const size = (name: string): number => {
    if (!sizes.has(name)) {
      const unknown = [name, ...expected].filter((other) => !sizes.has(other));
      for (const [other, bytes] of sizesOf(repository, unknown)) sizes.set(other, bytes);
    }
    return requirePresent(sizes.get(name), () => pathOf(name));
  };
  const toPrefetch = (): readonly string[] => {
    const chosen: string[] = [];
    let bytes = 0;
    for (const name of expected) {
      if (bytes + size(name) > MAX_PREFETCH) continue;
      bytes += size(name);
      chosen.push(name);
    }
    return chosen;
  };
  const read = (name: string): Uint8Array => {
    if (!contents.has(name)) {
      expected.delete(name);
      for (const [other, bytes] of contentsOf(repository, [name, ...toPrefetch()])) {
        contents.set(other, bytes);
        expected.delete(other);
      }
    }
    return requirePresent(contents.get(name), () => pathOf(name));
  };
  const prefetch = (names: readonly string[]): void => {
    for (const name of names) if (!contents.has(name)) expected.add(name);
  };
  return { size, read, prefetch };
}

function requirePresent<Value>(value: Value | undefined, pathOf: () => string): Value {
  if (value !== undefined) return value;
  throw new GitError(
    'failed',
    `git does not have the contents of \`${pathOf()}\`, which the commit names`,
    'a partial clone leaves contents out, and none are fetched here: clone without --filter; in a whole clone, find out what else is lost with `git fsck`',
  );
}

/** Reads sizes in bytes from rows `<name> <type> <size>`; the row of a missing object is `<name> missing`. */
function sizesOf(repository: Repository, names: readonly string[]): readonly (readonly [string, number])[] {
  const rows = repository
    .runSync(['cat-file', '--batch-check', '--buffer'], { input: lines(names) })
    .toString()
    .split('\n');
  return rows.flatMap((row) => {
    const [, name = '', size] = /^(\S+) \S+ (\d+)$/.exec(row) ?? [];
    return size === undefined ? [] : [[name, Number(size)] as const];
  });
}

function contentsOf(repository: Repository, names: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const output = repository.runSync(['cat-file', '--batch', '--buffer'], { input: lines(names) });
  return new Map(objectsIn(output).map(({ name, bytes }) => [name, bytes]));
}

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('');
}
