/** Selects the configuration of a run: the work tree's or a commit's, always with the current account and safety limits. */

import type { DesiredState } from '../config/desired-state.ts';
import { loadDesiredState } from '../config/load-desired-state.ts';
import { loadProject } from '../config/load-project.ts';
import type { Target } from '../config/project.ts';
import { kinds } from '../kinds/index.ts';
import { filesAt } from '../ledger/commit-files.ts';
import { commitOf } from '../ledger/commits.ts';
import type { GitError } from '../ledger/errors.ts';
import type { LedgerRemote } from '../ledger/remote.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import type { ConfigRevision } from '../model/plan.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import type { LedgerState } from '../state/state.ts';
import { CliError, EXIT_CODES } from './exit-codes.ts';
import { hasError, type OpenProject, validDesiredStateOf } from './project.ts';
import type { AppContext } from './runtime.ts';
import { committedFiles, repositoryOf, workTreeState } from './work-tree.ts';

/** A target's desired state and its revision. */
export interface SelectedConfiguration {
  readonly desiredState: DesiredState;
  /** Null outside git. */
  readonly state: ConfigRevision | null;
  /** The files of the configuration that differ from the commit. */
  readonly differing: readonly string[];
  /** Whether `--ref` names the commit. */
  readonly appliesEarlierCommit: boolean;
  /** The bindings of the apply that `--ref` names; null where it names a commit. */
  readonly earlierBindings: LedgerState['bindings'] | null;
}

/** Loads the configuration of a target from the work tree, or with `--ref` from that commit. @throws CliError, GitError */
export async function selectConfiguration(
  session: OpenProject,
  target: Target,
  io: AppContext,
  ref: string | undefined,
): Promise<SelectedConfiguration> {
  if (ref !== undefined) {
    const remote = await remoteOf(session, target, io);
    const commit = await commitOf(remote, ref);
    const desiredState = usable(await desiredStateAt(session, target, remote, commit), ref);
    return {
      desiredState,
      state: { commit, dirty: false, digest: desiredState.digest },
      differing: [],
      appliesEarlierCommit: true,
      earlierBindings: null,
    };
  }
  // Loading is synchronous: yield before and after it, so that other targets of the run make progress.
  await yieldToEventLoop();
  const desiredState = validDesiredStateOf(session, target);
  await yieldToEventLoop();
  const state = await workTreeState(session, target, io);
  const { commit, differing } = state ?? { commit: null, differing: [] };
  return {
    desiredState,
    state: commit === null ? null : { commit, dirty: differing.length > 0, digest: desiredState.digest },
    differing,
    appliesEarlierCommit: false,
    earlierBindings: null,
  };
}

/**
 * Loads a configuration again that does not differ from its commit, from the files of that commit: what is applied is what was committed.
 * @throws CliError, GitError
 */
export async function committedConfiguration(
  session: OpenProject,
  target: Target,
  io: AppContext,
  configuration: SelectedConfiguration,
): Promise<SelectedConfiguration> {
  const committed = await committedFiles(session, target, io);
  if (committed === null || configuration.state === null) return configuration;
  const { commit, files } = committed;
  const desiredState = usable(desiredStateFrom(session, target, files), commit.slice(0, 12));
  const { findings } = configuration.desiredState;
  return { ...configuration, desiredState: { ...desiredState, findings }, state: { commit, dirty: false, digest: desiredState.digest } };
}

/** @throws CliError if the configuration at a commit cannot be used */
function usable(loaded: DesiredStateAtCommit, ref: string): DesiredState {
  if ('desiredState' in loaded) return loaded.desiredState;
  throw new CliError(EXIT_CODES.invalid, 'ref', `the configuration at ${ref} cannot be used: ${loaded.unusable}`, 'name another commit');
}

/** Returns the git remote that holds a target's ledger. @throws GitError */
export async function remoteOf(session: OpenProject, target: Target, io: AppContext): Promise<LedgerRemote> {
  const onFailedPush = ({ message }: GitError, refs: readonly string[]): void => {
    io.telemetry?.emit('push failed', { refs: [...refs], reason: message });
  };
  return { repository: await repositoryOf(session, io), remote: target.remote, onFailedPush };
}

/** The desired state at a commit, or the reason why the configuration at this commit cannot be used, a clause. */
export type DesiredStateAtCommit = { readonly desiredState: DesiredState } | { readonly unusable: string };

/**
 * Loads the desired state at a commit, from its own upkeep.yaml, sources and variables; account and safety limits are the current ones.
 * @throws GitError
 */
export async function desiredStateAt(
  session: OpenProject,
  target: Target,
  remote: LedgerRemote,
  commit: string,
): Promise<DesiredStateAtCommit> {
  const files = await filesAt(remote, commit);
  await yieldToEventLoop();
  return desiredStateFrom(session, target, files);
}

function desiredStateFrom(session: OpenProject, target: Target, files: ProjectFiles): DesiredStateAtCommit {
  const { project, findings } = loadProject(files, session.project.file);
  if (!project || hasError(findings)) return { unusable: `its ${session.project.file} is not valid for this version of upkeep` };
  const earlierTarget = project.targets.find((each) => each.name === target.name);
  if (!earlierTarget) return { unusable: `it has no target ${target.name}` };
  const desiredState = loadDesiredState(
    files,
    project,
    { ...target, sources: earlierTarget.sources, vars: earlierTarget.vars },
    kinds,
    session.parseCache,
  );
  const error = desiredState.findings.find((finding) => finding.severity === 'error');
  return error ? { unusable: `${error.file}:${error.line}: ${error.summary}` } : { desiredState };
}
