/** Makes sure that only reviewed configuration is applied: committed, and on the branch of the target. */
import type { Target } from '../../core/config/project.ts';
import { isOnBranch } from '../../core/ledger/commit-history.ts';
import { firstOf } from '../../core/model/collections.ts';
import { CliError, EXIT_CODES } from '../run/exit-codes.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { remoteOf, type SelectedConfiguration } from './desired-state.ts';

/** Maximum number of files named in a sentence. */
const MAX_NAMED = 4;

/** Decides whether only what was committed is applied to a target. */
export function needsCommit({ ledger, branch }: Target): boolean {
  return ledger !== 'none' || branch !== null;
}

/** Refuses a dirty work tree where there is a ledger, and a commit that is not on the target's `branch`. @throws CliError, GitError, LedgerError */
export async function requireReviewedCommit(
  session: OpenProject,
  target: Target,
  { state, differing }: Pick<SelectedConfiguration, 'state' | 'differing'>,
  io: AppContext,
  allowDirty: boolean,
): Promise<void> {
  if (!needsCommit(target)) return;
  if (!state) {
    // If git or the repository is missing, report that instead.
    await remoteOf(session, target, io);
    const summary = `the configuration of ${target.name} comes from no commit`;
    throw new CliError(EXIT_CODES.invalid, 'no-commit', summary, 'commit it, or set `ledger: none`');
  }
  const commit = state.commit.slice(0, 12);
  if (state.dirty && !allowDirty) {
    const summary = `the work tree differs from commit ${commit}: ${firstOf(differing, MAX_NAMED).join(', ')}`;
    throw new CliError(EXIT_CODES.blocked, 'dirty', summary, 'commit the changes, or override with --allow dirty');
  }
  if (target.branch === null || (await isOnBranch(await remoteOf(session, target, io), target.branch, state.commit))) return;
  const summary = `commit ${commit} is not on ${target.remote}/${target.branch}, from which ${target.name} is applied`;
  throw new CliError(EXIT_CODES.blocked, 'not-on-branch', summary, 'merge it first');
}
