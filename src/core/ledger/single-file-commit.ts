/** Writes and reads commits with one file, in which upkeep stores its data, without index, work tree or identity. */
import type { Repository } from './repository.ts';

/** A commit to create. */
export interface SingleFileCommit {
  /** Name of its one file. */
  readonly name: string;
  readonly text: string;
  readonly message: string;
  /** Full names, the first parent first. */
  readonly parents: readonly string[];
  /** Unix seconds. */
  readonly at: number;
}

/** Author and committer: upkeep itself, at a domain that cannot exist (RFC 2606). */
const AUTHOR = { name: 'upkeep', email: 'upkeep@upkeep.invalid' };

/** Creates the commit and returns its full name, which depends on the given values only. @throws GitError */
export async function writeCommit(repository: Repository, { name, text, ...commit }: SingleFileCommit): Promise<string> {
  const blob = await runForLine(repository, ['hash-object', '-w', '--stdin'], text);
  const tree = await runForLine(repository, ['mktree', '-z'], `100644 blob ${blob}\t${name}\0`);
  return await commitTree(repository, { ...commit, tree });
}

/** Creates the commit of a tree and returns its full name, which depends on the given values only. @throws GitError */
export async function commitTree(
  repository: Repository,
  { tree, message, parents, at }: Omit<SingleFileCommit, 'name' | 'text'> & { readonly tree: string },
): Promise<string> {
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, AUTHOR.name],
      [`GIT_${role}_EMAIL`, AUTHOR.email],
      [`GIT_${role}_DATE`, `@${at} +0000`],
    ]),
  );
  const options = parents.flatMap((parent) => ['-p', parent]);
  const output = await repository.run(['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '--no-gpg-sign', ...options, tree], {
    input: message,
    env,
  });
  return output.toString().trim();
}

/** The file of a commit, and the commit's parents; the text is null where it is too large. */
export interface StoredFile {
  readonly text: string | null;
  readonly parents: readonly string[];
}

/**
 * Reads the file of a commit; its text is null where it is larger than `maxBytes`. Returns null where the commit has no such file.
 * @throws GitError
 */
export async function readCommit(repository: Repository, commit: string, name: string, maxBytes: number): Promise<StoredFile | null> {
  const [size = null] = await fileSizes(repository, [commit], name);
  if (size === null) return null;
  if (size > maxBytes) return { text: null, parents: await parentsOf(repository, commit) };
  return (await readFiles(repository, [commit], name)).get(commit) ?? null;
}

/**
 * Reads the files of a commit and of those before it by their first parents, together: as many as `most`, and as `maxBytes` allow. Leaves out
 * commits that are not here, and those without such a file. @throws GitError
 */
export async function readCommitsBefore(
  repository: Repository,
  commit: string,
  name: string,
  { most, maxBytes }: { readonly most: number; readonly maxBytes: number },
): Promise<ReadonlyMap<string, StoredFile>> {
  const options = ['--first-parent', `--max-count=${most}`, '--end-of-options'];
  const commits = (await repository.run(['rev-list', ...options, commit])).toString().trim().split('\n');
  let bytes = 0;
  const sizes = await fileSizes(repository, commits, name);
  const fitting = commits.filter((_, index) => {
    const size = sizes[index] ?? null;
    bytes += size ?? 0;
    return size !== null && bytes <= maxBytes;
  });
  return fitting.length === 0 ? new Map() : await readFiles(repository, fitting, name);
}

/** Returns the names of commits and of their files, one a line. */
function namesIn(commits: readonly string[], name: string): string {
  return commits.map((commit) => `${commit}\n${commit}:${name}\n`).join('');
}

/** Returns the sizes of the files of commits in bytes; null for a commit without such a file. */
async function fileSizes(repository: Repository, commits: readonly string[], name: string): Promise<readonly (number | null)[]> {
  const rows = (await repository.run(['cat-file', '--batch-check'], { input: namesIn(commits, name) })).toString().split('\n');
  return commits.map((_, index) => {
    const [, size] = /^\S+ blob (\d+)$/.exec(rows[2 * index + 1] ?? '') ?? [];
    return size === undefined ? null : Number(size);
  });
}

/** Reads the files of commits that have such a file; none where git lost one meanwhile. */
async function readFiles(repository: Repository, commits: readonly string[], name: string): Promise<ReadonlyMap<string, StoredFile>> {
  const objects = objectsIn(await repository.run(['cat-file', '--batch'], { input: namesIn(commits, name) }));
  if (objects.length !== 2 * commits.length) return new Map();
  return new Map(
    commits.flatMap((commit, index): readonly (readonly [string, StoredFile])[] => {
      const [head, file] = [objects[2 * index], objects[2 * index + 1]];
      return head && file ? [[commit, { text: file.bytes.toString(), parents: parentsIn(head.bytes.toString()) }]] : [];
    }),
  );
}

/** An object of git, with its name. */
interface GitObject {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Parses the output of `cat-file --batch`: rows `<name> <type> <size>`, each followed by that many bytes and a line feed. A missing object
 * has only a row, and is left out.
 */
export function objectsIn(output: Buffer): readonly GitObject[] {
  const objects: GitObject[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [, name, size = '0'] = /^(\S+) \S+ (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    if (name !== undefined) objects.push({ name, bytes: output.subarray(end + 1, end + 1 + Number(size)) });
    at = end + 1 + (name === undefined ? 0 : Number(size) + 1);
  }
  return objects;
}

/** Returns the parents that a commit names itself; in a shallow clone, git would leave out those that it does not have. */
export async function parentsOf(repository: Repository, commit: string): Promise<readonly string[]> {
  return parentsIn((await repository.run(['cat-file', 'commit', commit])).toString());
}

function parentsIn(text: string): readonly string[] {
  const head = text.slice(0, text.indexOf('\n\n'));
  return head.split('\n').flatMap((row) => /^parent ([0-9a-f]+)$/.exec(row)?.[1] ?? []);
}

/** Runs git, and returns its output without the line break at its end. @throws GitError */
export async function runForLine(repository: Repository, args: readonly string[], input: string | Uint8Array = ''): Promise<string> {
  return (await repository.run(args, { input })).toString().trim();
}
