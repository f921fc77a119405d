import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import { requireLedger } from '../../app/load-state.ts';
import type { PlanningOptions } from '../../app/options.ts';
import { info } from '../../app/output.ts';
import { prepareTarget } from '../../app/prepare-target.ts';
import { oneTarget } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import type { TargetRun } from '../../app/target-run.ts';
import type { Plan } from '../../model/plan.ts';
import type { Overrides } from '../../safety/checks.ts';
import { found, openedFor } from './history.ts';
import { reportPlan } from './plan.ts';

/** Flags of `undo`. */
export interface UndoOptions extends PlanningOptions {
  readonly allow: Overrides;
  readonly requests?: true | undefined;
}

/** Runs `undo`: plans the configuration before an apply; `apply --ref` applies it. */
export function undo(io: CliContext, id: string | undefined, options: UndoOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      async prepare(run) {
        const commit = await commitBefore(run, id);
        return { ...(await prepareTarget(run, commit)), commit };
      },
      async work(run, { commit, ...ready }) {
        const { plan, exits } = await reportPlan(options, run, ready);
        if (plan.changes.length > 0) info(run.io, `to apply this plan: ${carryingOut(plan, commit, options)}`);
        return exits;
      },
    },
    (session) => [oneTarget(session, options.target, 'undo goes back in one account at a time')],
  );
}

function carryingOut({ target, fingerprint }: Plan, commit: string, { only }: UndoOptions): string {
  return `upkeep apply -t ${target} --ref ${commit} --expect ${fingerprint}${only.length > 0 ? ', with the same --only' : ''}`;
}

/** The commit of the configuration before an apply. @throws CliError, GitError, LedgerError */
async function commitBefore({ session, target, io }: TargetRun, id: string | undefined): Promise<string> {
  const { ledger } = await openedFor(target, () => requireLedger(session, target, io));
  const recorded = id === undefined ? await ledger.latest() : await found(ledger, target, id);
  if (!recorded) throw new CliError(EXIT_CODES.invalid, 'no-entry', `the ledger of ${target.name} is empty`, 'there is nothing to undo');
  const before = recorded.previous === null ? null : await ledger.find(recorded.previous);
  const commit = before?.entry.config.commit ?? null;
  if (commit !== null) return commit;
  const why = before ? 'was made from a work tree that was not committed' : 'does not exist';
  throw new CliError(
    EXIT_CODES.invalid,
    'no-commit',
    `the apply before ${recorded.commit.slice(0, 12)} ${why}`,
    'name an older entry, or plan with --ref',
  );
}
