/** Which configuration a run is about: the work tree's, or that of a commit, with today's account and brakes. */

import type { DesiredState } from '../config/desired-state.ts';
import { loadDesiredState } from '../config/load-desired-state.ts';
import { loadProject } from '../config/load-project.ts';
import type { Target } from '../config/project.ts';
import { kinds } from '../kinds/index.ts';
import { filesAt } from '../ledger/commit-files.ts';
import { commitOf } from '../ledger/commits.ts';
import type { LedgerRemote } from '../ledger/remote.ts';
import { openRepository, workTreeState } from '../ledger/repository.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import type { ConfigRevision } from '../model/plan.ts';
import { childEnvironment } from './child-environment.ts';
import { CliError, EXIT_CODES } from './exit-codes.ts';
import { hasError, type OpenProject, validDesiredStateOf } from './project.ts';
import type { CliContext } from './runtime.ts';

/** A target's configuration and where it comes from. */
export interface SelectedConfiguration {
  readonly desiredState: DesiredState;
  /** Null outside git. */
  readonly state: ConfigRevision | null;
  /** Whether it is that of a named commit (`--ref`). */
  readonly appliesEarlierCommit: boolean;
}

/** The configuration of a target in the work tree, or with `--ref` at that commit. @throws Stop, GitError */
export async function selectConfiguration(
  session: OpenProject,
  target: Target,
  io: CliContext,
  ref: string | undefined,
): Promise<SelectedConfiguration> {
  if (ref !== undefined) {
    const at = await remoteOf(session, target, io);
    const commit = await commitOf(at, ref);
    const declaration = await desiredStateAt(session, target, at, commit);
    if (typeof declaration === 'string')
      throw new CliError(EXIT_CODES.invalid, 'ref', `the configuration at ${ref} cannot be used: ${declaration}`, 'name another commit');
    return { desiredState: declaration, state: { commit, dirty: false, digest: declaration.digest }, appliesEarlierCommit: true };
  }
  // Loading is one stretch of work: other targets of the run have their turn before and after it.
  await yieldToEventLoop();
  const desiredState = validDesiredStateOf(session, target);
  await yieldToEventLoop();
  const state = await workTreeState(session.folder, childEnvironment(io, session.project.targets), session.read);
  return { desiredState, state: state && { ...state, digest: desiredState.digest }, appliesEarlierCommit: false };
}

/** The remote that a target's ledger lives on. @throws GitError */
export async function remoteOf(session: OpenProject, target: Target, io: CliContext): Promise<LedgerRemote> {
  return { repository: await openRepository(session.folder, childEnvironment(io, session.project.targets)), remote: target.remote };
}

/**
 * What the configuration at a commit declares, by its own upkeep.yaml, sources and variables; account and brakes are today's.
 * A text says why it cannot be used. @throws GitError
 */
export async function desiredStateAt(
  session: OpenProject,
  target: Target,
  at: LedgerRemote,
  commit: string,
): Promise<DesiredState | string> {
  const tree = await filesAt(at, commit);
  await yieldToEventLoop();
  const { project, findings } = loadProject(tree, session.project.file);
  if (!project || hasError(findings)) return `its ${session.project.file} is not valid for this version of upkeep`;
  const then = project.targets.find((each) => each.name === target.name);
  if (!then) return `it has no target ${target.name}`;
  const declaration = loadDesiredState(tree, project, { ...target, sources: then.sources, vars: then.vars }, kinds, session.parsed);
  const [mistake] = declaration.findings.filter((finding) => finding.severity === 'error');
  return mistake ? `${mistake.file}:${mistake.line}: ${mistake.summary}` : declaration;
}
