import { type ExitCode, exitCodeOfPlan } from '../../app/exit-codes.ts';
import { forEachAccount } from '../../app/for-each-target.ts';
import { type PlanReportOptions, prepareTarget, reportPlan } from '../../app/plan-target.ts';
import type { AppContext } from '../../app/runtime.ts';

/** Flags of `plan`. */
export interface PlanOptions extends PlanReportOptions {
  readonly detailedExitcode?: true | undefined;
}

/** Runs `plan`: shows what apply would do. It writes nothing and takes no lock. */
export function planCommand(io: AppContext, options: PlanOptions): Promise<ExitCode> {
  return forEachAccount(io, options, {
    prepare: (run) => prepareTarget(run, options.ref),
    async work(run, prepared) {
      const reported = await reportPlan(run, prepared, options);
      return [...reported.exits, ...(options.detailedExitcode ? [exitCodeOfPlan(reported.plan)] : [])];
    },
  });
}
