/** Plans the configuration and the bindings before an apply, and says what that does not restore. */

import { findingAt } from '../core/config/findings.ts';
import { openCommitHistory } from '../core/ledger/commit-history.ts';
import { GitError } from '../core/ledger/errors.ts';
import type { EntryCommit } from '../core/ledger/ledger.ts';
import type { LedgerRemote } from '../core/ledger/remote.ts';
import { headCommit } from '../core/ledger/repository.ts';
import { type Change, reasonsOf } from '../core/model/change.ts';
import { listOf } from '../core/model/collections.ts';
import { shellText, undoCommand } from '../core/model/command-line.ts';
import type { ExitCode } from '../core/model/exit-codes.ts';
import type { Finding } from '../core/model/finding.ts';
import { formatSecond } from '../core/model/instant.ts';
import type { Plan } from '../core/model/plan.ts';
import { type Overrides, writtenOverrides } from '../core/safety/overrides.ts';
import type { TargetRun } from './account/target-run.ts';
import { desiredStateAt, type SelectedConfiguration } from './history/desired-state.ts';
import { type ApplyBefore, openHistory, wentBack } from './history/ledger-history.ts';
import { type PlanReportOptions, type PreparedTarget, reportPlan } from './plan-target.ts';
import { info, warn } from './run/messages.ts';

/** The inputs that `undo` needs before its first request. */
export interface PreparedUndo extends PreparedTarget {
  readonly before: ApplyBefore;
}

/**
 * Plans the way back to an apply, for which the safety check `rollback` is overridden. Names the command that applies the plan, and what has
 * to become of the repository. Returns the exit codes. @throws GitError, LedgerError
 */
export async function planUndo(
  run: TargetRun,
  { before, ...prepared }: PreparedUndo,
  options: PlanReportOptions,
): Promise<readonly ExitCode[]> {
  const allow: Overrides = { ...options.allow, checks: new Set([...options.allow.checks, 'rollback']) };
  info(run.io, `undoes ${listOf(before.undone.map(undoneText), MAX_NAMED)}`);
  sayWhatStays(run, before, options);
  const overwritten = before.undone.flatMap((each) => overwrittenFindings(each, prepared.configuration));
  const back = { ...options, ref: before.id, allow };
  const { plan, exits } = await reportPlan('undo', run, prepared, back, overwritten);
  if (plan.changes.length === 0) return exits;
  // The report of a plan that is held back says how it goes on.
  if (plan.decision?.status === 'ready')
    for (const { command, say } of plan.decision.next) if (command) info(run.io, `to ${say}: ${shellText(command)}`);
  sayWhatToGoBackWith(run, before, plan, options);
  await sayHowToRevert(run, before, prepared.configuration, options.only.length === 0 ? [] : plan.changes);
  return exits;
}

/**
 * Warns of what the apply to which it goes back had left out, and a later one has applied: the configuration of that apply declares it, too, so
 * that it does not go back to what it was then.
 */
function sayWhatStays(
  { io, target }: TargetRun,
  { id, commit, completed, firstOfCommit }: ApplyBefore,
  { project, only, allow }: PlanReportOptions,
): void {
  if (completed.length === 0) return;
  const undo = (entry: string) => shellText(undoCommand({ project, only }, { target: target.name, entry, allow: writtenOverrides(allow) }));
  warn(
    io,
    `the apply ${id.slice(0, 12)} left out ${listOf(completed, MAX_NAMED)}, which a later one has applied: this goes to what ${commit.slice(0, 12)} declares, and not to what they were then`,
    firstOfCommit === null
      ? 'nothing was applied before that commit'
      : `to go back to before that commit: ${undo(firstOfCommit.slice(0, 12))}`,
  );
}

/** Says which apply is undone, and whether there is anything to undo. */
function undoneText({ commit, entry }: EntryCommit): string {
  const { at, by, outcomes } = entry;
  const isEmpty = outcomes.every(({ result }) => result === 'skipped' || result === 'failed' || result === 'unchanged');
  return `the apply ${commit.slice(0, 12)} of ${formatSecond(Date.parse(at))} by ${by}${isEmpty ? ', which changed nothing' : ''}${wentBack(entry) ? ', which went back itself: this brings back what it took back' : ''}`;
}

/**
 * Names the `undo` of nothing but what weakened protection, stopped or reduced playback, where more goes back with it; and says
 * what had strengthened protection.
 */
function sayWhatToGoBackWith(
  { io, target }: TargetRun,
  { undone }: ApplyBefore,
  { changes }: Pick<Plan, 'changes'>,
  { project, only, allow }: PlanReportOptions,
): void {
  const entry = undone.at(-1)?.commit;
  // What had both weakened and strengthened protection is among both.
  const isHarm = (change: Change) => change.playback === 'gains' || reasonsOf(change).some(({ effect }) => effect === 'strengthens');
  const harm = changes.filter(isHarm);
  if (entry === undefined || only.length > 0 || harm.length === 0 || harm.length === changes.length) return;
  const strengthened = changes.filter(({ effect }) => effect === 'weakens').map(({ address }) => address);
  const also = strengthened.length === 0 ? '' : `, and ${listOf(strengthened, MAX_NAMED)} had strengthened protection, which is lost again`;
  const what = `${harm.length} of the ${changes.length} changes that go back had weakened protection, or stopped or reduced playback${also}`;
  const command = undoCommand(
    { project, only: harm.map(({ address }) => address) },
    { target: target.name, entry: entry.slice(0, 12), allow: writtenOverrides(allow) },
  );
  const how = harm.length > MAX_NAMED_ADDRESSES ? '`--only` selects these' : `to go back with these alone: ${shellText(command)}`;
  info(io, `${what}; ${how}`);
}

