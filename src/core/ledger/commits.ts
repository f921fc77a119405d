/** Finds commits of the configuration. */
import { GitError } from './errors.ts';
import { fetchObjects, type LedgerRemote } from './remote.ts';
import { has, type Repository } from './repository.ts';
import { parentsOf } from './single-file-commit.ts';

/** Decides whether a text is a full name of a commit, in either of git's hash algorithms. */
export function isFullName(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

/** Returns the full name of the commit that a local ref, tag or abbreviation names; a full name is fetched if necessary. @throws GitError */
export async function commitOf(at: LedgerRemote, ref: string): Promise<string> {
  if (isFullName(ref)) await fetchCommit(at, ref);
  const commit = await localCommit(at.repository, ref);
  if (commit !== null) return commit;
  const hint = at.repository.shallow
    ? 'this clone is shallow: name the full commit, or fetch the ref first'
    : 'git log shows the commits of this clone';
  throw new GitError('unknown-commit', `there is no commit \`${ref}\` here`, hint);
}

/** Returns the full name of the commit that a ref, tag, hash or abbreviation names in this clone; null for none. @throws GitError */
export async function localCommit(repository: Repository, ref: string): Promise<string | null> {
  try {
    const output = await repository.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
    return output.toString().trim();
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return null;
    throw error;
  }
}

/** Maximum length of a message, characters. */
const MAX_MESSAGE_LENGTH = 10_000;

/** Returns the message of a commit, cut where it is very long; empty where this clone does not have the commit. @throws GitError */
export async function commitMessage(repository: Repository, commit: string): Promise<string> {
  if (!(await has(repository, commit))) return '';
  const object = (await repository.run(['cat-file', 'commit', commit])).toString();
  // The headers end at the first empty line.
  const end = object.indexOf('\n\n');
  return end < 0 ? '' : object.slice(end + 2, end + 2 + MAX_MESSAGE_LENGTH).trim();
}

/**
 * Fetches a commit from the remote unless the local repository has it; in a shallow clone, so many generations of commits. @throws GitError
 * `unknown-commit` when that fails
 */
export async function fetchCommit(at: LedgerRemote, commit: string, depth = 1): Promise<void> {
  const { nameLength } = at.repository;
  if (commit.length !== nameLength) {
    const message = `${commit} is no whole hash of a commit in this repository`;
    throw new GitError('unknown-commit', message, `its whole hashes have ${nameLength} digits`);
  }
  if (await has(at.repository, commit)) return;
  const failure = await fetchObjects(at, commit, depth).then(
    () => null,
    (error: unknown) => error,
  );
  if (failure === null && (await has(at.repository, commit))) return;
  if (failure !== null && !(failure instanceof GitError)) throw failure;
  const reason = failure === null ? '' : ` (${failure.message})`;
  const hint = at.byAddress
    ? `check that the ledger repository ${at.remote} still has it`
    : `fetch it: git fetch ${fetchOptions(at.repository)}${at.remote} ${commit}`;
  throw new GitError('unknown-commit', `commit ${commit} is not here, and could not be fetched${reason}`, hint);
}

function fetchOptions(repository: Repository): string {
  return repository.shallow ? '--depth=1 ' : '';
}

/** Returns the commits with which the local history of a commit begins although they have parents, as in a shallow clone. @throws GitError */
export async function historyStarts(repository: Repository, commit: string): Promise<readonly string[]> {
  const roots = (await repository.run(['rev-list', '--max-parents=0', '--end-of-options', commit])).toString().trim().split('\n');
  const starts: string[] = [];
  for (const root of roots) if ((await parentsOf(repository, root)).length > 0) starts.push(root);
  return starts;
}
