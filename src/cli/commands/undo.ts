import type { ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import { commitBefore } from '../../app/ledger-history.ts';
import { info } from '../../app/messages.ts';
import type { PlanningOptions } from '../../app/options.ts';
import { prepareTarget, reportPlan } from '../../app/plan-target.ts';
import { oneTarget } from '../../app/project.ts';
import type { AppContext } from '../../app/runtime.ts';
import type { Plan } from '../../model/plan.ts';
import type { Overrides } from '../../safety/checks.ts';

/** Flags of `undo`. */
export interface UndoOptions extends PlanningOptions {
  readonly allow: Overrides;
  readonly requests?: true | undefined;
}

/** Runs `undo [ENTRY]`: plans the configuration before an apply; `apply --ref` applies it. */
export function undoCommand(io: AppContext, id: string | undefined, options: UndoOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      async prepare(run) {
        const commit = await commitBefore(run, id);
        return { ...(await prepareTarget(run, commit)), commit };
      },
      async work(run, { commit, ...prepared }) {
        const { plan, exits } = await reportPlan(run, prepared, options);
        if (plan.changes.length > 0) info(run.io, `to apply this plan: ${applyCommandLine(plan, commit, options)}`);
        return exits;
      },
    },
    (session) => [oneTarget(session, options.target, 'undo goes back in one account at a time')],
  );
}

function applyCommandLine({ target, fingerprint }: Plan, commit: string, { only }: UndoOptions): string {
  return `upkeep apply -t ${target} --ref ${commit} --expect ${fingerprint}${only.length > 0 ? ', with the same --only' : ''}`;
}
