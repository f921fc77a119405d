/** The repository that a project lives in, as it stands on this machine. */
import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { GitError } from './errors.ts';
import { type Call, type Environment, runGit, runGitSync } from './run.ts';

/** A repository: a clone of any kind and depth, a worktree, or a bare mirror. */
export interface Repository {
  /** The folder of upkeep.yaml, absolute. */
  readonly folder: string;
  /** Top of the work tree, absolute; null where there is none. */
  readonly top: string | null;
  /** Path of the folder below the top, with `/` between and at the end; empty at the top and where there is no work tree. */
  readonly prefix: string;
  /** Whether history ends early, as in the clones of many CI systems. */
  readonly shallow: boolean;
  /** Runs git here. @throws GitError */
  run(args: readonly string[], call?: Call): Promise<Buffer>;
  /** Runs git here while everything waits. @throws GitError */
  runSync(args: readonly string[], call?: Call): Buffer;
}

/**
 * Opens the repository that holds a folder; else the one that an absolute GIT_DIR names (a bare mirror beside an exported folder).
 * @throws GitError
 */
export async function openRepository(folder: string, env: Environment): Promise<Repository> {
  const { GIT_DIR: named } = env;
  try {
    return await repositoryAt(folder, env, {});
  } catch (error) {
    const elsewhere = named !== undefined && isAbsolute(named) && error instanceof GitError && error.code === 'no-repository';
    if (!elsewhere) throw error;
    return await repositoryAt(folder, env, { GIT_DIR: named, GIT_WORK_TREE: env.GIT_WORK_TREE });
  }
}

async function repositoryAt(folder: string, env: Environment, named: Environment): Promise<Repository> {
  const run: Repository['run'] = (args, call = {}) => runGit(folder, env, args, { ...call, env: { ...named, ...call.env } });
  const runSync: Repository['runSync'] = (args, call = {}) => runGitSync(folder, env, args, { ...call, env: { ...named, ...call.env } });
  const ask = async (question: string): Promise<string> => (await run(['rev-parse', question])).toString().replace(/\n$/, '');
  const shallow = (await ask('--is-shallow-repository')) === 'true';
  const inside = (await ask('--is-inside-work-tree')) === 'true';
  const top = inside ? await ask('--show-toplevel') : null;
  const prefix = inside ? await ask('--show-prefix') : '';
  return { folder, top, prefix, shallow, run, runSync };
}

/**
 * The commit that a folder's files come from, and whether the configuration differs from it: a file of it was changed, or one that was
 * `read` (absolute, behind all links) is in no commit. Other new files, reports among them, are no part of it.
 * Null outside git, without git, or before the first commit.
 */
export async function workTreeState(
  folder: string,
  env: Environment,
  read: Iterable<string>,
): Promise<{ readonly commit: string; readonly dirty: boolean } | null> {
  try {
    const commit = await runGit(folder, env, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    const status = await runGit(folder, env, ['status', '--porcelain', '-z', '--untracked-files=no', '--', '.', ':(exclude).upkeep']);
    const listed = await runGit(folder, env, ['ls-files', '-z', '--recurse-submodules', '--', '.']);
    const top = realpathSync(folder);
    const known = new Set(
      listed
        .toString()
        .split('\0')
        .map((path) => resolve(top, path)),
    );
    return { commit: commit.toString().trim(), dirty: status.length > 0 || [...read].some((path) => !known.has(path)) };
  } catch (error) {
    // Any failure means the same here: git cannot say which commit this is, and the plan says null.
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** Whether a commit is here, with what it points at. @throws GitError */
export async function has(repository: Repository, commit: string): Promise<boolean> {
  try {
    await repository.run(['cat-file', '-e', `${commit}^{tree}`]);
    return true;
  } catch (error) {
    if (error instanceof GitError && (error.code === 'failed' || error.code === 'unknown-commit')) return false;
    throw error;
  }
}
