/** The stages and windows that count for a target: those of its branch, whatever commit is applied. */
import { loadProject } from '../../core/config/load-project.ts';
import type { Project, Target } from '../../core/config/project.ts';
import { filesAt } from '../../core/ledger/commit-files.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { fetchRef } from '../../core/ledger/remote.ts';
import { newestCommit } from '../../core/ledger/standing.ts';
import { remoteOf } from '../history/desired-state.ts';
import { openLedgerOf } from '../history/load-state.ts';
import { hasError, type OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';

/** An upkeep.yaml whose stages and windows count for a target. */
export interface BranchRules {
  readonly project: Project;
  readonly target: Target;
  /** The commit of it at the tip of the branch; null where the target has no branch. */
  readonly tip: string | null;
}

/** Rules that cannot be read. */
export interface UnreadableRules {
  /** Why, a clause. */
  readonly unreadable: string;
  /** Present where there is no such branch. */
  readonly isGone?: true;
}

/** The rules, or why they cannot be read. */
export type FoundRules = BranchRules | UnreadableRules;

/**
 * Reads the rules that count for an apply: those of the branch that the commit last applied names. A job of a commit that names another one,
 * or none, gains nothing by it. Where that branch is gone, the branch of the run counts. @throws GitError, LedgerError
 */
export async function rulesOfApply(session: OpenProject, target: Target, io: AppContext): Promise<FoundRules> {
  const branch = await branchLastApplied(session, target, io);
  const rules = branch === null || branch === target.branch ? null : await rulesOfBranch(session, { ...target, branch }, io);
  return rules === null || 'isGone' in rules ? rulesOfBranch(session, target, io) : rules;
}

/** Returns the branch that a target has in the upkeep.yaml last applied to it; null where there is none. @throws GitError, LedgerError */
async function branchLastApplied(session: OpenProject, target: Target, io: AppContext): Promise<string | null> {
  const openLedger = await openLedgerOf(session, target, io);
  const commit = openLedger && (await newestCommit(openLedger.ledger));
  if (!openLedger || commit === null) return null;
  try {
    const { project } = loadProject(await filesAt(openLedger.project, commit), session.today, session.project.file);
    return project?.targets.find(({ name }) => name === target.name)?.branch ?? null;
  } catch (error) {
    // The history of the branch was replaced since: no commit can tell.
    if (error instanceof GitError && error.code === 'unknown-commit') return null;
    throw error;
  }
}

/** Reads the rules at the tip of the target's branch as the remote has it now; without a branch those of this run. */
export async function rulesOfBranch(session: OpenProject, target: Target, io: AppContext): Promise<FoundRules> {
  const { branch, remote: name } = target;
  if (branch === null) return rulesOfRun(session, target);
  const place = `${session.project.file} on ${name}/${branch}`;
  try {
    const remote = await remoteOf(session, target, io);
    const tip = await fetchRef(remote, `refs/heads/${branch}`, false);
    if (tip === null) return { unreadable: `the remote ${name} has no branch ${branch}`, isGone: true };
    const { project, findings } = loadProject(await filesAt(remote, tip), session.today, session.project.file);
    if (!project || hasError(findings)) return { unreadable: `${place} is not valid for this version of upkeep` };
    const own = project.targets.find((each) => each.name === target.name);
    return own === undefined ? { unreadable: `${place} has no target ${target.name}` } : { project, target: own, tip };
  } catch (error) {
    if (error instanceof GitError) return { unreadable: error.message };
    throw error;
  }
}

/** Returns the rules of the upkeep.yaml that this run uses. */
export function rulesOfRun({ project }: OpenProject, target: Target): BranchRules {
  return { project, target, tip: null };
}

/** Decides whether a target has stages or windows. */
export function hasConditions(rules: BranchRules): boolean {
  return rules.target.after.length > 0 || hasWindows(rules);
}

/** Decides whether a target has windows, of its own or of the project. */
export function hasWindows({ project, target }: BranchRules): boolean {
  return project.windows.rules.length > 0 || target.windows.rules.length > 0;
}
