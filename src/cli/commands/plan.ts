import { EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachAccount } from '../../app/for-each-target.ts';
import { type PlanReportOptions, prepareTarget, reportPlan } from '../../app/plan-target.ts';
import type { AppContext } from '../../app/runtime.ts';
import type { Plan } from '../../model/plan.ts';

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
      return [...reported.exits, ...(options.detailedExitcode ? [detailedExit(reported.plan)] : [])];
    },
  });
}

function detailedExit({ summary }: Plan): ExitCode {
  if (summary.blocked > 0) return EXIT_CODES.blocked;
  return summary.create + summary.update + summary.delete > 0 ? EXIT_CODES.changes : EXIT_CODES.done;
}
