/** Finds the newest commit that every earlier target has carried (`--ref promoted`). */
import { holdsOfStages } from '../../core/decide/stages.ts';
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import { isWhole } from '../../core/ledger/standing.ts';
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
  /** How many commits were not looked at, because there are too many; 0 where one is found. */
  readonly notAsked: number;
}

/**
 * Returns the newest commit of the branch that meets every stage of a target and is newer than what is applied, or is what was applied in part.
 * Null where there is none, which it says, with what the newest commit waits for. @throws CliError where the target has no stages or nobody
 * can tell, GitError, LedgerError
 */
export async function promotedCommit({ session, target, io }: TargetRun): Promise<PromotedCommit | null> {
  const rules = requireStages(await rulesOfBranch(session, target, io), target.name);
  const stages = openStages(session, rules, io);
  const { commit, notAsked } = await searchPromoted({ session, target, io }, rules, stages);
  const last = await stages.lastCommit();
  if (commit !== null) return { commit, last };
  const holds = rules.tip === null ? [] : holdsOfStages(await stages.look(stages.at(rules.tip), io.now()));
  const why = holds.length === 0 ? '' : `; the newest one waits: ${joinClauses(holds.map(holdText))}`;
  const branch = target.branch ?? 'its branch';
  const which = notAsked === 0 ? `no commit of ${branch}` : `none of the newest ${MAX_COMMITS} commits of ${branch}`;
  info(io, `${target.name}: ${which} meets its stages and is newer than what is applied: nothing to do${why}`);
  return null;
}

/**
 * Searches the same with stages that are open. What was read for an earlier search of the run is not read again. @throws CliError where it takes
 * too long, GitError, LedgerError
 */
export async function searchPromoted(
  { session, target, io }: Pick<TargetRun, 'session' | 'target' | 'io'>,
  { tip }: BranchRules,
  stages: StageReader,
): Promise<Search> {
  if (tip === null) return { commit: null, notAsked: 0 };
  const last = await stages.lastCommit();
  const remote = await remoteOf(session, target, io);
  const history = await openCommitHistory(remote, last ?? tip, tip);
  const entry = await stages.lastEntry();
  const newer = await history.firstParents(last, tip);
  const asked = [...newer.slice(0, MAX_COMMITS), ...(last !== null && entry !== null && !isWhole(entry) ? [last] : [])];
  const candidates = new Map(asked.map((commit) => [commit, stages.at(commit)]));
  const isFree = async (commit: string): Promise<boolean> => {
    const candidate = candidates.get(commit);
    return candidate !== undefined && stages.isFree(candidate, io.now());
  };
  const found = await firstFree(asked, isFree, io.now);
  if ('looked' in found) throw tooLong(target.name, found.looked, asked.length);
  return { commit: found.commit, notAsked: found.commit === null ? Math.max(newer.length - MAX_COMMITS, 0) : 0 };
}

/**
 * Returns the first of some commits that is free, null for none; or how many were looked at, where that took longer than `MAX_SEARCH_MS`. `now`
 * tells Unix milliseconds.
 */
export async function firstFree(
  commits: readonly string[],
  isFree: (commit: string) => Promise<boolean>,
  now: () => number,
): Promise<{ readonly commit: string | null } | { readonly looked: number }> {
  const end = now() + MAX_SEARCH_MS;
  for (const [looked, commit] of commits.entries()) {
    if (now() > end) return { looked };
    if (await isFree(commit)) return { commit };
  }
  return { commit: null };
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
