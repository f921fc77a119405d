/** What a run of a target waits for: its stages and its windows. */
import { loadDesiredState } from '../../core/config/load-desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import { GitError, LedgerError } from '../../core/ledger/errors.ts';
import type { Change } from '../../core/model/change.ts';
import { CONDITIONS, type UntriedFiles, type Wait } from '../../core/model/wait.ts';
import type { TargetRun } from '../account/target-run.ts';
import { remoteOf, type SelectedConfiguration } from '../history/desired-state.ts';
import type { ConfigurationAtCommit } from '../history/load-state.ts';
import { CliError } from '../run/exit-codes.ts';
import { hasError, type OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { sourceModel } from '../run/source-model.ts';
import {
  type FoundRules,
  hasConditions,
  hasWindows,
  rulesOfApply,
  rulesOfBranch,
  rulesOfRun,
  type UnreadableRules,
  type WaitRules,
} from './branch-rules.ts';
import { newestPromoted } from './promoted.ts';
import { type Candidate, openStages, type Stages } from './stages.ts';
import { untriedFiles } from './untried.ts';
import { waitsForWindows } from './windows.ts';

/** The conditions of a run. */
export interface Conditions {
  /**
   * Looks which ones are not met now. `sent` are the changes that the run sends; null while they are not known, so that what lets some
   * through counts as met. Each look reads the ledgers again.
   */
  waits(sent: readonly Change[] | null): Promise<readonly Wait[]>;
  /** Returns the files that earlier targets have not tried; none where that cannot be told. */
  untried(): Promise<readonly UntriedFiles[]>;
}

/** Reads the conditions of an apply, which stand at the tip of the target's branch; null where there is none. */
export async function conditionsOfApply(run: TargetRun, configuration: SelectedConfiguration): Promise<Conditions | null> {
  return conditionsBy(run, configuration, await rulesOfApply(run.session, run.target, run.io));
}

/**
 * Reads the conditions of a plan, as an apply of it would find them: those of the run itself where its commit contains the tip of the branch.
 * Null where the upkeep.yaml of the run has none.
 */
export async function conditionsOfPlan(run: TargetRun, configuration: SelectedConfiguration): Promise<Conditions | null> {
  const own = rulesOfRun(run.session, run.target);
  if (!hasConditions(own)) return null;
  const rules = await rulesOfBranch(run.session, run.target, run.io);
  const isNewer = !('unreadable' in rules) && rules.tip !== null && (await containsTip(run, configuration, rules.tip));
  return conditionsBy(run, configuration, isNewer ? { ...own, tip: rules.tip } : rules);
}

/** Decides whether the work tree stands at the tip of the branch, or at a commit behind it. */
async function containsTip(
  { session, target, io }: TargetRun,
  { state, appliesEarlierCommit }: SelectedConfiguration,
  tip: string,
): Promise<boolean> {
  if (state === null || appliesEarlierCommit) return false;
  if (state.commit === tip) return true;
  try {
    const history = await openCommitHistory(await remoteOf(session, target, io), tip, state.commit);
    return (await history.mergeBases(tip, state.commit)).includes(tip);
  } catch (error) {
    if (error instanceof GitError || error instanceof LedgerError) return false;
    throw error;
  }
}

function conditionsBy(run: TargetRun, configuration: SelectedConfiguration, rules: FoundRules): Conditions | null {
  if ('unreadable' in rules) {
    return { waits: async () => waitsWhileUnreadable(rules), untried: async () => [] };
  }
  if (!hasConditions(rules)) return null;
  const { session, io } = run;
  return {
    async waits(sent) {
      const closed = hasWindows(rules) ? waitsForWindows(rules, sent, io.now()) : [];
      const stages = openStages(session, rules, io);
      const missing = await stages.waitsOf(candidateOf(run, configuration, stages), io.now());
      if (missing.length === 0) return closed;
      const promoted = await newestPromoted(run, rules, stages).catch(unlessUnknown);
      return [...missing.map((wait) => ({ ...wait, promoted })), ...closed];
    },
    async untried() {
      return (await untriedFiles(run, rules, configuration, openStages(session, rules, io)).catch(unlessUnknown)) ?? [];
    },
  };
}

/** Returns what is waited for while nobody can tell: each condition. */
export function waitsWhileUnreadable({ unreadable }: UnreadableRules): readonly Wait[] {
  const reason = `its stages and windows cannot be read, which counts as closed: ${unreadable}`;
  return CONDITIONS.map((condition) => ({ condition, reason, until: null }));
}

/** The rules of a target, and what the tip of its branch waits for because of its stages. */
export interface ConditionsAtTip {
  readonly rules: WaitRules;
  readonly stages: readonly Wait[];
}

/** Reads what a target waits for, without a run; null where it uses neither stages nor windows, as far as anybody can tell. */
export async function conditionsAtTip(
  session: OpenProject,
  target: Target,
  io: AppContext,
): Promise<ConditionsAtTip | UnreadableRules | null> {
  const isUsed = hasConditions(rulesOfRun(session, target));
  if (target.branch === null && !isUsed) return null;
  const rules = await rulesOfBranch(session, target, io);
  if ('unreadable' in rules) return isUsed ? rules : null;
  if (!hasConditions(rules)) return null;
  const stages = openStages(session, rules, io);
  return { rules, stages: rules.tip === null ? [] : await stages.waitsOf(stages.at(rules.tip), io.now()) };
}

function unlessUnknown(error: unknown): null {
  if (error instanceof GitError || error instanceof LedgerError || error instanceof CliError) return null;
  throw error;
}

/** Returns the configuration of a run as a candidate: that of its commit, or that of the work tree, which may have edits. */
function candidateOf({ session, target: own }: TargetRun, configuration: SelectedConfiguration, stages: Stages): Candidate {
  const { state, desiredState: ofRun, earlier } = configuration;
  const isCommit = state !== null && !state.dirty;
  const committed = isCommit ? stages.at(state.commit) : null;
  return {
    commit: committed?.commit ?? null,
    isWholeEntry: earlier?.isWhole === true,
    stateOf: async (asked): Promise<ConfigurationAtCommit> => {
      const { name } = asked;
      if (name === own.name) return { desiredState: ofRun };
      if (committed !== null) return committed.stateOf(asked);
      const target = session.project.targets.find((each) => each.name === name);
      if (target === undefined) return { unusable: `${session.project.file} has no target ${name}`, isMissing: true };
      const desiredState = loadDesiredState(session.files, session.project, target, sourceModel, session.parseCache);
      return hasError(desiredState.findings) ? { unusable: 'its configuration has errors' } : { desiredState };
    },
  };
}
