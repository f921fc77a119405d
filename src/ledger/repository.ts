/** Opens the local git repository that contains a project. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { GitError } from './errors.ts';
import { type GitCall, type GitEnvironment, runGit, runGitSync } from './git-process.ts';

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
  const [shallow, ...prefix] = (await run(['rev-parse', '--is-shallow-repository', '--show-prefix'])).toString().split('\n');
  // The name of a folder may contain line breaks; git adds the last one.
  return { folder, prefix: prefix.slice(0, -1).join('\n'), shallow: shallow === 'true', run, runSync };
}

/** Arguments that print the commit, in rows that begin with `# `, and the files that differ from it. */
const STATUS = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--untracked-files=no'];

/**
 * Returns the commit of a folder, and whether the configuration differs from it: a tracked file has changed, or a file of `read` (absolute
 * paths with links resolved) is not tracked. Other untracked files, for example reports, do not count.
 * Null outside git, without git, or before the first commit.
 */
export async function workTreeState(
  folder: string,
  env: GitEnvironment,
  read: Iterable<string>,
): Promise<{ readonly commit: string; readonly dirty: boolean } | null> {
  const top = realpathSync(folder);
  if (!isBelowGit(top)) return null;
  try {
    const rows = (await runGit(folder, env, [...STATUS, '--', '.', ':(exclude).upkeep'])).toString().split('\0');
    const commit = rows.flatMap((row) => /^# branch\.oid ([0-9a-f]+)$/.exec(row)?.[1] ?? [])[0];
    if (commit === undefined) return null;
    const tracked = await runGit(folder, env, ['ls-files', '-z', '--recurse-submodules', '--', '.']);
    const trackedPaths = new Set(
      tracked
        .toString()
        .split('\0')
        .map((path) => resolve(top, path)),
    );
    const isChanged = rows.some((row) => row !== '' && !row.startsWith('# '));
    return { commit, dirty: isChanged || [...read].some((path) => !trackedPaths.has(path)) };
  } catch (error) {
    // Whatever the reason: git cannot name the commit.
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** Decides whether git would find a repository from a folder, so that git is not started without need. */
function isBelowGit(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isBelowGit(dirname(folder)));
}

/** Commits that are known to be local, which are not checked again in the same run. */
const localCommits = new WeakMap<Repository, Set<string>>();

/** Decides whether a commit and its objects are in the local repository. @throws GitError */
export async function has(repository: Repository, commit: string): Promise<boolean> {
  const known = localCommits.get(repository) ?? new Set();
  if (known.has(commit)) return true;
  try {
    await repository.run(['cat-file', '-e', `${commit}^{tree}`]);
    localCommits.set(repository, known.add(commit));
    return true;
  } catch (error) {
    if (error instanceof GitError && (error.code === 'failed' || error.code === 'unknown-commit')) return false;
    throw error;
  }
}
