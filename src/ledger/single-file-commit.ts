/** Writes and reads commits with one file, in which upkeep stores its data, without index, work tree or identity. */
import type { Repository } from './repository.ts';

/** A commit to create. */
export interface SingleFileCommit {
  /** Name of its one file. */
  readonly name: string;
  readonly text: string;
  readonly message: string;
  /** Full names, the first one first. */
  readonly parents: readonly string[];
  /** Unix seconds. */
  readonly at: number;
}

/** Who writes: upkeep itself, at a domain that cannot exist (RFC 2606). */
const WRITER = { name: 'upkeep', email: 'upkeep@upkeep.invalid' };

/** Makes the commit and gives its full name: the same for the same note, wherever and whenever it is made. @throws GitError */
export async function writeCommit(repository: Repository, { name, text, message, parents, at }: SingleFileCommit): Promise<string> {
  const blob = await line(repository, ['hash-object', '-w', '--stdin'], text);
  const tree = await line(repository, ['mktree', '-z'], `100644 blob ${blob}\t${name}\0`);
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, WRITER.name],
      [`GIT_${role}_EMAIL`, WRITER.email],
      [`GIT_${role}_DATE`, `@${at} +0000`],
    ]),
  );
  const options = parents.flatMap((parent) => ['-p', parent]);
  const made = await repository.run(['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '--no-gpg-sign', ...options, tree], {
    input: message,
    env,
  });
  return made.toString().trim();
}

/**
 * The text of a commit's file, null where it is larger than `maxBytes`, and the commit's parents; null where it holds no such file.
 * @throws GitError
 */
export async function readCommit(
  repository: Repository,
  commit: string,
  name: string,
  maxBytes: number,
): Promise<{ readonly text: string | null; readonly parents: readonly string[] } | null> {
  const wanted = `${commit}\n${commit}:${name}\n`;
  const about = await repository.run(['cat-file', '--batch-check'], { input: wanted });
  const [, type, size] = /^.*\n\S+ (\S+) (\d+)\n$/.exec(about.toString()) ?? [];
  if (type !== 'blob') return null;
  if (Number(size) > maxBytes) return { text: null, parents: await parentsOf(repository, commit) };
  const [told, file] = objectsIn(await repository.run(['cat-file', '--batch'], { input: wanted }));
  return told && file ? { text: file.bytes.toString(), parents: parentsIn(told.bytes.toString()) } : null;
}

/** An object that git has shown, by the name that it gives to it. */
interface GitObject {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * What `cat-file --batch` says: rows `<name> <type> <size>`, each followed by as many bytes and a line feed. What is missing has a row
 * alone, and is left out.
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

/** The parents as the commit itself names them: in a shallow clone git would leave out what it does not have. */
export async function parentsOf(repository: Repository, commit: string): Promise<readonly string[]> {
  return parentsIn((await repository.run(['cat-file', 'commit', commit])).toString());
}

function parentsIn(text: string): readonly string[] {
  const head = text.slice(0, text.indexOf('\n\n'));
  return head.split('\n').flatMap((row) => /^parent ([0-9a-f]+)$/.exec(row)?.[1] ?? []);
}

async function line(repository: Repository, args: readonly string[], input = ''): Promise<string> {
  return (await repository.run(args, { input })).toString().trim();
}
