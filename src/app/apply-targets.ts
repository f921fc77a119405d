import { type ApplyOptions, type Ask, applyTarget, isConfirmed, prepareApply } from './apply-target.ts';
import type { ExitCode } from './exit-codes.ts';
import { forEachAccount } from './for-each-target.ts';
import type { AppContext } from './runtime.ts';

/** Plans, confirms, writes, verifies and records the chosen targets. `ask` is null where nobody can be asked. */
export function applyTargets(io: AppContext, options: ApplyOptions, ask: Ask | null): Promise<ExitCode> {
  return forEachAccount(io, options, {
    writes: true,
    asks: !isConfirmed(options) && ask !== null,
    prepare: (run) => prepareApply(run, options),
    work: (run, prepared) => applyTarget(run, prepared, options, ask ?? (async () => false)),
  });
}
