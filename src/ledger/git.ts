import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

type Environment = { readonly [name: string]: string | undefined };

/** Longest time that one call of git may take, milliseconds. */
const TIMEOUT = 30_000;

/** What a hook that runs upkeep sets; the folder alone says which repository is meant. */
const FOREIGN = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_OBJECT_DIRECTORY', 'GIT_NAMESPACE'];

/** The commit that a folder's files come from, and whether they differ from it; null outside git, without git, or before the first commit. */
export async function workTreeState(
  folder: string,
  env: Environment,
): Promise<{ readonly commit: string; readonly dirty: boolean } | null> {
  const commit = await git(folder, env, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (commit === null) return null;
  const status = await git(folder, env, ['status', '--porcelain', '-z', '--untracked-files=normal', '--', '.']);
  return status === null ? null : { commit: commit.trim(), dirty: status !== '' };
}

async function git(folder: string, env: Environment, args: readonly string[]): Promise<string | null> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN.includes(name)));
  const options = { cwd: folder, env: { ...own, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }, timeout: TIMEOUT, maxBuffer: 64 * 1024 * 1024 };
  try {
    // A repository may name a program of its own as file system monitor; reading its state needs none.
    return (await promisify(execFile)('git', ['-c', 'core.fsmonitor=false', ...args], options)).stdout;
  } catch {
    // Any failure means the same here: git cannot say which commit this is, and the plan says null.
    return null;
  }
}
