/** Reads contents of files from git, many with one call. */
import { GitError } from './errors.ts';
import type { Repository } from './repository.ts';
import { objectsIn } from './single-file-commit.ts';

/** Contents by the names that git gives them. All of it throws GitError. */
export interface Blobs {
  /** Size in bytes. */
  size(name: string): number;
  read(name: string): Uint8Array;
  /** Reads these along with whatever is asked for next. */
  expect(names: readonly string[]): void;
}

/** Maximum number of bytes that one call prefetches. */
const ALONG = 64 * 1024 * 1024;

/** Returns the blobs of a repository. Sizes are read first, so that no unneeded content is held in memory. */
export function blobsOf(repository: Repository): Blobs {
  const sizes = new Map<string, number>();
  const contents = new Map<string, Uint8Array>();
  const expected = new Set<string>();
  const size = (name: string): number => {
    if (!sizes.has(name)) {
      const unknown = [name, ...expected].filter((other) => !sizes.has(other));
      for (const [other, bytes] of sizesOf(repository, unknown)) sizes.set(other, bytes);
    }
    return found(sizes.get(name), name);
  };
  const along = (): readonly string[] => {
    const chosen: string[] = [];
    let bytes = 0;
    for (const name of expected) {
      if (bytes + size(name) > ALONG) continue;
      bytes += size(name);
      chosen.push(name);
    }
    return chosen;
  };
  const read = (name: string): Uint8Array => {
    if (!contents.has(name)) {
      expected.delete(name);
      for (const [other, bytes] of contentsOf(repository, [name, ...along()])) {
        contents.set(other, bytes);
        expected.delete(other);
      }
    }
    return found(contents.get(name), name);
  };
  const expect = (names: readonly string[]): void => {
    for (const name of names) if (!contents.has(name)) expected.add(name);
  };
  return { size, read, expect };
}

function found<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new GitError('failed', `git does not have the contents ${name}`, 'check the repository: git fsck');
}

/** Rows `<name> <type> <size>`, or `<name> missing`. */
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
