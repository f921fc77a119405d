/** The git repository of a project: opened once in a run, with the local folder and the commit of the work tree. */

import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { listSourceFiles } from '../../core/config/load-sources.ts';
import type { Project, Target } from '../../core/config/project.ts';
import { withSkippedFiles } from '../../core/config/skipped-files.ts';
import { type CommitFiles, filesAt } from '../../core/ledger/commit-files.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { localFolderOfUser } from '../../core/ledger/local-files.ts';
import { headCommit, isBelowGit, openRepository, type Repository, skippedFiles } from '../../core/ledger/repository.ts';
import { childEnvironment } from '../account/credentials.ts';
import { type OpenProject, withFiles } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';

/** A commit and its files below the folder of upkeep.yaml. */
export interface CommittedFiles {
  readonly commit: string;
  readonly files: CommitFiles;
}

const repositories = new WeakMap<Project, Promise<Repository>>();
const commits = new WeakMap<Project, Promise<CommittedFiles | null>>();

/** Returns the result of the first call for a project in this process. */
function oncePerProject<Result>(known: WeakMap<Project, Promise<Result>>, project: Project, make: () => Promise<Result>): Promise<Result> {
  const result = known.get(project) ?? make();
  known.set(project, result);
  return result;
}

/** Opens the repository of a project. @throws GitError */
export function repositoryOf({ folder, project }: OpenProject, io: AppContext): Promise<Repository> {
  return oncePerProject(repositories, project, () => openRepository(folder, childEnvironment(io, project)));
}

/**
 * Returns the session, whose files include those that git has not checked out, so that they count as unreadable and not as deleted. Outside
 * git, and where git cannot tell, there are none.
 */
export async function withUncheckedFiles(session: OpenProject, io: AppContext): Promise<OpenProject> {
  if (!isBelowGit(realpathSync(session.folder))) return session;
  try {
    const skipped = await skippedFiles(await repositoryOf(session, io));
    return skipped.length === 0 ? session : withFiles(session, withSkippedFiles(session.files, skipped));
  } catch (error) {
    if (error instanceof GitError) return session;
    throw error;
  }
}

/** Returns the local folder of the target: in the repository, else in the user's state folder (design section 6, local files). */
export async function localFolderOf(session: OpenProject, target: Target, io: AppContext): Promise<string> {
  return join(await localFolderOfProject(session, io), target.name);
}

async function localFolderOfProject(session: OpenProject, io: AppContext): Promise<string> {
  const folder = realpathSync(session.folder);
  if (!isBelowGit(folder) && !isAbsolute(io.env.GIT_DIR ?? '')) return localFolderOfUser(folder, io.env);
  try {
    return (await repositoryOf(session, io)).localFolder;
  } catch (error) {
    // Without git, a target without a ledger still has a journal.
    if (error instanceof GitError) return localFolderOfUser(folder, io.env);
    throw error;
  }
}

/** Returns the commit of the work tree that holds the project; null outside git, without git, or before the first commit. */
export function committedFiles(session: OpenProject, target: Target, io: AppContext): Promise<CommittedFiles | null> {
  return oncePerProject(commits, session.project, async () => {
    if (!isBelowGit(realpathSync(session.folder))) return null;
    try {
      const repository = await repositoryOf(session, io);
      const commit = await headCommit(repository);
      return commit === null ? null : { commit, files: await filesAt({ repository, remote: target.remote }, commit) };
    } catch (error) {
      // Whatever the reason: git cannot name the commit.
      if (error instanceof GitError) return null;
      throw error;
    }
  });
}

/** The commit of the work tree, and the files by which the configuration of a target differs from it. */
export interface WorkTreeState {
  readonly commit: string;
  /** Sorted paths below the folder of upkeep.yaml. */
  readonly differing: readonly string[];
}

/**
 * Compares the configuration of a target, which was read from the work tree, with the commit: upkeep.yaml, its sources, and every file that
 * they name. It compares contents, so that neither flags of the index nor filters, attributes or settings of git have a say; only line ends
 * may differ. Null where there is no commit.
 */
export async function workTreeState(session: OpenProject, target: Target, io: AppContext): Promise<WorkTreeState | null> {
  const committed = await committedFiles(session, target, io);
  if (committed === null) return null;
  const { commit, files } = committed;
  const changed = [...session.names].filter((name) => !isSame(files, name, session.files.read(name)));
  const missing = committedSources(files, session, target).filter((name) => !session.names.has(name));
  return { commit, differing: [...new Set([...changed, ...missing])].sort() };
}

/** Decides whether a file has the same text in a commit. What git cannot read, such as a file of a submodule, differs. */
function isSame(files: CommitFiles, name: string, bytes: Uint8Array): boolean {
  try {
    return files.hasText(name, bytes);
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** Returns the source files of a target in a commit; of a source that git cannot list, its name in upkeep.yaml. */
function committedSources(files: CommitFiles, { project }: OpenProject, target: Target): readonly string[] {
  return target.sources.flatMap((source) => {
    try {
      return listSourceFiles(files, { ...target, sources: [source] }, project.file).flatMap((found) =>
        'files' in found ? found.files : [],
      );
    } catch (error) {
      if (error instanceof GitError) return [source.path];
      throw error;
    }
  });
}
