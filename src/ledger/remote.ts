/**
 * Fetches from and pushes to a remote, without touching the user's branches, tags, index and FETCH_HEAD, whatever the git configuration.
 */
import { GitError } from './errors.ts';
import { has, type Repository } from './repository.ts';

/** A remote of a repository, by its name. */
export interface LedgerRemote {
  readonly repository: Repository;
  readonly remote: string;
}

/** One ref to change: from `was` (null: not there) to `becomes` (null: deleted). Both are full names of commits. */
export interface RefChange {
  readonly ref: string;
  readonly was: string | null;
  readonly becomes: string | null;
}

/** How often a fetch is tried again when another process holds a lock file of git, or a ref moves meanwhile. */
const TRIES = 5;

/** Options that disable everything that the user's configuration might add to a push. */
const PLAIN_PUSH = ['--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', '--no-force-if-includes'];

/** Options that disable everything that the user's configuration might add to a fetch. */
const PLAIN_FETCH = ['--quiet', '--no-tags', '--no-prune', '--refmap=', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc'];

/** The commit that a ref of the remote, by its full name, stands at now; null where it is not there. @throws GitError */
export async function refOf({ repository, remote }: LedgerRemote, ref: string): Promise<string | null> {
  await knownRemote(repository, remote);
  const output = await repository.run(['ls-remote', '--quiet', '--', remote, ref], { remote: true });
  // Git also lists refs that only end like the one asked for.
  const row = output
    .toString()
    .split('\n')
    .find((line) => line.endsWith(`\t${ref}`));
  return row?.slice(0, row.indexOf('\t')) ?? null;
}

/**
 * Brings what the remote has under a full ref or commit name. In a shallow clone `alone` leaves the parents where they are,
 * so that a commit does not draw the whole history after it; a full clone is never made shallow. @throws GitError
 */
export async function fetchObjects({ repository, remote }: LedgerRemote, source: string, alone: boolean): Promise<void> {
  await knownRemote(repository, remote);
  const depth = alone && repository.shallow ? ['--depth=1'] : [];
  // Version 2 lets commits be fetched by name.
  await repository.run(['-c', 'protocol.version=2', 'fetch', ...PLAIN_FETCH, ...depth, '--', remote, source], { remote: true });
}

/** The commit at a ref of the remote, brought here; null where the ref is not there. @throws GitError */
export async function fetchRef(at: LedgerRemote, ref: string, alone: boolean): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const commit = await refOf(at, ref);
    if (commit === null || (await has(at.repository, commit))) return commit;
    try {
      await fetchObjects(at, ref, alone);
      if (await has(at.repository, commit)) return commit;
    } catch (error) {
      const passing = error instanceof GitError && (error.code === 'failed' || error.code === 'unknown-commit');
      if (!passing || tries === TRIES) throw error;
    }
    if (tries === TRIES) throw new GitError('failed', `${ref} of the remote \`${at.remote}\` keeps moving`, 'run again');
  }
}

/** Changes refs of the remote atomically, and only if each still points to its `was`. @throws GitError */
export function push(at: LedgerRemote, changes: readonly RefChange[]): Promise<void> {
  return pushWith(at, changes, []);
}

/**
 * Checks whether the remote would accept a push of these changes, without changing anything; hooks of the remote do not run.
 * @throws GitError
 */
export function dryRunPush(at: LedgerRemote, changes: readonly RefChange[]): Promise<void> {
  return pushWith(at, changes, ['--dry-run']);
}

async function pushWith({ repository, remote }: LedgerRemote, changes: readonly RefChange[], options: readonly string[]): Promise<void> {
  await knownRemote(repository, remote);
  const leases = changes.map(({ ref, was }) => `--force-with-lease=${ref}:${was ?? ''}`);
  const refspecs = changes.map(({ ref, becomes }) => `${becomes ?? ''}:${ref}`);
  const settings = ['-c', `remote.${remote}.mirror=false`, '-c', 'push.pushOption='];
  await repository.run([...settings, 'push', ...options, '--atomic', ...PLAIN_PUSH, ...leases, '--', remote, ...refspecs], {
    remote: true,
  });
}

/** Remotes that are known to exist, which are not checked again in the same run. */
const seen = new WeakMap<Repository, ReadonlySet<string>>();

/** Git takes what is not the name of a remote for an address. @throws GitError `no-remote` */
async function knownRemote(repository: Repository, remote: string): Promise<void> {
  if (seen.get(repository)?.has(remote)) return;
  try {
    await repository.run(['remote', 'get-url', '--', remote]);
    seen.set(repository, new Set([...(seen.get(repository) ?? []), remote]));
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'failed') throw error;
    const hint = `add it (git remote add ${remote} <url>), name another one (\`remote\` of the target), or set \`ledger: none\``;
    throw new GitError('no-remote', `the repository has no remote \`${remote}\``, hint);
  }
}
