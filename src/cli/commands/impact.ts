import { type ImpactOptions, prepareImpact, reportImpact } from '../../app/report-impact.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { forEachTarget } from '../../app/targets/for-each-target.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';

/** Runs `impact [ADDRESS]`: shows which devices play what under the policies. It plans the target and writes nothing. */
export function impactCommand(io: AppContext, address: string, options: ImpactOptions): Promise<ExitCode> {
  return forEachTarget(io, options, {
    prepare: (run) => prepareImpact(run, options),
    work: (run, prepared) => reportImpact(run, prepared, address, options),
  });
}
