/**
 * Fetches from and pushes to a remote, without touching the user's branches, tags, index and FETCH_HEAD, whatever the git configuration.
 */
import { GitError } from './errors.ts';
import { has, isThere, type Repository } from './repository.ts';

/** A remote of a repository, by its name; or a ledger repository, by its address or absolute path. */
export interface LedgerRemote {
  readonly repository: Repository;
  readonly remote: string;
  /** Present where `remote` is the address of a ledger repository, which holds no commit of the project. */
  readonly byAddress?: true;
  /** Called when a push fails, before the remote is asked whether it was made all the same. */
  readonly onFailedPush?: ((error: GitError, refs: readonly string[]) => void) | undefined;
}

/** A change of one ref from `was` (null: it must not exist) to `becomes` (null: delete it). Both are full names of commits. */
export interface RefChange {
  readonly ref: string;
  readonly was: string | null;
  readonly becomes: string | null;
}

/** Maximum number of attempts of a fetch while another process holds a lock file of git, or the ref moves. */
const ATTEMPTS = 5;

/** Options that disable everything that the user's configuration might add to a push. */
const PLAIN_PUSH = ['--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', '--no-force-if-includes'];

/** Options that disable everything that the user's configuration might add to a fetch. */
const PLAIN_FETCH = ['--quiet', '--no-tags', '--no-prune', '--refmap=', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc'];

/** Reads the commit that a ref of the remote points to, by the full name of the ref; null where it does not exist. @throws GitError */
export async function refOf(at: LedgerRemote, ref: string): Promise<string | null> {
  const { repository, remote } = at;
  await requireRemote(at);
  const output = await repository.run(['ls-remote', '--quiet', '--', remote, ref], { remote: true });
  // Git also lists refs whose names only end with the requested one.
  const row = output
    .toString()
    .split('\n')
    .find((line) => line.endsWith(`\t${ref}`));
  return row?.slice(0, row.indexOf('\t')) ?? null;
}

/** Returns the commits that the refs of the remote directly below a folder of refs point to, by the last part of their names. @throws GitError */
export async function refsIn(at: LedgerRemote, folder: string): Promise<ReadonlyMap<string, string>> {
  const { repository, remote } = at;
  await requireRemote(at);
  const output = await repository.run(['ls-remote', '--quiet', '--', remote, `${folder}/*`], { remote: true });
  const rows = output.toString().split('\n');
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const [commit = '', ref = ''] = row.split('\t');
      const name = ref.startsWith(`${folder}/`) ? ref.slice(folder.length + 1) : '';
      return name === '' || name.includes('/') ? [] : [[name, commit]];
    }),
  );
}

/** Returns the first ref of the remote below one of these full names, where git could create none of that name; null where there is none. @throws GitError */
export async function refBelow({ repository, remote }: LedgerRemote, refs: readonly string[]): Promise<string | null> {
  const patterns = refs.map((ref) => `${ref}/*`);
  const output = await repository.run(['ls-remote', '--quiet', '--', remote, ...patterns], { remote: true });
  const names = output
    .toString()
    .split('\n')
    .map((line) => line.slice(line.indexOf('\t') + 1));
  return names.find((name) => refs.some((ref) => name.startsWith(`${ref}/`))) ?? null;
}

/**
 * Fetches full names of refs or commits from the remote. In a shallow clone, `depth` is how many generations of commits are fetched, 1 being the
 * commit without its parents; null is the whole history. A full clone never becomes shallow. @throws GitError
 */
export async function fetchObjects(at: LedgerRemote, sources: string | readonly string[], depth: number | null): Promise<void> {
  const { repository, remote } = at;
  await requireRemote(at);
  const limit = depth !== null && repository.shallow ? [`--depth=${depth}`] : [];
  // Version 2 of the protocol allows fetching a commit by its name.
  await repository.run(['-c', 'protocol.version=2', 'fetch', ...PLAIN_FETCH, ...limit, '--', remote, ...[sources].flat()], {
    remote: true,
  });
}

