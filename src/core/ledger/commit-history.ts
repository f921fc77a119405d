/** Compares commits by their history (design section 12). */
import { resolve } from 'node:path';
import { fetchCommit, historyStarts } from './commits.ts';
import { GitError } from './errors.ts';
import type { GitEnvironment } from './git-process.ts';
import { ensureHistoryFolder } from './local-files.ts';
import { fetchHistory, fetchRef, type LedgerRemote } from './remote.ts';

/** The history of commits of one repository. All members throw GitError. */
export interface CommitHistory {
  /** Returns the best common ancestors of two commits; none if their histories have nothing in common. */
  mergeBases(a: string, b: string): Promise<readonly string[]>;
  /** Returns those of some commits that another one contains. One that is not here is none of them. */
  containedIn(commit: string, others: readonly string[]): Promise<readonly string[]>;
  /** Returns the commits on the first-parent line of `to` that `from` does not contain, newest first; all of them where that is null. */
  firstParents(from: string | null, to: string): Promise<readonly string[]>;
  /**
   * Returns the commits that `to` contains and `from` does not, and that changed one of these files, newest first, by file. Merges are left
   * out. Paths are relative to the project folder.
   */
  commitsByFile(from: string, to: string, files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns the paths, from the top of the repository, of the files that differ between two commits. */
  differingFiles(from: string, to: string): Promise<readonly string[]>;
}

/**
 * Opens the history of two commits, which is fetched where the clone lacks it. A shallow clone is not deepened: what it lacks is fetched into
 * a folder of upkeep. @throws GitError, LedgerError
 */
export async function openCommitHistory(at: LedgerRemote, known: string, other: string): Promise<CommitHistory> {
  const { repository } = at;
  const env = repository.shallow ? await completed(at, known, other) : {};
  for (const commit of repository.shallow ? [] : [known, other]) await fetchCommit(at, commit);
  const read = async (args: readonly string[], input = ''): Promise<string> => {
    const output = await repository.run(['-c', 'core.commitGraph=false', ...args], { input, env: { ...env, GIT_LITERAL_PATHSPECS: '1' } });
    return output.toString();
  };
  const lines = async (args: readonly string[], input?: string) => (await read(args, input)).split('\n').filter((line) => line !== '');
  return {
    mergeBases: (a, b) => mergeBasesIn(lines, a, b),
    async containedIn(commit, others) {
      const found = await lines(['cat-file', '--batch-check=%(objecttype) %(objectname)'], `${others.join('\n')}\n`);
      const here = found.flatMap((line) => (line.startsWith('commit ') ? [line.slice('commit '.length)] : []));
      const outside = new Set(await lines(['rev-list', '--stdin'], [...here, `^${commit}`, ''].join('\n')));
      return here.filter((each) => !outside.has(each));
    },
    firstParents: (from, to) => lines(['rev-list', '--first-parent', to, ...(from === null ? [] : [`^${from}`])]),
    differingFiles: async (from, to) =>
      (await read(['diff-tree', '-r', '--name-only', '--no-renames', '-z', from, to])).split('\0').filter((path) => path !== ''),
    async commitsByFile(from, to, files) {
      const { prefix } = repository;
      // A name with a line break cannot be given to git here.
      const paths = new Map(files.filter((file) => !file.includes('\n')).map((file) => [`${prefix}${file}`, file]));
      if (paths.size === 0) return new Map();
      const input = [to, `^${from}`, '--', ...paths.values(), ''].join('\n');
      const commits = await lines(['rev-list', '--no-merges', '--stdin'], input);
      const changed = await read(['diff-tree', '--stdin', '-r', '--root', '--name-only', '--no-renames', '-z'], `${commits.join('\n')}\n`);
      return commitsIn(changed, commits, paths);
    },
  };
}

/**
 * Decides whether a commit is on a branch of the remote as it is now (`branch` in upkeep.yaml, design section 3). @throws GitError,
 * LedgerError
 */
export async function isOnBranch(at: LedgerRemote, branch: string, commit: string): Promise<boolean> {
  const tip = await fetchRef(at, `refs/heads/${branch}`, false);
  if (tip === null) {
    throw new GitError(
      'unknown-commit',
      `the remote \`${at.remote}\` has no branch \`${branch}\``,
      'push it, or correct `branch` of the target',
    );
  }
  await fetchCommit(at, commit);
  const isHere = async (): Promise<boolean> =>
    (await at.repository.run(['rev-list', '--max-count=1', '--end-of-options', commit, `^${tip}`])).length === 0;
  if (await isHere()) return true;
  if (!at.repository.shallow || (await historyStarts(at.repository, tip)).length === 0) return false;
  const history = await openCommitHistory(at, tip, commit);
  return (await history.mergeBases(commit, tip)).includes(commit);
}

/** Reads the lines that git writes. */
type ReadLines = (args: readonly string[], input?: string) => Promise<readonly string[]>;

async function mergeBasesIn(lines: ReadLines, a: string, b: string): Promise<readonly string[]> {
  if ((await lines(['rev-list', '--max-count=1', a, `^${b}`])).length === 0) return [a];
  try {
    return await lines(['merge-base', '--all', a, b]);
  } catch (error) {
    // Without a merge base, git ends with an error code.
    if (error instanceof GitError && error.code === 'failed') return [];
    throw error;
  }
}

/** Reads the output of `diff-tree -z` for these commits: the name of each commit, then the paths that it changed. */
function commitsIn(output: string, commits: readonly string[], paths: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const byFile = new Map<string, string[]>();
  let next = 0;
  for (const text of output.split('\0')) {
    if (text === commits[next]) {
      next += 1;
      continue;
    }
    const file = paths.get(text);
    const commit = commits[next - 1];
    if (file === undefined || commit === undefined) continue;
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [commit]);
    else known.push(commit);
  }
  return byFile;
}

/**
 * Fetches the history that a shallow clone lacks of two commits into the folder of upkeep. Returns the environment in which git sees it.
 * The first commit is the one that an earlier run probably fetched.
 */
async function completed(at: LedgerRemote, known: string, other: string): Promise<GitEnvironment> {
  const { repository } = at;
  const folder = ensureHistoryFolder(repository.localFolder);
  const isHere = (commit: string) => hasHistory(at, folder, commit);
  if (!(await isHere(known))) await fetchHistory(at, [known], folder, null);
  // The clone may have commits that the remote does not: their history begins where that of the clone does.
  const starts = await historyStarts(repository, other);
  const missing: string[] = [];
  for (const start of starts) if (!(await isHere(start))) missing.push(start);
  if (missing.length > 0) await fetchHistory(at, missing, folder, known);
  const objects = (await repository.run(['rev-parse', '--git-path', 'objects'])).toString().replace(/\n$/, '');
  return {
    GIT_OBJECT_DIRECTORY: folder,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(resolve(repository.folder, objects)),
    GIT_SHALLOW_FILE: '',
  };
}

/** Quotes a path for a list of paths that git separates by colons. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

/** Decides whether the folder of upkeep has a commit, and so its history. */
async function hasHistory({ repository }: LedgerRemote, folder: string, commit: string): Promise<boolean> {
  try {
    await repository.run(['cat-file', '-e', `${commit}^{tree}`], { env: { GIT_OBJECT_DIRECTORY: folder, GIT_SHALLOW_FILE: '' } });
    return true;
  } catch (error) {
    if (error instanceof GitError && (error.code === 'failed' || error.code === 'unknown-commit')) return false;
    throw error;
  }
}
