/** The other projects of a repository that would share a ledger: it belongs to one of them only (design section 6, one project). */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadProject } from '../../core/config/load-project.ts';
import type { Target } from '../../core/config/project.ts';
import { diskFiles, PROJECT_FILE } from '../../core/config/project-folder.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { headCommit, isBelowGit } from '../../core/ledger/repository.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { repositoryOf } from './work-tree.ts';

/** Maximum number of other projects that are read. */
const MAX_PROJECTS = 200;

/**
 * Returns the upkeep.yaml files of other projects in this commit that have a target of this name with the same ledger, by their paths in the
 * repository. Empty outside git, and where git cannot list the commit.
 */
export async function projectsSharingLedger(session: OpenProject, target: Target, io: AppContext): Promise<readonly string[]> {
  if (target.ledger === 'none' || !isBelowGit(session.folder)) return [];
  try {
    const repository = await repositoryOf(session, io);
    const head = await headCommit(repository);
    if (head === null) return [];
    const listed = (await repository.run(['ls-tree', '-r', '-z', '--full-tree', '--name-only', head])).toString().split('\0');
    const own = `${repository.prefix}${session.project.file}`;
    const others = listed.filter((path) => path !== own && (path === PROJECT_FILE || path.endsWith(`/${PROJECT_FILE}`)));
    const top = join(
      session.folder,
      ...repository.prefix
        .split('/')
        .filter(Boolean)
        .map(() => '..'),
    );
    return others.slice(0, MAX_PROJECTS).filter((path) => targetsIn(join(top, path)).some((other) => ledgerOf(other) === ledgerOf(target)));
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** Returns the targets of a project on disk; none where it is gone there or invalid, which its own validation says. */
function targetsIn(path: string): readonly Target[] {
  return existsSync(path) ? (loadProject(diskFiles(dirname(path)), PROJECT_FILE).project?.targets ?? []) : [];
}

/** Returns where the ledger of a target is: the ref, and the remote or the address. */
function ledgerOf({ name, ledger, remote }: Target): string | null {
  return ledger === 'none' ? null : JSON.stringify([name, ledger === 'git' ? remote : ledger.git]);
}
