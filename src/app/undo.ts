/** Plans the configuration and the bindings before an apply, and says what that does not restore. */

import { findingAt } from '../core/config/findings.ts';
import { openCommitHistory } from '../core/ledger/commit-history.ts';
import { GitError } from '../core/ledger/errors.ts';
import type { EntryCommit } from '../core/ledger/ledger.ts';
import { applyCommand, shellText } from '../core/model/command-line.ts';
import type { Finding } from '../core/model/finding.ts';
import { type Overrides, writtenOverrides } from '../core/safety/overrides.ts';
import type { TargetRun } from './account/target-run.ts';
import type { SelectedConfiguration } from './history/desired-state.ts';
import { type ApplyBefore, openHistory } from './history/ledger-history.ts';
import { type PlanReportOptions, type PreparedTarget, reportPlan } from './plan-target.ts';
import type { ExitCode } from './run/exit-codes.ts';
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
  const overwritten = before.undone.flatMap((each) => overwrittenFindings(each, prepared.configuration));
  const back = { ...options, ref: before.id, allow };
  const { plan, exits } = await reportPlan('undo', run, prepared, back, overwritten);
  if (plan.changes.length === 0) return exits;
  // The verdict of a blocked plan says how it is applied.
  if (plan.summary.blocked === 0)
    info(
      run.io,
      `to apply this plan: ${shellText(applyCommand(back, { ...plan, allow: writtenOverrides(allow), expect: plan.fingerprint }))}`,
    );
  await sayHowToRevert(run, before);
  return exits;
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

/** Names the commits to revert, because the next apply of a commit that contains them would make the changes again. */
async function sayHowToRevert(run: TargetRun, { commit, undone }: ApplyBefore): Promise<void> {
  const last = undone.find(({ entry }) => entry.config.commit !== null)?.entry.config.commit ?? null;
  if (last === null || last === commit) return;
  const { project } = await openHistory(run);
  try {
    const history = await openCommitHistory(project, commit, last);
    if (!(await history.mergeBases(commit, last)).includes(commit)) return;
    const [newest = last, ...others] = await history.firstParents(commit, last);
    const range = others.length === 0 ? newest : `--first-parent ${commit}..${last}`;
    info(
      run.io,
      `the next apply of ${last.slice(0, 12)} or a later commit makes the changes again, unless the repository agrees: git revert -m 1 ${range}`,
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    warn(run.io, `the commits to revert are not known: ${error.message}`, error.hint);
  }
}
