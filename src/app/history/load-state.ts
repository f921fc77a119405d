/** Loads the state of a target at the start of a run: the last ledger entry and the desired state that it recorded. */

import ledgerSchema from '../../../schemas/ledger.schema.json' with { type: 'json' };
import type { PreviousState } from '../../core/apply/next-state.ts';
import type { DesiredState } from '../../core/config/desired-state.ts';
import { lazy } from '../../core/config/lazy.ts';
import type { Target } from '../../core/config/project.ts';
import { createValidator } from '../../core/config/validator.ts';
import { kinds } from '../../core/kinds/index.ts';
import type { DesiredResource } from '../../core/kinds/kind.ts';
import { type CommitFiles, filesAt } from '../../core/ledger/commit-files.ts';
import { commitOf } from '../../core/ledger/commits.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { GitError, LedgerError } from '../../core/ledger/errors.ts';
import { type Ledger, openLedger } from '../../core/ledger/ledger.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { withIdsOfLedger } from '../../core/plan/external-ids.ts';
import { separateExpiredIgnores } from '../../core/plan/ignored-fields.ts';
import { NO_OTHER_LEDGERS, type OtherLedgers } from '../../core/state/other-ledgers.ts';
import type { EmptyLedger, LastApplied, LedgerState } from '../../core/state/state.ts';
import { info, warn } from '../run/messages.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { desiredStateIn, ledgerRemoteOf, remoteOf } from './desired-state.ts';
import { projectNameOf, requireOwnLedger } from './ledger-project.ts';
import { seenEntry } from './lost-ledger.ts';
import { readOtherLedgers } from './other-ledgers.ts';

/** The state of a target as loaded for one run. */
export interface LoadedState {
  /** The last ledger entry; null before the first apply, and without a ledger. */
  readonly last: { readonly commit: string | null; readonly entry: LedgerEntry } | null;
  /** Null without a ledger. */
  readonly state: LedgerState | null;
  /** Null where the ledger has an entry, and without a ledger. */
  readonly emptyLedger: EmptyLedger | null;
  readonly lastApplied: LastApplied | null;
  /**
   * The desired state at the commit last applied; an address that earlier applies skipped has the resource of its own commit. Null if
   * unknown.
   */
  readonly desiredState: DesiredState | null;
  /** What the applies declared that were killed since the last complete one, the newest first. */
  readonly interrupted: readonly DesiredResource[];
  readonly previous: PreviousState;
  /** Reads the ledgers of other projects, once in a run; none without a ledger. @throws GitError, LedgerError */
  readonly otherLedgers: () => Promise<OtherLedgers>;
  /** Loads the configuration at a commit, once in a run. @throws GitError */
  readonly configurationAt: (commit: string) => Promise<ConfigurationAtCommit>;
}

/** How many configurations of killed applies are read, and how many of skipped addresses are looked for in vain: as a rule there is none. */
const MAX_CONFIGURATIONS = 10;

/** The desired state at a commit, or why it cannot be used, a clause. What it was read from is not kept. */
export type ConfigurationAtCommit =
  | { readonly desiredState: DesiredState }
  | { readonly unusable: string /** Whether the commit does not have the target. */; readonly isMissing?: true };

/** The ledger of a target and where it is. */
export interface OpenLedger {
  /** Where the ledger and the lock are. */
  readonly remote: LedgerRemote;
  /** The remote from which commits of the project are fetched: the same one, unless the ledger is in a repository of its own. */
  readonly project: LedgerRemote;
  readonly ledger: Ledger;
  /** Name of the project whose ledger it has to be. */
  readonly projectName: string;
  /** `--project`, as it was given. */
  readonly projectOption: string | undefined;
}

/** Opens a target's ledger, whatever its configuration says. @throws GitError */
export async function requireLedger(session: OpenProject, target: Target, io: AppContext): Promise<OpenLedger> {
  const remote = await ledgerRemoteOf(session, target, io);
  const project = await remoteOf(session, target, io);
  const ledger = openLedger({ ...remote, target: target.name, check: isEntry });
  return { remote, project, ledger, projectName: await projectNameOf(session, io), projectOption: session.projectOption };
}

