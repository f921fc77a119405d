import { describeRun } from '../../app/describe-run.ts';
import { EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachAccount } from '../../app/for-each-target.ts';
import { reportInterrupted } from '../../app/journal.ts';
import { loadState, openLedgerOf } from '../../app/load-state.ts';
import type { PlanningOptions } from '../../app/options.ts';
import { planTarget, reportReadErrors, warnUnmatchedOnly, withApiClient } from '../../app/plan-target.ts';
import { type PreparedTarget, prepareTarget } from '../../app/prepare-target.ts';
import type { CliContext } from '../../app/runtime.ts';
import type { TargetRun } from '../../app/target-run.ts';
import type { Plan } from '../../model/plan.ts';
import type { Overrides } from '../../safety/checks.ts';

/** Flags of `plan`. */
export interface PlanOptions extends PlanningOptions {
  readonly allow: Overrides;
  /** The commit that stands in for the one last applied. */
  readonly base?: string | undefined;
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
  readonly detailedExitcode?: true | undefined;
  readonly requests?: true | undefined;
  readonly unmanaged?: true | undefined;
}

/** `plan`: what apply would do. Writes nothing, takes no lock. */
export function plan(io: CliContext, options: PlanOptions): Promise<ExitCode> {
  return forEachAccount(io, options, {
    prepare: (run) => prepareTarget(run, options.ref),
    work: async (run, ready) => (await reportPlan(options, run, ready)).exits,
  });
}

/** Plans one target and adds the plan to the reports. @throws GitError, LedgerError */
export async function reportPlan(
  options: PlanOptions,
  { session, target, io, reports }: TargetRun,
  { configuration, credentials }: PreparedTarget,
): Promise<{ readonly plan: Plan; readonly exits: readonly ExitCode[] }> {
  reportInterrupted(io, session, target);
  const openLedger = await openLedgerOf(session, target, io);
  const before = await loadState(session, target, io, openLedger, options.base);
  return withApiClient(target, credentials, io, options, async (account) => {
    const planning = { configuration, remembered: before, allowed: options.allow, checks: true, onlyOrigin: options.onlyOrigin ?? null };
    const { reconciled: planResult } = await planTarget(session, target, account, io, options, planning);
    warnUnmatchedOnly(io, options, planResult.plan);
    const incomplete = reportReadErrors(io, planResult.errors);
    const unmanaged = options.unmanaged ? planResult.unmanaged.map((each) => ({ ...each, target: target.name })) : null;
    reports.add(
      { type: 'plan', plan: { ...planResult.plan, run: describeRun(io, account, before) } },
      { requests: options.requests === true, unmanaged },
    );
    return { plan: planResult.plan, exits: [...incomplete, ...(options.detailedExitcode ? [detailed(planResult.plan)] : [])] };
  });
}

function detailed({ summary }: Plan): ExitCode {
  if (summary.blocked > 0) return EXIT_CODES.blocked;
  return summary.create + summary.update + summary.delete > 0 ? EXIT_CODES.changes : EXIT_CODES.done;
}
