/** Keeps the files of a configuration in a ledger repository, as a commit without parents (design section 6, a repository of its own). */
import { posix } from 'node:path';
import { blobName } from './commit-files.ts';
import type { Repository } from './repository.ts';
import { commitTree, runForLine } from './single-file-commit.ts';

/** What a configuration was read from: the contents of files by their paths, and the folders that were listed, which may be empty. */
export interface SnapshotFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly folders: ReadonlySet<string>;
}

/** A folder of the tree: its files, by name with the names of their objects, and its folders. */
interface Folder {
  readonly files: Map<string, string>;
  readonly folders: Map<string, Folder>;
}

/** Writes files as a commit, whose name depends on nothing but their paths and contents, and returns it. @throws GitError */
export async function writeSnapshot(repository: Repository, { files, folders }: SnapshotFiles): Promise<string> {
  const contents = new Map([...files.values()].map((bytes) => [blobName(bytes, SHA1_LENGTH), bytes]));
  for (const name of await missingOf(repository, [...contents.keys()])) {
    await runForLine(repository, ['hash-object', '-w', '--stdin'], contents.get(name));
  }
  const top = emptyFolder();
  for (const path of folders) folderAt(top, path);
  for (const [path, bytes] of files) folderAt(top, posix.dirname(path)).files.set(posix.basename(path), blobName(bytes, SHA1_LENGTH));
  const tree = await writeTree(repository, top);
  return await commitTree(repository, { tree, message: 'Files of a configuration\n', parents: [], at: 0 });
}

/** Length of the names of objects in a copy of a ledger repository, in hexadecimal digits. */
const SHA1_LENGTH = 40;

/** Returns the names of the objects that the repository does not have. */
async function missingOf(repository: Repository, names: readonly string[]): Promise<readonly string[]> {
  const input = names.map((name) => `${name}\n`).join('');
  const rows = (await repository.run(['cat-file', '--batch-check'], { input })).toString().split('\n');
  return rows.flatMap((row) => /^(\S+) missing$/.exec(row)?.[1] ?? []);
}

function emptyFolder(): Folder {
  return { files: new Map(), folders: new Map() };
}

/** Returns the folder at a path below another one, and creates what is missing of it. */
function folderAt(top: Folder, path: string): Folder {
  let folder = top;
  for (const step of posix.normalize(path).split('/')) {
    if (step === '.' || step === '') continue;
    const next = folder.folders.get(step) ?? emptyFolder();
    folder.folders.set(step, next);
    folder = next;
  }
  return folder;
}

async function writeTree(repository: Repository, { files, folders }: Folder): Promise<string> {
  const rows = [...files].map(([name, object]) => `100644 blob ${object}\t${name}\0`);
  for (const [name, folder] of folders) rows.push(`040000 tree ${await writeTree(repository, folder)}\t${name}\0`);
  return await runForLine(repository, ['mktree', '-z'], rows.join(''));
}