const checkEntry = createValidator<LedgerEntry>(ledgerSchema);

function isEntry(value: unknown): value is LedgerEntry {
  return 'value' in checkEntry(value);
}

/** Opens a target's ledger; null without one. @throws GitError */
export async function openLedgerOf(session: OpenProject, target: Target, io: AppContext): Promise<OpenLedger | null> {
  return target.ledger !== 'none' ? requireLedger(session, target, io) : null;
}

const NO_ENTRY: LastEntry = { last: null, isUnpushed: false, emptyLedger: null };

const EMPTY_STATE: LedgerState = {
  bindings: new Map(),
  forgotten: new Set(),
  ownerDigest: null,
  baseUrl: null,
  settings: new Set(),
  managedSections: new Set(),
};

/** The last entry of a ledger, and whether it still waits on this machine to be pushed. */
export interface LastEntry {
  /** Null before the first apply. */
  readonly last: LoadedState['last'];
  readonly isUnpushed: boolean;
  /** Null where there is an entry, and without a ledger. */
  readonly emptyLedger: EmptyLedger | null;
}

/**
 * Reads the last entry of a target's ledger. An entry that waits on this machine to be pushed is the last one. @throws GitError, LedgerError
 * for one that cannot be used, CliError for that of another project
 */
export async function readLastEntry(session: OpenProject, target: Target, openLedger: OpenLedger): Promise<LastEntry> {
  const unpushed = openLedger.ledger.unpushedEntry();
  const latest = await openLedger.ledger.latest();
  const last = unpushed ? { commit: latest?.commit ?? null, entry: unpushed.entry } : latest;
  if (last) await requireOwnLedger(session, target, openLedger, last.entry);
  return {
    last,
    isUnpushed: unpushed !== null,
    emptyLedger: last === null ? { seen: await seenEntry(openLedger.remote, target.name) } : null,
  };
}

/** Loads the state for a run. `base` is a ref that replaces the commit last applied (`--base`). @throws GitError, LedgerError */
export async function loadState(
  session: OpenProject,
  target: Target,
  io: AppContext,
  openLedger: OpenLedger | null,
  base: string | undefined,
): Promise<LoadedState> {
  const { last, isUnpushed, emptyLedger } = openLedger ? await readLastEntry(session, target, openLedger) : NO_ENTRY;
  if (isUnpushed)
    warn(
      io,
      `the entry of the last apply to ${target.name} is not in the ledger yet`,
      'the next apply pushes it; until then it counts as done here',
    );
  if (emptyLedger?.seen) warn(io, `no apply to ${target.name} is recorded, but ${emptyLedger.seen.text}`, emptyLedger.seen.restore);
  const state = openLedger ? (last ? stateOf(last.entry) : EMPTY_STATE) : null;
  const pendingSince = new Map(base === undefined ? Object.entries(last?.entry.pendingSince ?? {}) : []);
  const project = openLedger || base !== undefined ? await remoteOf(session, target, io) : null;
  const commit = base !== undefined && project ? await commitOf(project, base) : (last?.entry.config.commit ?? null);
  const configurationAt = configurationLoader(session, target, io, last?.entry.snapshots ?? {});
  const loadAt = (earlier: string) => lastAppliedDesiredState(configurationAt, earlier, io);
  const desiredState = project && commit !== null ? await loadAt(commit) : null;
  const lastApplied =
    openLedger && !last && base === undefined
      ? NEVER_APPLIED
      : desiredState
        ? await lastAppliedOf(desiredState, pendingSince, state ?? EMPTY_STATE, loadAt, base === undefined ? last : null)
        : null;
  const killed = [...new Set(openLedger ? last?.entry.interrupted : [])];
  const interrupted: DesiredResource[] = [];
  for (const earlier of killed.slice(0, MAX_CONFIGURATIONS)) {
    interrupted.push(...(await declaredByInterrupted(configurationAt, earlier, io)));
  }
  if (killed.length > MAX_CONFIGURATIONS)
    warn(io, `${killed.length - MAX_CONFIGURATIONS} earlier applies were interrupted, too`, INTERRUPTED_HINT);
  return {
    last,
    state,
    emptyLedger,
    lastApplied,
    interrupted,
    desiredState: desiredState && lastApplied && { ...desiredState, resources: [...lastApplied.resources.values()] },
    previous: { state: state ?? EMPTY_STATE, lastApplied, commit, pendingSince },
    otherLedgers: lazy(async () => (openLedger ? readOtherLedgers(openLedger, target.name, isEntry) : NO_OTHER_LEDGERS)),
    configurationAt,
  };
}

