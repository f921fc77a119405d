/**
 * Opens a ledger in a repository of its own: through a bare copy that only upkeep uses, beside the local files of the target (design section
 * 6).
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { GitError } from './errors.ts';
import { type GitEnvironment, runGit, runGitSync } from './git-process.ts';
import { checkFolder, ensureLocalFolder } from './local-files.ts';
import type { LedgerRemote } from './remote.ts';
import type { Repository } from './repository.ts';

/**
 * Opens the ledger repository at an address: https, ssh, or a path relative to the project. The copy of a target holds what was fetched for
 * it, without history. Its configuration is that of this user, never that of the project's clone. @throws GitError, LedgerError
 */
export async function openLedgerRepository(
  project: Repository,
  target: string,
  written: string,
  env: GitEnvironment,
): Promise<LedgerRemote> {
  const isPath = !/^(?:https|ssh):\/\//.test(written);
  const address = isPath ? pathOutside(project, resolve(project.folder, written)) : written;
  const localFolder = join(project.localFolder, target);
  const folder = join(localFolder, `ledger-${createHash('sha256').update(address).digest('hex')}`);
  checkFolder(folder);
  if (!existsSync(folder)) await createCopy(localFolder, folder, env);
  const own: GitEnvironment = { GIT_DIR: folder, GIT_ALLOW_PROTOCOL: isPath ? 'file' : 'https:ssh' };
  const repository: Repository = {
    folder,
    prefix: '',
    shallow: true,
    nameLength: 40,
    localFolder: project.localFolder,
    run: (args, call = {}) =>
      runGit(folder, env, args, { ...call, env: { ...own, ...call.env } }).catch((error: unknown) => {
        throw error instanceof GitError && error.code === 'unreachable'
          ? new GitError(error.code, error.message, isPath ? absentPathHint(address) : ABSENT_HINT)
          : error;
      }),
    runSync: (args, call = {}) => runGitSync(folder, env, args, { ...call, env: { ...own, ...call.env } }),
  };
  return { repository, remote: address, byAddress: true };
}

/** What to do where an address does not answer as a ledger repository. */
const ABSENT_HINT =
  'create an empty repository there if there is none, check the network and that your credentials of git may read it, or correct `ledger` of the target';

function absentPathHint(path: string): string {
  return `there must be a bare repository there: create it (git init --bare ${path}), or correct \`ledger\` of the target`;
}

/** Creates an empty bare repository, complete or not at all, since another run may create it at the same time. */
async function createCopy(localFolder: string, folder: string, env: GitEnvironment): Promise<void> {
  ensureLocalFolder(localFolder);
  const draft = `${folder}.${randomUUID()}`;
  try {
    const args = ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', '--initial-branch=main'];
    await runGit(localFolder, env, args, { env: { GIT_DIR: draft } });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Returns the path of a repository outside of the project's work tree. Whoever opens a pull request decides about every file of a checkout,
 * and a repository can name programs that a push to it runs. @throws GitError
 */
function pathOutside(project: Repository, path: string): string {
  const top = resolve(realpathSync(project.folder), '../'.repeat(project.prefix.split('/').length - 1));
  if (!`${realOf(path)}${sep}`.startsWith(`${top}${sep}`)) return path;
  throw new GitError(
    'refused',
    `the ledger repository ${path} lies in the work tree, where a pull request could bring one`,
    'name a repository outside of this work tree in `ledger`',
  );
}

/** Returns the real path of an absolute path; of what does not exist, that of the nearest folder above it, with the rest. */
function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realOf(dirname(path)), basename(path));
}
