/** Finds the newest commit that every earlier target has carried (`--ref promoted`). */
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import { isWhole } from '../../core/ledger/standing.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { holdText } from '../../report/view/holds.ts';
import type { TargetRun } from '../account/target-run.ts';
import { remoteOf } from '../history/desired-state.ts';
import { CliError } from '../run/exit-codes.ts';
import { info, joinClauses } from '../run/messages.ts';
import { type FoundRules, rulesOfBranch, type WaitRules } from './branch-rules.ts';
import { openStages, type Stages } from './stages.ts';

/** The word that stands for that commit, in the place of a ref. */
export const PROMOTED = 'promoted';

/** What is promoted to a target. */
export interface PromotedCommit {
  readonly commit: string;
  /** The commit last applied; null before the first apply. */
  readonly last: string | null;
}

/** Maximum number of commits that are looked at, the newest first. */
export const MAX_COMMITS = 500;

/**
 * Returns the newest commit of the branch that meets every stage of a target and is newer than what is applied, or is what was applied in part.
 * Null where there is none, which it says, with what the newest commit waits for. @throws CliError where the target has no stages or nobody
 * can tell, GitError, LedgerError
 */
export async function promotedCommit({ session, target, io }: TargetRun): Promise<PromotedCommit | null> {
  const rules = requireStages(await rulesOfBranch(session, target, io), target.name);
  const stages = openStages(session, rules, io);
  const commit = await newestPromoted({ session, target, io }, rules, stages);
  const last = await stages.lastCommit();
  if (commit !== null) return { commit, last };
  const holds = rules.tip === null ? [] : await stages.holdsOf(stages.at(rules.tip), io.now());
  const why = holds.length === 0 ? '' : `; the newest one waits: ${joinClauses(holds.map(holdText))}`;
  const branch = target.branch ?? 'its branch';
  info(io, `${target.name}: no commit of ${branch} meets its stages and is newer than what is applied: nothing to do${why}`);
  return null;
}

/** Returns the same for stages that are open. @throws CliError, GitError, LedgerError */
export async function newestPromoted(
  { session, target, io }: Pick<TargetRun, 'session' | 'target' | 'io'>,
  { tip }: WaitRules,
  stages: Stages,
): Promise<string | null> {
  if (tip === null) return null;
  const last = await stages.lastCommit();
  const remote = await remoteOf(session, target, io);
  const history = await openCommitHistory(remote, last ?? tip, tip);
  const entry = await stages.lastEntry();
  const newer = (await history.firstParents(last, tip)).slice(0, MAX_COMMITS);
  const commits = [...newer, ...(last !== null && entry !== null && !isWhole(entry) ? [last] : [])];
  const candidates = commits.map((commit) => ({ commit, candidate: stages.at(commit) }));
  for (const { commit, candidate } of candidates) if (await stages.isFree(candidate, io.now())) return commit;
  return null;
}

function requireStages(rules: FoundRules, target: string): WaitRules {
  const usage = (summary: string, hint: string) => new CliError(EXIT_CODES.invalid, 'no-stages', summary, hint);
  if ('unreadable' in rules)
    throw new CliError(EXIT_CODES.error, 'rules-unreadable', `nobody can tell what is promoted: ${rules.unreadable}`, 'name a commit');
  if (rules.target.after.length > 0) return rules;
  throw usage(
    `${target} comes after no other target, so that nothing is promoted to it`,
    'choose targets with `after` only (--target), write `after: [TARGET]`, or name a commit',
  );
}
