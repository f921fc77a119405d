/** Refuses to apply valid configurations that nobody has reviewed. */
import type { Target } from '../config/project.ts';
import { isOnBranch } from '../ledger/commits.ts';
import { remoteOf, type SelectedConfiguration } from './desired-state.ts';
import { CliError, EXIT_CODES } from './exit-codes.ts';
import type { OpenProject } from './project.ts';
import type { CliContext } from './runtime.ts';

const COMMIT_IT = 'commit it, or set `ledger: none`';

/** Refuses a dirty work tree where there is a ledger, and a commit that is not on the target's `branch`. @throws CliError, GitError */
export async function requireReviewedCommit(
  session: OpenProject,
  target: Target,
  { state }: Pick<SelectedConfiguration, 'state'>,
  io: CliContext,
  dirtyAllowed: boolean,
): Promise<void> {
  const recorded = target.ledger === 'git' || target.branch !== null;
  if (!recorded) return;
  if (!state) {
    // If git or the repository is missing, report that instead.
    await remoteOf(session, target, io);
    throw new CliError(EXIT_CODES.invalid, 'no-commit', `the configuration of ${target.name} comes from no commit`, COMMIT_IT);
  }
  if (state.dirty && !dirtyAllowed) {
    throw new CliError(
      EXIT_CODES.blocked,
      'dirty',
      `the work tree differs from commit ${state.commit.slice(0, 12)}`,
      'commit the changes, or override with --allow dirty',
    );
  }
  if (target.branch === null || (await isOnBranch(await remoteOf(session, target, io), target.branch, state.commit))) return;
  throw new CliError(
    EXIT_CODES.blocked,
    'not-on-branch',
    `commit ${state.commit.slice(0, 12)} is not on ${target.remote}/${target.branch}, from which ${target.name} is applied`,
    'merge it first',
  );
}
