import { detectDrift } from './detect-drift.ts';
import type { ExitCode } from './exit-codes.ts';
import { type AccountWork, forEachAccount } from './for-each-target.ts';
import type { PlanningOptions } from './options.ts';
import { type PreparedTarget, prepareTarget } from './plan-target.ts';
import type { AppContext } from './runtime.ts';

/** Reports the live changes of the chosen targets since the commit last applied. */
export function driftTargets(
  io: AppContext,
  options: PlanningOptions,
  further: Pick<AccountWork<PreparedTarget>, 'afterwards'> = {},
): Promise<ExitCode> {
  return forEachAccount(io, options, {
    prepare: (run) => prepareTarget(run, options.ref),
    work: (run, prepared) => detectDrift(run, prepared, options),
    ...further,
  });
}
