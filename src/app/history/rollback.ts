/** Loads what a configuration is compared with, so that it does not roll back what was applied (design section 12). */

import type { DesiredState } from '../../core/config/desired-state.ts';
import { type CommitHistory, openCommitHistory } from '../../core/ledger/commit-history.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { newestCommit, standsAt } from '../../core/ledger/standing.ts';
import { equal } from '../../core/model/json.ts';
import type { DeclaredState, RollbackBaseline, RollbackInput } from '../../core/plan/rollback.ts';
import type { SelectedConfiguration } from './desired-state.ts';
import type { LoadedState, OpenLedger } from './load-state.ts';

/**
 * Loads the configurations at the commits at which the addresses of a target stand. Null before the first apply of a commit. @throws
 * LedgerError
 */
export async function loadRollback(
  openLedger: OpenLedger | null,
  state: LoadedState,
  configuration: SelectedConfiguration,
): Promise<RollbackInput | null> {
  if (openLedger === null || state.last === null) return null;
  const { entry } = state.last;
  const lastCommit = entry.config.commit ?? (await newestCommit(openLedger.ledger));
  if (lastCommit === null) return null;
  const baselines = new Map<string, RollbackBaseline | null>();
  for (const commit of new Set([lastCommit, ...Object.values(entry.pendingSince)])) {
    if (commit !== null) baselines.set(commit, await baselineAt(commit, openLedger, state, configuration));
  }
  return {
    baselineOf(address) {
      const at = standsAt(entry, address);
      return at === null ? null : (baselines.get(at === 'uncommitted' ? lastCommit : at) ?? null);
    },
  };
}

/** Loads the baseline of the addresses that stand at a commit; null where the commit to be applied contains it. */
async function baselineAt(
  lastCommit: string,
  { project }: OpenLedger,
  state: LoadedState,
  configuration: SelectedConfiguration,
): Promise<RollbackBaseline | null> {
  const desired = configuration.state?.commit ?? null;
  if (desired === lastCommit) return null;
  const unknown = (cannotTell: string, lastState: DesiredState | null = null) => {
    return { lastCommit, lastState, baseStates: [], cannotTell, commitsByFile: new Map() };
  };
  if (desired === null) return unknown('the configuration comes from no commit');
  try {
    const history = await openCommitHistory(project, lastCommit, desired);
    const bases = await history.mergeBases(lastCommit, desired);
    if (bases.includes(lastCommit)) return null;
    const atLast = await state.configurationAt(lastCommit);
    if ('unusable' in atLast) return unknown(`the configuration there cannot be used: ${atLast.unusable}`);
    const noneInCommon = bases.length === 0 ? 'the two commits have no history in common' : null;
    const loaded = await Promise.all(bases.map((base) => stateAt(base, state, configuration)));
    const unusable = loaded.flatMap((base) => ('unusable' in base ? [`the configuration at their merge base ${base.unusable}`] : []));
    const baseStates = loaded.flatMap((base) => ('desiredState' in base ? [base.desiredState] : []));
    return {
      lastCommit,
      lastState: atLast.desiredState,
      baseStates,
      cannotTell: noneInCommon ?? unusable[0] ?? null,
      commitsByFile: await commitsByFile(history, lastCommit, bases, baseStates, atLast.desiredState),
    };
  } catch (error) {
    if (error instanceof GitError) return unknown(error.message, await readableState(lastCommit, state));
    throw error;
  }
}

/** Returns the configuration at a commit whose history is not known; null where it cannot be read either. */
async function readableState(commit: string, state: LoadedState): Promise<DesiredState | null> {
  try {
    const loaded = await state.configurationAt(commit);
    return 'desiredState' in loaded ? loaded.desiredState : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** Returns the configuration at a merge base, or why it cannot be used. */
async function stateAt(
  base: string,
  state: LoadedState,
  { state: revision, desiredState }: SelectedConfiguration,
): Promise<{ readonly desiredState: DesiredState } | { readonly unusable: string }> {
  if (revision?.commit === base && !revision.dirty) return { desiredState };
  const loaded = await state.configurationAt(base);
  return 'desiredState' in loaded ? loaded : { unusable: `(${base.slice(0, 12)}) cannot be used: ${loaded.unusable}` };
}

/** Returns the commits that touched the files of what differs between the merge bases and the commit at which the addresses stand. */
async function commitsByFile(
  history: CommitHistory,
  lastCommit: string,
  bases: readonly string[],
  baseStates: readonly DeclaredState[],
  lastState: DeclaredState,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [base] = bases;
  if (base === undefined) return new Map();
  const files = new Set(baseStates.flatMap((baseState) => differingFiles(baseState, lastState)));
  return history.commitsByFile(base, lastCommit, [...files]);
}

function differingFiles(a: DeclaredState, b: DeclaredState): readonly string[] {
  return [...filesOfOthers(a, b), ...filesOfOthers(b, a)];
}

/** Returns the files of the resources of `state` that `other` declares differently, or not at all. */
function filesOfOthers(state: DeclaredState, other: DeclaredState): readonly string[] {
  const others = new Map(other.resources.map(({ address, fields }) => [address, fields]));
  return state.resources
    .filter(({ address, fields }) => !equal(fields, others.get(address)))
    .map(({ path, textFilePosition }) => (textFilePosition ?? state.positionOf(path)).file);
}