/**
 * Returns the state of the ledger for a command that can do without; null where there is none, no repository yet, or where it cannot be read,
 * which is a warning. @throws CliError for the ledger of another project, LedgerError for an entry of a newer version
 */
export async function loadLedgerState(session: OpenProject, target: Target, io: AppContext): Promise<LedgerState | null> {
  try {
    const openLedger = await openLedgerOf(session, target, io);
    const { last } = openLedger ? await readLastEntry(session, target, openLedger) : NO_ENTRY;
    return last && stateOf(last.entry);
  } catch (error) {
    if (!(error instanceof GitError || (error instanceof LedgerError && !error.isNewer))) throw error;
    const isMissing = error instanceof GitError && ['no-git', 'no-repository', 'no-remote'].includes(error.code);
    if (!isMissing)
      warn(
        io,
        `the ledger of ${target.name} cannot be read, so \`adopt\` does not name what it does not bind: ${error.message}`,
        error.hint,
      );
    return null;
  }
}

/** The state before the first apply: nothing was declared. */
const NEVER_APPLIED: LastApplied = { resources: new Map(), unknownAddresses: new Set() };

function stateOf({ bindings, forgotten, owner, baseUrl, settings, managed }: LedgerEntry): LedgerState {
  return {
    bindings: new Map(Object.entries(bindings)),
    forgotten: new Set(forgotten),
    ownerDigest: owner,
    baseUrl: baseUrl ?? null,
    settings: new Set(settings),
    managedSections: new Set(managed),
  };
}

/** How many configurations a commit is compared with: as a rule the neighbour of a commit has the same sources. */
const MAX_COMPARED = 4;

/**
 * Returns a function that loads the configuration of a target at a commit, once for each commit: from the ledger repository where that holds
 * its files. Commits whose sources are the same have the same configuration, which is loaded once.
 */
export function configurationLoader(
  session: OpenProject,
  target: Target,
  io: AppContext,
  snapshots: NonNullable<LedgerEntry['snapshots']>,
): LoadedState['configurationAt'] {
  const load = configurationReader(session, target, io, (commit) => snapshots[commit]);
  const loaded = new Map<string, Promise<ConfigurationAtCommit>>();
  return (commit) => {
    const configuration = loaded.get(commit) ?? load(commit);
    loaded.set(commit, configuration);
    return configuration;
  };
}

/**
 * Returns a function that loads the configuration of a target at a commit, and keeps the last few only. `snapshotOf` names the commit of the
 * ledger repository that holds its files; undefined where they are in the project.
 */
export function configurationReader(
  session: OpenProject,
  target: Target,
  io: AppContext,
  snapshotOf: (commit: string) => string | undefined,
): LoadedState['configurationAt'] {
  let compared: readonly { readonly configuration: ConfigurationAtCommit; readonly isSameIn: (files: CommitFiles) => boolean }[] = [];
  return async (commit) => {
    const snapshot = snapshotOf(commit);
    const remote = await (snapshot === undefined ? remoteOf : ledgerRemoteOf)(session, target, io);
    const files = await filesAt(remote, snapshot ?? commit);
    const same = compared.find(({ isSameIn }) => isSameIn(files));
    if (same !== undefined) return same.configuration;
    const { isSameIn, ...state } = await desiredStateIn(session, target, files);
    const configuration = 'desiredState' in state ? { desiredState: state.desiredState } : state;
    compared = [{ configuration, isSameIn }, ...compared].slice(0, MAX_COMPARED);
    return configuration;
  };
}

