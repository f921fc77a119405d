/** Finds the newest commit that every earlier target has carried (`--ref promoted`). */
import { holdsOfStages } from '../../core/decide/stages.ts';
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import { isWhole } from '../../core/ledger/standing.ts';
import type { RuleHold } from '../../core/model/decision.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { holdText } from '../../report/view/holds.ts';
import type { TargetRun } from '../account/target-run.ts';
import { remoteOf } from '../history/desired-state.ts';
import { CliError } from '../run/exit-codes.ts';
import { info, joinClauses } from '../run/messages.ts';
import { type BranchRules, type FoundRules, rulesOfBranch } from './branch-rules.ts';
import { openStages, type StageReader } from './stages.ts';

/** The word that stands for that commit, in the place of a ref. */
export const PROMOTED = 'promoted';

/** What is promoted to a target. */
export interface PromotedCommit {
  readonly commit: string;
  /** The commit last applied; null before the first apply. */
  readonly last: string | null;
}

/** Maximum number of commits that are looked at, the newest first, and for how long, milliseconds. */
export const MAX_COMMITS = 500;
export const MAX_SEARCH_MS = 120_000;

/** What a search for a promoted commit found. */
interface Search {
  /** Null where there is none. */
  readonly commit: string | null;
  /** What holds back the newest commit of the branch; nothing where one is found that is newer than what is applied. */
  readonly holds: readonly RuleHold[];
  /** Whether there are commits that were not looked at, because there are too many. */
  readonly isCut: boolean;
}

/**
 * Returns the newest commit of the branch that meets every stage of a target and is newer than what is applied, or is what was applied in part.
 * Null where there is none, which it says, with what the newest commit waits for. @throws CliError where the target has no stages or nobody
 * can tell, GitError, LedgerError
 */
export async function promotedCommit({ session, target, io }: TargetRun): Promise<PromotedCommit | null> {
  const rules = requireStages(await rulesOfBranch(session, target, io), target.name);
  const stages = openStages(session, rules, io);
  const { commit, holds, isCut } = await searchPromoted({ session, target, io }, rules, stages);
  if (commit !== null) return { commit, last: await stages.lastCommit() };
  const why = holds.length === 0 ? '' : `; the newest one waits: ${joinClauses(holds.map(holdText))}`;
  const branch = target.branch ?? 'its branch';
  const which = isCut ? `none of the newest ${MAX_COMMITS} commits of ${branch}` : `no commit of ${branch}`;
  info(io, `${target.name}: ${which} meets its stages and is newer than what is applied: nothing to do${why}`);
  return null;
}

/**
 * Searches the same with stages that are open. What was read for an earlier search of the run is not read again. @throws CliError where nobody
 * can tell, as where it takes too long or a stage cannot be read, GitError, LedgerError
 */
export async function searchPromoted(
  { session, target, io }: Pick<TargetRun, 'session' | 'target' | 'io'>,
  { tip }: BranchRules,
  stages: StageReader,
): Promise<Search> {
  if (tip === null) return { commit: null, holds: [], isCut: false };
  const last = await stages.lastCommit();
  const remote = await remoteOf(session, target, io);
  const history = await openCommitHistory(remote, last ?? tip, tip);
  const entry = await stages.lastEntry();
  const newer = await history.firstParents(last, tip);
  const asked = [...newer.slice(0, MAX_COMMITS), ...(last !== null && entry !== null && !isWhole(entry) ? [last] : [])];
  const candidates = asked.map((commit) => stages.at(commit));
  const found = await firstFree(candidates, (candidate) => stages.isFree(candidate, io.now()), io.now);
  if ('looked' in found) throw tooLong(target.name, found.looked, asked.length);
  if (found.free !== null) return { commit: found.free.commit, holds: [], isCut: false };
  const holds = holdsOfStages(await stages.look(stages.at(tip), io.now()));
  const unknown = holds.filter(({ status }) => status === 'unknown');
  if (unknown.length > 0) throw cannotTell(target.name, unknown);
  return { commit: null, holds, isCut: newer.length > MAX_COMMITS };
}

/**
 * Returns the first of some candidates that is free, null for none; or how many were looked at, where that took longer than `MAX_SEARCH_MS`.
 * `now` tells Unix milliseconds.
 */
export async function firstFree<Candidate>(
  candidates: readonly Candidate[],
  isFree: (candidate: Candidate) => Promise<boolean>,
  now: () => number,
): Promise<{ readonly free: Candidate | null } | { readonly looked: number }> {
  const end = now() + MAX_SEARCH_MS;
  for (const [looked, candidate] of candidates.entries()) {
    if (now() > end) return { looked };
    if (await isFree(candidate)) return { free: candidate };
  }
  return { free: null };
}

function tooLong(target: string, looked: number, of: number): CliError {
  const limit = `${MAX_SEARCH_MS / SECOND_MS} s`;
  return new CliError(
    EXIT_CODES.error,
    'promoted-too-long',
    `nobody can tell what is promoted to ${target}: only ${looked} of ${of} commits could be looked at in ${limit}`,
    'name a commit with --ref',
  );
}

function cannotTell(target: string, holds: readonly RuleHold[]): CliError {
  return new CliError(
    EXIT_CODES.error,
    'promoted-unknown',
    `nobody can tell what is promoted to ${target}: ${joinClauses(holds.map(holdText))}`,
    'run it again when that can be read, or name a commit with --ref',
  );
}

const SECOND_MS = 1_000;

function requireStages(rules: FoundRules, target: string): BranchRules {
  const usage = (summary: string, hint: string) => new CliError(EXIT_CODES.invalid, 'no-stages', summary, hint);
  if ('unreadable' in rules)
    throw new CliError(EXIT_CODES.error, 'rules-unreadable', `nobody can tell what is promoted: ${rules.unreadable}`, 'name a commit');
  if (rules.target.after.length > 0) return rules;
  throw usage(
    `${target} comes after no other target, so that nothing is promoted to it`,
    'choose targets with `after` only (--target), write `after: [TARGET]`, or name a commit',
  );
}