/** Maximum number of addresses in a command. */
const MAX_NAMED_ADDRESSES = 20;

/** Maximum number of files or applies named in a sentence, and of files in a command. */
const MAX_NAMED = 3;
const MAX_RESTORED = 20;

/**
 * Returns the paths, from the top of the repository, of the files that a target reads and that differ from those of an earlier configuration;
 * upkeep.yaml is not among them. Null where nobody can tell. @throws GitError
 */
async function changedFiles(
  { session, target }: TargetRun,
  project: LedgerRemote,
  last: string,
  earlier: SelectedConfiguration['readFrom'],
): Promise<ReadonlySet<string> | null> {
  const later = await desiredStateAt(session, target, project, last);
  if ('unusable' in later || earlier === null) return null;
  const [before, after] = [earlier.files, later.readFrom.files];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => name !== session.project.file);
  const isSame = (a: Uint8Array | undefined, b: Uint8Array | undefined) => a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
  const changed = names.filter((name) => !isSame(before.get(name), after.get(name)));
  return new Set(changed.map((name) => `${project.repository.prefix}${name}`));
}

/** Returns the findings about the edits by hand that an apply overwrote. */
function overwrittenFindings({ commit, entry }: EntryCommit, { desiredState }: SelectedConfiguration): readonly Finding[] {
  const pathOf = new Map(desiredState.resources.map(({ address, path }) => [address, path]));
  return Object.entries(entry.overwritten ?? {}).map(([address, fields]) => {
    const what =
      fields.length === 0 ? `that ${address} had been created or deleted by hand` : `edits by hand of ${address}: ${fields.join(', ')}`;
    const summary = `the apply ${commit.slice(0, 12)} overwrote ${what}; undo does not restore it`;
    const hint = 'The values before that apply are in its plan, if it was kept. Set them by hand, or declare them.';
    return findingAt(desiredState.positionOf(pathOf.get(address) ?? []), {
      severity: 'warning',
      code: 'undone-edit',
      summary,
      hint,
      address,
    });
  });
}

/**
 * Names the commits to revert, because the next apply of a commit that contains them would make the changes again, or waits where the target
 * has stages; or the files to restore, where these commits changed others, too, such as upkeep.yaml. `part` is what goes back where not all
 * does: a revert would take back more.
 */
async function sayHowToRevert(
  run: TargetRun,
  { commit, undone }: ApplyBefore,
  { readFrom }: SelectedConfiguration,
  part: readonly Change[],
): Promise<void> {
  const last = undone.find(({ entry }) => entry.config.commit !== null)?.entry.config.commit ?? null;
  if (last === null || last === commit) return;
  const { project } = await openHistory(run);
  try {
    const history = await openCommitHistory(project, commit, last);
    if (!(await history.mergeBases(commit, last)).includes(commit)) return;
    const newer = `${last.slice(0, 12)} or a later commit`;
    const again =
      run.target.after.length === 0
        ? `the next apply of ${newer} makes the changes again, unless the repository agrees`
        : `after that, an apply of ${newer} waits, unless the repository agrees, or it has --allow promotion`;
    if (part.length > 0) {
      const addresses = part.map(({ address }) => address);
      info(
        run.io,
        `${again}: declare ${listOf(addresses, MAX_NAMED)} as at ${commit.slice(0, 12)}; a revert takes back all else that was merged`,
      );
      return;
    }
    const own = await changedFiles(run, project, last, readFrom);
    if (own === null) {
      info(run.io, `${again}: see what these commits changed: git diff --stat ${commit} ${last}`);
      return;
    }
    const others = (await history.differingFiles(commit, last)).filter((path) => !own.has(path));
    if (others.length === 0) {
      const [newest = last, ...more] = await history.firstParents(commit, last);
      const range = more.length === 0 ? newest : `--first-parent ${commit}..${last}`;
      info(run.io, `${again}: git revert -m 1 ${range}`);
      return;
    }
    const { repository } = project;
    const { file } = run.session.project;
    const settings = others.includes(`${repository.prefix}${file}`) ? `; \`vars\` and \`sources\` in ${file} are left to you` : '';
    const revert = `to revert the commits would take back ${listOf(others, MAX_NAMED)}, too${settings}`;
    const head = await headCommit(repository);
    const later = head === null ? [] : (await history.differingFiles(last, head)).filter((path) => own.has(path));
    if (own.size === 0 || own.size > MAX_RESTORED || later.length > 0) {
      // A command would take back what this apply did not bring, or be too long.
      const what = own.size === 0 ? `what it reads of ${file}` : listOf([...own], MAX_NAMED);
      info(run.io, `${again}: edit ${what} as they were at ${commit.slice(0, 12)} (${revert})`);
      return;
    }
    const paths = [...own].map((path) => `:(top,literal)${path}`);
    const restore = shellText(['git', 'restore', '--source', commit, '--staged', '--worktree', '--', ...paths]);
    info(run.io, `${again}: commit what this restores (${revert}): ${restore}`);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    warn(run.io, `the commits to revert are not known: ${error.message}`, error.hint);
  }
}
