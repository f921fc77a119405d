/** Fetches what decides a run besides its plan: its commit, its branch, its stages and its windows. What cannot be read is unknown. */
import { loadDesiredState } from '../../core/config/load-desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import type { Facts } from '../../core/decide/facts.ts';
import { holdsOfStages } from '../../core/decide/stages.ts';
import { isOnBranch, openCommitHistory } from '../../core/ledger/commit-history.ts';
import type { UntriedFiles } from '../../core/model/untried-files.ts';
import type { TargetRun } from '../account/target-run.ts';
import { remoteOf, type SelectedConfiguration } from '../history/desired-state.ts';
import type { ConfigurationAtCommit } from '../history/load-state.ts';
import { needsCommit } from '../history/reviewed-commit.ts';
import { hasError, type OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { sourceModel } from '../run/source-model.ts';
import { type FoundRules, hasConditions, rulesOfApply, rulesOfBranch, rulesOfRun } from './branch-rules.ts';
import { unreadableFact } from './conditions-at-tip.ts';
import { known } from './known.ts';
import { searchPromoted } from './promoted.ts';
import { type Candidate, openStages, type StageReader } from './stages.ts';
import { untriedFiles } from './untried.ts';

/** The facts of a run that its commit, its branch and the ledgers of other targets tell. */
export type FactsOfCommit = Pick<Facts, 'commit' | 'branch' | 'stages' | 'windows'>;

/** Where the facts of a run come from. */
export interface FactSource {
  /** Fetches the facts as they are now. Each call reads the ledgers again. */
  fetch(): Promise<FactsOfCommit>;
  /** Returns the files that earlier targets have not tried; none where that cannot be told. */
  untried(): Promise<readonly UntriedFiles[]>;
}

/** Opens the facts of an apply, whose rules stand at the tip of the target's branch. @throws GitError, LedgerError */
export async function factsOfApply(run: TargetRun, configuration: SelectedConfiguration): Promise<FactSource> {
  return factsBy(run, configuration, await rulesOfApply(run.session, run.target, run.io));
}

/**
 * Opens the facts of a plan, as an apply of it would find them. The rules are those of the run itself where its commit contains the tip of the
 * branch, and where its upkeep.yaml has none.
 */
export async function factsOfPlan(run: TargetRun, configuration: SelectedConfiguration): Promise<FactSource> {
  const own = rulesOfRun(run.session, run.target);
  if (!hasConditions(own)) return factsBy(run, configuration, own);
  const rules = await rulesOfBranch(run.session, run.target, run.io);
  const isNewer = !('unreadable' in rules) && rules.tip !== null && (await containsTip(run, configuration, rules.tip));
  return factsBy(run, configuration, isNewer ? { ...own, tip: rules.tip } : rules);
}

/** Decides whether the work tree stands at the tip of the branch, or at a commit behind it. */
async function containsTip(
  { session, target, io }: TargetRun,
  { state, appliesEarlierCommit }: SelectedConfiguration,
  tip: string,
): Promise<boolean> {
  if (state === null || appliesEarlierCommit) return false;
  if (state.commit === tip) return true;
  const bases = await known(async () => {
    const history = await openCommitHistory(await remoteOf(session, target, io), tip, state.commit);
    return history.mergeBases(tip, state.commit);
  });
  return 'known' in bases && bases.known.includes(tip);
}

function factsBy(run: TargetRun, configuration: SelectedConfiguration, rules: FoundRules): FactSource {
  const { session, target, io } = run;
  const hasRules = !('unreadable' in rules) && hasConditions(rules);
  return {
    fetch: async () => ({
      ...(await commitFacts(session, target, io, configuration)),
      ...(await conditionFacts(run, configuration, rules)),
    }),
    async untried() {
      if (!hasRules) return [];
      const untried = await known(() => untriedFiles(run, rules, configuration, openStages(session, rules, io)));
      return 'known' in untried ? untried.known : [];
    },
  };
}

/** Fetches which commit is applied, and whether the branch of the target has it. */
export async function commitFacts(
  session: OpenProject,
  target: Target,
  io: AppContext,
  { state, differing }: Pick<SelectedConfiguration, 'state' | 'differing'>,
): Promise<Pick<Facts, 'commit' | 'branch'>> {
  if (!needsCommit(target)) return { commit: { known: null }, branch: { known: null } };
  if (state === null) {
    const unknown = { unknown: `the configuration of ${target.name} comes from no commit` };
    return { commit: unknown, branch: target.branch === null ? { known: null } : unknown };
  }
  const commit = { known: { id: state.commit, dirty: state.dirty ? differing : [] } };
  if (target.branch === null) return { commit, branch: { known: null } };
  const branch = target.branch;
  const name = `${target.remote}/${branch}`;
  const hasCommit = await known(async () => isOnBranch(await remoteOf(session, target, io), branch, state.commit));
  return {
    commit,
    branch:
      'known' in hasCommit
        ? { known: { name, commit: state.commit, hasCommit: hasCommit.known } }
        : { unknown: `nobody can tell whether commit ${state.commit.slice(0, 12)} is on ${name}: ${hasCommit.unknown}` },
  };
}

/** Fetches what the stages of a target hold back, and its windows. */
async function conditionFacts(
  run: TargetRun,
  configuration: SelectedConfiguration,
  rules: FoundRules,
): Promise<Pick<Facts, 'stages' | 'windows'>> {
  if ('unreadable' in rules) {
    const unknown = unreadableFact(rules.unreadable);
    return { stages: unknown, windows: unknown };
  }
  const windows = { known: [rules.project.windows, rules.target.windows] };
  const { session, io } = run;
  const reader = openStages(session, rules, io);
  reader.renew();
  const stages = await reader.look(candidateOf(run, configuration, reader), io.now());
  if (holdsOfStages(stages).length === 0) return { stages: { known: stages }, windows };
  const promoted = await known(() => searchPromoted(run, rules, reader));
  return { stages: { known: 'known' in promoted ? { ...stages, promoted: promoted.known.commit } : stages }, windows };
}

/** Returns the configuration of a run as a candidate: that of its commit, or that of the work tree, which may have edits. */
function candidateOf({ session, target: own }: TargetRun, configuration: SelectedConfiguration, stages: StageReader): Candidate {
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
