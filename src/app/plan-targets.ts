import { type ExitCode, exitCodeOfPlan } from './exit-codes.ts';
import { forEachAccount } from './for-each-target.ts';
import { type PlanReportOptions, prepareTarget, reportPlan } from './plan-target.ts';
import type { AppContext } from './runtime.ts';

/** Options of a plan of the chosen targets. */
export interface PlanOptions extends PlanReportOptions {
  /** Whether the exit code tells changes and blocked changes. */
  readonly detailedExitcode?: true | undefined;
}

/** Plans the chosen targets: reports what an apply would do. It writes nothing and takes no lock. */
export function planTargets(io: AppContext, options: PlanOptions): Promise<ExitCode> {
  return forEachAccount(io, options, {
    prepare: (run) => prepareTarget(run, options.ref),
    async work(run, prepared) {
      const reported = await reportPlan(run, prepared, options);
      return [...reported.exits, ...(options.detailedExitcode ? [exitCodeOfPlan(reported.plan)] : [])];
    },
  });
}
