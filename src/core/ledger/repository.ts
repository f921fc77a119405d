/** Opens the local git repository that contains a project. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { GitError } from './errors.ts';
import { type GitCall, type GitEnvironment, runGit, runGitSync } from './git-process.ts';
import { localFolderIn } from './local-files.ts';

/** A repository: a clone of any kind and depth, a worktree, or a bare mirror. */
export interface Repository {
  /** The folder of upkeep.yaml, absolute. */
  readonly folder: string;
  /**
   * Path of the folder below the top of the work tree, with `/` between and at the end; empty at the top and where there is no work tree.
   */
  readonly prefix: string;
  /** Whether the clone is shallow, as in many CI systems. */
  readonly shallow: boolean;
  /** Length of the full names of its objects, in hexadecimal digits. */
  readonly nameLength: number;
  /** The folder of the local files of the project, absolute: below the directory that all worktrees share. */
  readonly localFolder: string;
  /** Runs git in the repository. @throws GitError */
  run(args: readonly string[], call?: GitCall): Promise<Buffer>;
  /** Runs git in the repository synchronously. @throws GitError */
  runSync(args: readonly string[], call?: GitCall): Buffer;
}

/**
 * Opens the repository that holds a folder; else the one that an absolute GIT_DIR names (a bare mirror beside an exported folder).
 * @throws GitError
 */
export async function openRepository(folder: string, env: GitEnvironment): Promise<Repository> {
  const { GIT_DIR: named } = env;
  try {
    return await repositoryAt(folder, env, {});
  } catch (error) {
    const isElsewhere = named !== undefined && isAbsolute(named) && error instanceof GitError && error.code === 'no-repository';
    if (!isElsewhere) throw error;
    return await repositoryAt(folder, env, { GIT_DIR: named, GIT_WORK_TREE: env.GIT_WORK_TREE });
  }
}

async function repositoryAt(folder: string, env: GitEnvironment, named: GitEnvironment): Promise<Repository> {
  const run: Repository['run'] = (args, call = {}) => runGit(folder, env, args, { ...call, env: { ...named, ...call.env } });
  const runSync: Repository['runSync'] = (args, call = {}) => runGitSync(folder, env, args, { ...call, env: { ...named, ...call.env } });
  const output = (
    await run(['rev-parse', '--git-common-dir', '--is-shallow-repository', '--show-object-format', '--show-prefix'])
  ).toString();
  // The names of folders may contain line breaks; git adds the last one, and leaves the prefix out where there is no work tree.
  const [, common = '', shallow, format, prefix = ''] = /^(.*?)\n(true|false)\n(\S+)\n(?:(.*)\n)?$/s.exec(output) ?? [];
  const nameLength = format === 'sha256' ? 64 : 40;
  const localFolder = localFolderIn(
    realpathSync(resolve(realpathSync(folder), common)),
    named.GIT_DIR === undefined ? prefix : realpathSync(folder),
  );
  if (shallow !== 'true') return { folder, prefix, shallow: false, nameLength, localFolder, run, runSync };
  // Git locks the list of the commits at which a shallow clone ends, and does not wait for the lock.
  const inTurn = oneAtATime();
  const runShallow: Repository['run'] = (args, call) => (args.includes('fetch') ? inTurn(() => run(args, call)) : run(args, call));
  return { folder, prefix, shallow: true, nameLength, localFolder, run: runShallow, runSync };
}

/** Returns a function that begins each task when those before it have ended. */
function oneAtATime(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
}

/**
 * Returns the files of the project that git does not check out, by the index (sparse checkout, skip-worktree), whether or not they are on
 * disk. @throws GitError
 */
export async function skippedFiles(repository: Repository): Promise<readonly string[]> {
  const rows = (await repository.run(['ls-files', '-t', '-z', '--', '.'])).toString().split('\0');
  return rows.flatMap((row) => (row.startsWith('S ') ? [row.slice(2)] : []));
}

/** Returns the commit of the work tree; null before the first one. @throws GitError */
export async function headCommit(repository: Repository): Promise<string | null> {
  try {
    return (await repository.run(['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'])).toString().trim();
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return null;
    throw error;
  }
}

/** Decides whether git would find a repository from a folder, so that git is not started without need. */
export function isBelowGit(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isBelowGit(dirname(folder)));
}

/** Commits that are known to be local, which are not checked again in the same run. */
const localCommits = new WeakMap<Repository, Set<string>>();

/** Decides whether a commit, by its full name, and its objects are in the local repository. @throws GitError */
export async function has(repository: Repository, commit: string): Promise<boolean> {
  // Git takes a name of another length for the name of a ref, which whoever may push chooses.
  if (commit.length !== repository.nameLength) return false;
  const known = localCommits.get(repository) ?? new Set();
  if (known.has(commit)) return true;
  const isLocal = await isThere(repository, `${commit}^{tree}`);
  if (isLocal) localCommits.set(repository, known.add(commit));
  return isLocal;
}

/** Decides whether an object is in the repository, also one that is no commit: whoever may push can let a ref point to it. @throws GitError */
export async function isThere(repository: Repository, name: string): Promise<boolean> {
  try {
    await repository.run(['cat-file', '-e', name]);
    return true;
  } catch (error) {
    if (error instanceof GitError && (error.code === 'failed' || error.code === 'unknown-commit')) return false;
    throw error;
  }
}
