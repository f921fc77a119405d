import type { Allowed } from '../../engine/guard.ts';
import type { Plan } from '../../model/plan.ts';
import { complainOfFaults, planTarget, warnOfIdleOnly, withAccount } from '../account.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import { reportInterrupted } from '../journal.ts';
import { openedLedger, remembered } from '../memory.ts';
import type { PlanningOptions } from '../options.ts';
import { type Prepared, prepared } from '../prepared.ts';
import { runFacts } from '../run-facts.ts';
import type { TargetRun } from '../target-run.ts';
import { forEachAccount } from './for-each-target.ts';

/** Flags of `plan`. */
export interface PlanOptions extends PlanningOptions {
  readonly allow: Allowed;
  /** The commit that stands in for the one last applied. */
  readonly base?: string | undefined;
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
  readonly detailedExitcode?: true | undefined;
  readonly requests?: true | undefined;
  readonly unmanaged?: true | undefined;
}

/** `plan`: what apply would do. Writes nothing, takes no lock. */
export function plan(io: Io, options: PlanOptions): Promise<Exit> {
  return forEachAccount(io, options, {
    prepare: (run) => prepared(run, options.ref),
    work: async (run, ready) => (await reportPlan(options, run, ready)).exits,
  });
}

/** Plans one target and adds the plan to the reports. @throws GitError, LedgerError */
export async function reportPlan(
  options: PlanOptions,
  { session, target, io, reports }: TargetRun,
  { configuration, credentials }: Prepared,
): Promise<{ readonly plan: Plan; readonly exits: readonly Exit[] }> {
  reportInterrupted(io, session, target);
  const opened = await openedLedger(session, target, io);
  const before = await remembered(session, target, io, opened, options.base);
  return withAccount(target, credentials, io, options, async (account) => {
    const planning = { configuration, remembered: before, allowed: options.allow, checks: true, onlyOrigin: options.onlyOrigin ?? null };
    const { reconciled } = await planTarget(session, target, account, io, options, planning);
    warnOfIdleOnly(io, options, reconciled.plan);
    const incomplete = complainOfFaults(io, reconciled.faults);
    const unmanaged = options.unmanaged ? reconciled.unmanaged.map((each) => ({ ...each, target: target.name })) : null;
    reports.add(
      { type: 'plan', plan: { ...reconciled.plan, run: runFacts(io, account, before) } },
      { requests: options.requests === true, unmanaged },
    );
    return { plan: reconciled.plan, exits: [...incomplete, ...(options.detailedExitcode ? [detailed(reconciled.plan)] : [])] };
  });
}

function detailed({ summary }: Plan): Exit {
  if (summary.held > 0) return EXIT.held;
  return summary.create + summary.update + summary.delete > 0 ? EXIT.changes : EXIT.done;
}