/** Loads the desired state at a commit. If it cannot be read, warns and returns null: origins are then unknown, and the run continues. */
async function lastAppliedDesiredState(
  configurationAt: LoadedState['configurationAt'],
  commit: string,
  io: AppContext,
): Promise<DesiredState | null> {
  const hint = 'differences are shown without their origin';
  try {
    const loaded = await configurationAt(commit);
    if ('desiredState' in loaded) return loaded.desiredState;
    warn(io, `the configuration last applied (${commit.slice(0, 12)}) cannot be used: ${loaded.unusable}`, hint);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    warn(io, `the configuration last applied cannot be read: ${error.message}`, `${error.hint}; ${hint}`);
  }
  return null;
}

const INTERRUPTED_HINT = 'objects that it created and that changed since count as those of somebody else: bind them with `adopt`';

/** Loads what a killed apply declared, and says so. If it cannot be read, warns and returns nothing. */
async function declaredByInterrupted(
  configurationAt: LoadedState['configurationAt'],
  commit: string,
  io: AppContext,
): Promise<readonly DesiredResource[]> {
  const what = `the apply of ${commit.slice(0, 12)} was interrupted`;
  try {
    const loaded = await configurationAt(commit);
    if ('unusable' in loaded) {
      warn(io, `${what}, and its configuration cannot be used: ${loaded.unusable}`, INTERRUPTED_HINT);
      return [];
    }
    info(io, `${what}; objects that equal its configuration count as created by it`);
    return loaded.desiredState.resources;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    warn(io, `${what}, and its configuration cannot be read: ${error.message}`, `${error.hint}; ${INTERRUPTED_HINT}`);
    return [];
  }
}

/**
 * Returns the resources last applied; an address that earlier applies skipped has the resource of the commit at which it was last applied.
 * An address without such a commit was never declared, unless it has a binding: then it was applied from a dirty work tree and is unknown.
 * A field whose last day as an ignored one was over at the last apply was applied like any other.
 */
async function lastAppliedOf(
  desiredState: DesiredState,
  pendingSince: ReadonlyMap<string, string | null>,
  { bindings }: LedgerState,
  loadAt: (commit: string) => Promise<DesiredState | null>,
  last: LoadedState['last'],
): Promise<LastApplied> {
  const asApplied = (resource: DesiredResource) => (last ? separateExpiredIgnores(resource, Date.parse(last.entry.at)) : resource);
  const resources = new Map([...byAddress(desiredState)].map(([address, resource]) => [address, asApplied(resource)]));
  const unknown = new Set<string>();
  const resolved = (all: readonly DesiredResource[]) => withIdsOfLedger(all, kinds, last?.entry.externalIds);
  const earlierResources = new Map<string, ReadonlyMap<string, DesiredResource> | null>();
  let unreadable = 0;
  for (const commit of new Set(pendingSince.values())) {
    if (commit === null) continue;
    const earlier = unreadable < MAX_CONFIGURATIONS ? await loadAt(commit) : null;
    if (earlier === null) unreadable += 1;
    earlierResources.set(commit, earlier && byAddress(earlier));
  }
  for (const [address, commit] of pendingSince) {
    resources.delete(address);
    const earlier = commit === null ? null : earlierResources.get(commit);
    const resource = earlier?.get(address);
    if (resource) resources.set(address, resource);
    else if (!earlier && (commit !== null || bindings.has(address))) unknown.add(address);
  }
  return {
    resources: new Map(resolved([...resources.values()]).map((resource) => [resource.address, resource])),
    unknownAddresses: unknown,
  };
}

function byAddress({ resources }: DesiredState): Map<string, DesiredResource> {
  return new Map(resources.map((resource) => [resource.address, resource]));
}
