import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Longest time that one call of git may take, milliseconds. */
const TIMEOUT = 30_000;

/** The commit that a folder's files come from, and whether they differ from it; null outside git, without git, or before the first commit. */
export async function workTreeState(
  folder: string,
  env: { readonly [name: string]: string | undefined },
): Promise<{ readonly commit: string; readonly dirty: boolean } | null> {
  const commit = await git(folder, env, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const status = commit === null ? null : await git(folder, env, ['status', '--porcelain', '-z', '--untracked-files=normal', '--', '.']);
  return commit === null || status === null ? null : { commit: commit.trim(), dirty: status !== '' };
}

async function git(folder: string, env: { readonly [name: string]: string | undefined }, args: readonly string[]): Promise<string | null> {
  const options = { cwd: folder, env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }, timeout: TIMEOUT, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)('git', [...args], options)).stdout;
  } catch {
    // Any failure means the same here: git cannot say which commit this is, and the plan says null.
    return null;
  }
}
