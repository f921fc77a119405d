/** Selects the configuration of a run: the work tree's or a commit's, always with the current account and safety limits. */

import type { DesiredState } from '../../core/config/desired-state.ts';
import { loadDesiredState } from '../../core/config/load-desired-state.ts';
import { loadProject } from '../../core/config/load-project.ts';
import type { Target } from '../../core/config/project.ts';
import { type CommitFiles, filesAt } from '../../core/ledger/commit-files.ts';
import { commitOf } from '../../core/ledger/commits.ts';
import { openLedgerRepository } from '../../core/ledger/ledger-repository.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import type { SnapshotFiles } from '../../core/ledger/snapshot.ts';
import { yieldToEventLoop } from '../../core/model/event-loop.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import type { ConfigRevision } from '../../core/model/plan.ts';
import type { ProjectFiles } from '../../core/model/project-files.ts';
import type { LedgerState } from '../../core/state/state.ts';
import { childEnvironment } from '../account/credentials.ts';
import { CliError } from '../run/exit-codes.ts';
import { hasError, type OpenProject, validDesiredStateOf } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { sourceModel } from '../run/source-model.ts';
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
  /** The apply that `--ref` names; null where it names a commit. */
  readonly earlier: {
    readonly bindings: LedgerState['bindings'];
    /** Whether it left nothing out, had no failure, and read everything back. */
    readonly isWhole: boolean;
  } | null;
  /** What it was read from, if that is a commit; null for the work tree. */
  readonly readFrom: SnapshotFiles | null;
}

/**
 * Loads the configuration of a target from the work tree, or with `--ref` from that commit. `snapshot` is the commit of the ledger repository
 * that holds its files; null where they are in the project. @throws CliError, GitError
 */
export async function selectConfiguration(
  session: OpenProject,
  target: Target,
  io: AppContext,
  ref: string | undefined,
  snapshot: string | null,
): Promise<SelectedConfiguration> {
  if (ref !== undefined) {
    const remote = snapshot === null ? await remoteOf(session, target, io) : await ledgerRemoteOf(session, target, io);
    const commit = snapshot === null ? await commitOf(remote, ref) : ref;
    const { desiredState, readFrom } = usable(await desiredStateAt(session, target, remote, snapshot ?? commit), ref);
    return {
      desiredState,
      state: { commit, dirty: false, digest: desiredState.digest },
      differing: [],
      appliesEarlierCommit: true,
      earlier: null,
      readFrom,
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
    earlier: null,
    readFrom: null,
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
  const { desiredState, readFrom } = usable(desiredStateFrom(session, target, files), commit.slice(0, 12));
  const { findings } = configuration.desiredState;
  const state = { commit, dirty: false, digest: desiredState.digest };
  return { ...configuration, desiredState: { ...desiredState, findings }, state, readFrom };
}

/** @throws CliError if the configuration at a commit cannot be used */
function usable(loaded: DesiredStateAtCommit, ref: string): UsableState {
  if ('desiredState' in loaded) return loaded;
  throw new CliError(EXIT_CODES.invalid, 'ref', `the configuration at ${ref} cannot be used: ${loaded.unusable}`, 'name another commit');
}

/** Returns the git remote from which commits of the project are fetched. @throws GitError */
export async function remoteOf(session: OpenProject, target: Target, io: AppContext): Promise<LedgerRemote> {
  return { repository: await repositoryOf(session, io), remote: target.remote, onFailedPush: failedPushes(io) };
}

/** Returns where a target's ledger and lock are: the remote of the project, or a repository of its own. @throws GitError, LedgerError */
export async function ledgerRemoteOf(session: OpenProject, target: Target, io: AppContext): Promise<LedgerRemote> {
  const { ledger, name } = target;
  if (typeof ledger === 'string') return await remoteOf(session, target, io);
  const project = await repositoryOf(session, io);
  const remote = await openLedgerRepository(project, name, ledger.git, childEnvironment(io, session.project));
  return { ...remote, onFailedPush: failedPushes(io) };
}

/** Returns what tells observers of pushes that fail. */
function failedPushes({ telemetry }: AppContext): LedgerRemote['onFailedPush'] {
  return ({ message }, refs) => telemetry?.emit('push failed', { refs: [...refs], reason: message });
}

/** A desired state, and what it was read from. */
interface UsableState {
  readonly desiredState: DesiredState;
  readonly readFrom: SnapshotFiles;
}

/** The desired state at a commit, or the reason why the configuration at this commit cannot be used, a clause. */
type LoadedState =
  | UsableState
  | { readonly unusable: string /** Whether the commit does not have the target. */; readonly isMissing?: true };

/** The desired state at a commit, or why it cannot be used. */
export type DesiredStateAtCommit = LoadedState & {
  /** Decides whether another commit has the same in all that was read, so that it has the same desired state. @throws GitError */
  isSameIn(files: CommitFiles): boolean;
};

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
  return desiredStateIn(session, target, await filesAt(remote, commit));
}

/** Loads it from the files of a commit. @throws GitError */
export async function desiredStateIn(session: OpenProject, target: Target, files: CommitFiles): Promise<DesiredStateAtCommit> {
  await yieldToEventLoop();
  return desiredStateFrom(session, target, files);
}

function desiredStateFrom(session: OpenProject, target: Target, committed: CommitFiles): DesiredStateAtCommit {
  const { files, readFrom, isSameIn } = recordContents(committed);
  return { ...loadFrom(session, target, files, readFrom), isSameIn };
}

function loadFrom(session: OpenProject, target: Target, files: ProjectFiles, readFrom: SnapshotFiles): LoadedState {
  const { project, findings } = loadProject(files, session.today, session.project.file);
  if (!project || hasError(findings)) return { unusable: `its ${session.project.file} is not valid for this version of upkeep` };
  const earlierTarget = project.targets.find((each) => each.name === target.name);
  if (!earlierTarget) return { unusable: `it has no target ${target.name}`, isMissing: true };
  const desiredState = loadDesiredState(
    files,
    project,
    { ...target, sources: earlierTarget.sources, vars: earlierTarget.vars },
    sourceModel,
    session.parseCache,
  );
  const error = desiredState.findings.find((finding) => finding.severity === 'error');
  return error ? { unusable: `${error.file}:${error.line}: ${error.summary}` } : { desiredState, readFrom };
}

/** Returns the files, and what it records of them: each file that is read, each folder that is listed, and what was asked for. */
function recordContents(committed: CommitFiles): {
  readonly files: ProjectFiles;
  readonly readFrom: SnapshotFiles;
  readonly isSameIn: (files: CommitFiles) => boolean;
} {
  const readFrom = { files: new Map<string, Uint8Array>(), folders: new Set<string>() };
  const asked = new Map<string, string>();
  const recorded = (path: string): string => {
    if (!asked.has(path)) asked.set(path, committed.identityOf(path));
    return path;
  };
  const files: ProjectFiles = {
    typeOf: (path) => committed.typeOf(recorded(path)),
    size: (path) => committed.size(recorded(path)),
    resolve: (path) => committed.resolve(recorded(path)),
    list(folder) {
      readFrom.folders.add(folder);
      return committed.list(recorded(folder));
    },
    read(path) {
      const bytes = committed.read(recorded(path));
      readFrom.files.set(path, bytes);
      return bytes;
    },
  };
  return { files, readFrom, isSameIn: (other) => [...asked].every(([path, identity]) => other.identityOf(path) === identity) };
}