/**
 * Fetches commits by their full names, with their whole history but without the contents of files where the remote can leave them out, into
 * a folder of objects, as if the clone had no other objects. `known` is a commit whose history is there already. Neither the objects nor the
 * configuration of the clone change. @throws GitError
 */
export async function fetchHistory(at: LedgerRemote, commits: readonly string[], folder: string, known: string | null): Promise<void> {
  const { repository, remote } = at;
  await requireRemote(at);
  const withoutContents = [`remote.${remote}.promisor=true`, `remote.${remote}.partialclonefilter=blob:none`];
  const settings = ['protocol.version=2', ...withoutContents].flatMap((setting) => ['-c', setting]);
  const negotiation = known === null ? [] : [`--negotiation-tip=${known}`];
  await repository.run([...settings, 'fetch', ...PLAIN_FETCH, ...negotiation, '--', remote, ...commits], {
    remote: true,
    env: { GIT_OBJECT_DIRECTORY: folder, GIT_SHALLOW_FILE: '' },
  });
}

/**
 * Fetches the object that a ref of the remote points to, a commit as a rule; null where the ref does not exist. In a shallow clone, `alone` fetches it without
 * its parents. @throws GitError
 */
export async function fetchRef(at: LedgerRemote, ref: string, alone: boolean): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const commit = await refOf(at, ref);
    if (commit === null || (await has(at.repository, commit))) return commit;
    try {
      await fetchObjects(at, ref, alone ? 1 : null);
      if (await isThere(at.repository, commit)) return commit;
    } catch (error) {
      const isTemporary = error instanceof GitError && (error.code === 'failed' || error.code === 'unknown-commit');
      if (!isTemporary || attempt === ATTEMPTS) throw error;
    }
    if (attempt === ATTEMPTS) throw new GitError('failed', `${ref} of the remote \`${at.remote}\` keeps moving`, 'run again');
  }
}

/** Changes refs of the remote atomically, and only if each still points to its `was`. @throws GitError */
export async function push(at: LedgerRemote, changes: readonly RefChange[]): Promise<void> {
  try {
    await pushWith(at, changes, []);
  } catch (error) {
    const refs = changes.map(({ ref }) => ref);
    if (error instanceof GitError) at.onFailedPush?.(error, refs);
    throw error;
  }
}

/**
 * Checks whether the remote would accept a push of these changes, without changing anything; hooks of the remote do not run.
 * @throws GitError
 */
export function dryRunPush(at: LedgerRemote, changes: readonly RefChange[]): Promise<void> {
  return pushWith(at, changes, ['--dry-run']);
}

async function pushWith(at: LedgerRemote, changes: readonly RefChange[], options: readonly string[]): Promise<void> {
  const { repository, remote, byAddress } = at;
  await requireRemote(at);
  const leases = changes.map(({ ref, was }) => `--force-with-lease=${ref}:${was ?? ''}`);
  const refspecs = changes.map(({ ref, becomes }) => `${becomes ?? ''}:${ref}`);
  const settings = ['-c', 'push.pushOption=', ...(byAddress ? [] : ['-c', `remote.${remote}.mirror=false`])];
  await repository.run([...settings, 'push', ...options, '--atomic', ...PLAIN_PUSH, ...leases, '--', remote, ...refspecs], {
    remote: true,
  });
}

/** Remotes that are known to exist, which are not checked again in the same run. */
const checkedRemotes = new WeakMap<Repository, ReadonlySet<string>>();

/** Checks that a remote exists, unless it is an address, since git would read any other name as one. @throws GitError `no-remote` */
async function requireRemote({ repository, remote, byAddress }: LedgerRemote): Promise<void> {
  if (byAddress || checkedRemotes.get(repository)?.has(remote)) return;
  try {
    await repository.run(['remote', 'get-url', '--', remote]);
    checkedRemotes.set(repository, new Set([...(checkedRemotes.get(repository) ?? []), remote]));
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'failed') throw error;
    const hint = `add it (git remote add ${remote} <url>), name another one (\`remote\` of the target), or set \`ledger: none\``;
    throw new GitError('no-remote', `the repository has no remote \`${remote}\``, hint);
  }
}
