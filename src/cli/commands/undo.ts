import { applyBefore } from '../../app/history/ledger-history.ts';
import { prepareTarget } from '../../app/plan-target.ts';
import type { PlanningOptions } from '../../app/run/options.ts';
import { oneTarget } from '../../app/run/project.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { forEachTarget } from '../../app/targets/for-each-target.ts';
import { planUndo } from '../../app/undo.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import type { Overrides } from '../../core/safety/overrides.ts';

/** Flags of `undo`. */
export interface UndoOptions extends PlanningOptions {
  readonly allow: Overrides;
  readonly requests?: true | undefined;
}

/** Runs `undo [ENTRY]`: plans the configuration and the bindings before an apply; `apply --ref` applies the plan. */
export function undoCommand(io: AppContext, id: string | undefined, options: UndoOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      async prepare(run) {
        const before = await applyBefore(run, id);
        return { ...(await prepareTarget(run, before.id)), before };
      },
      work: (run, prepared) => planUndo(run, prepared, options),
    },
    (session) => [oneTarget(session, options.target, 'undo goes back in one account at a time')],
  );
}
