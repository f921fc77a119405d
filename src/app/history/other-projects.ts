/** The other projects of a repository: a ledger belongs to one of them (design section 6, one project), and so does what a target manages. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadProject } from '../../core/config/load-project.ts';
import type { Target } from '../../core/config/project.ts';
import { diskFiles, PROJECT_FILE } from '../../core/config/project-folder.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { headCommit, isBelowGit } from '../../core/ledger/repository.ts';
import { globsOverlap } from '../../core/model/glob.ts';
import { equal, type Json } from '../../core/model/json.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { repositoryOf } from './work-tree.ts';

/** Maximum number of other projects that are read. */
const MAX_PROJECTS = 200;

/** A target of another project of the repository. */
export interface OtherTarget {
  /** Path of its upkeep.yaml in the repository. */
  readonly file: string;
  readonly target: Target;
}

/** Returns the targets of the other projects in this commit, as they are on disk. None outside git, and where git cannot list the commit. */
export async function otherTargets(session: OpenProject, io: AppContext): Promise<readonly OtherTarget[]> {
  if (!isBelowGit(session.folder)) return [];
  try {
    const repository = await repositoryOf(session, io);
    const head = await headCommit(repository);
    if (head === null) return [];
    const listed = (await repository.run(['ls-tree', '-r', '-z', '--full-tree', '--name-only', head])).toString().split('\0');
    const own = `${repository.prefix}${session.project.file}`;
    const others = listed.filter((path) => path !== own && (path === PROJECT_FILE || path.endsWith(`/${PROJECT_FILE}`)));
    const up = repository.prefix.split('/').filter(Boolean);
    const top = join(session.folder, ...up.map(() => '..'));
    return others.slice(0, MAX_PROJECTS).flatMap((file) => targetsIn(join(top, file), session.today).map((target) => ({ file, target })));
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** Returns the targets of a project on disk; none where it is gone there or invalid, which its own validation says. */
function targetsIn(path: string, today: string): readonly Target[] {
  return existsSync(path) ? (loadProject(diskFiles(dirname(path)), today, PROJECT_FILE).project?.targets ?? []) : [];
}

/** Decides whether two targets have the same ledger: the same name, and the same remote or address. */
export function sharesLedger(a: Target, b: Target): boolean {
  const [of, other] = [a, b].map(({ ledger, remote }) => (ledger === 'git' ? remote : ledger));
  return a.name === b.name && a.ledger !== 'none' && equal(of ?? null, other ?? null);
}

/**
 * Returns the globs of the two targets that match the same addresses, where both are of one account and at least one has `manages`; null
 * where there are none. A target without `manages` manages everything.
 */
export function managedTwice(a: Target, b: Target): readonly [string, string] | null {
  if (a.manages === null && b.manages === null) return null;
  if (a.baseUrl !== b.baseUrl || !equal(ownerOf(a), ownerOf(b))) return null;
  for (const own of a.manages ?? ['*']) {
    for (const other of b.manages ?? ['*']) if (globsOverlap(own, other)) return [own, other];
  }
  return null;
}

/** Returns where the owner of a target comes from. */
function ownerOf({ credentials }: Target): Json {
  return { ...('read' in credentials ? credentials.read : credentials).owner };
}
