/** The project to which a ledger belongs: entries and locks name it, and no other project may use them (design section 6, one project). */

import type { Target } from '../../core/config/project.ts';
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import { fetchCommit } from '../../core/ledger/commits.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { headCommit, type Repository } from '../../core/ledger/repository.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError } from '../run/exit-codes.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { repositoryOf } from './work-tree.ts';

/** Name of a project at the top of its repository. */
const TOP = '.';

/** Returns the name of a project: `project` of upkeep.yaml, or its folder in the repository. @throws GitError */
export async function projectNameOf(session: OpenProject, io: AppContext): Promise<string> {
  return session.project.name ?? folderName(await repositoryOf(session, io));
}

function folderName({ prefix }: Repository): string {
  return prefix === '' ? TOP : prefix.slice(0, -1);
}

/** Refuses the ledger of another project. An entry that names none belongs to whoever applies next. @throws CliError, GitError */
export async function requireOwnLedger(
  session: OpenProject,
  target: Target,
  { project: remote, projectName: own }: { readonly project: LedgerRemote; readonly projectName: string },
  { project: owner, config }: LedgerEntry,
): Promise<void> {
  if (owner === undefined || owner === own) return;
  const { file } = session.project;
  if (session.project.name === null && (await hasMoved(remote, { from: owner, to: own, file, last: config.commit }))) return;
  throw new CliError(
    EXIT_CODES.invalid,
    'other-project',
    `the ledger of ${target.name} belongs to the project ${owner}, and this is ${own}`,
    `if this is another project, give its target another name or a ledger of its own (\`ledger\`); if it is the same one, write \`project: ${owner}\` in ${file}, under review`,
  );
}

/**
 * Decides whether a project was moved to another folder: this commit contains the commit last applied, which had the file in the recorded
 * folder and none in this one, and this commit has none in the recorded folder.
 */
async function hasMoved(
  remote: LedgerRemote,
  { from, to, file, last }: { readonly from: string; readonly to: string; readonly file: string; readonly last: string | null },
): Promise<boolean> {
  const { repository } = remote;
  const head = await headCommit(repository);
  if (last === null || head === null) return false;
  await fetchCommit(remote, last);
  const isContained = head === last || (await (await openCommitHistory(remote, head, last)).mergeBases(head, last)).includes(last);
  const isIn = (commit: string, folder: string) => hasFile(repository, commit, folder === TOP ? file : `${folder}/${file}`);
  return isContained && (await isIn(last, from)) && !(await isIn(last, to)) && !(await isIn(head, from));
}

async function hasFile(repository: Repository, commit: string, path: string): Promise<boolean> {
  return (await repository.run(['ls-tree', '-z', '--full-tree', commit, '--', path])).length > 0;
}
