/** Which targets take what was committed only. */
import type { Target } from '../../core/config/project.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError } from '../run/exit-codes.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { remoteOf, type SelectedConfiguration } from './desired-state.ts';

/** Decides whether only what was committed is applied to a target. */
export function needsCommit({ ledger, branch }: Target): boolean {
  return ledger !== 'none' || branch !== null;
}

/** Makes sure that what is applied to a target comes from a commit, where it has to. @throws CliError, GitError, LedgerError */
export async function requireCommit(
  session: OpenProject,
  target: Target,
  { state }: Pick<SelectedConfiguration, 'state'>,
  io: AppContext,
): Promise<void> {
  if (!needsCommit(target) || state !== null) return;
  // If git or the repository is missing, report that instead.
  await remoteOf(session, target, io);
  const summary = `the configuration of ${target.name} comes from no commit`;
  throw new CliError(EXIT_CODES.invalid, 'no-commit', summary, 'commit it, or set `ledger: none`');
}
