import type { Allowed } from '../../engine/guard.ts';
import type { Plan } from '../../model/plan.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import { ledgerOf } from '../memory.ts';
import type { PlanningOptions } from '../options.ts';
import { remark } from '../output.ts';
import { prepared } from '../prepared.ts';
import { oneTarget } from '../session.ts';
import type { TargetRun } from '../target-run.ts';
import { forEachTarget } from './for-each-target.ts';
import { found, openedFor } from './history.ts';
import { reportPlan } from './plan.ts';

/** Flags of `undo`. */
export interface UndoOptions extends PlanningOptions {
  readonly allow: Allowed;
  readonly requests?: true | undefined;
}

/** `undo`: the plan back to the configuration before an apply; `apply --ref` carries it out. */
export function undo(io: Io, id: string | undefined, options: UndoOptions): Promise<Exit> {
  return forEachTarget(
    io,
    options,
    {
      async prepare(run) {
        const commit = await commitBefore(run, id);
        return { ...(await prepared(run, commit)), commit };
      },
      async work(run, { commit, ...ready }) {
        const { plan, exits } = await reportPlan(options, run, ready);
        if (plan.changes.length > 0) remark(run.io, `to apply this plan: ${carryingOut(plan, commit, options)}`);
        return exits;
      },
    },
    (session) => [oneTarget(session, options.target, 'undo goes back in one account at a time')],
  );
}

function carryingOut({ target, fingerprint }: Plan, commit: string, { only }: UndoOptions): string {
  return `upkeep apply -t ${target} --ref ${commit} --expect ${fingerprint}${only.length > 0 ? ', with the same --only' : ''}`;
}

/** The commit of the configuration before an apply. @throws Stop, GitError, LedgerError */
async function commitBefore({ session, target, io }: TargetRun, id: string | undefined): Promise<string> {
  const { ledger } = await openedFor(target, () => ledgerOf(session, target, io));
  const recorded = id === undefined ? await ledger.latest() : await found(ledger, target, id);
  if (!recorded) throw new Stop(EXIT.invalid, 'no-entry', `the ledger of ${target.name} is empty`, 'there is nothing to undo');
  const before = recorded.previous === null ? null : await ledger.find(recorded.previous);
  const commit = before?.entry.config.commit ?? null;
  if (commit !== null) return commit;
  const why = before ? 'was made from a work tree that was not committed' : 'does not exist';
  throw new Stop(
    EXIT.invalid,
    'no-commit',
    `the apply before ${recorded.commit.slice(0, 12)} ${why}`,
    'name an older entry, or plan with --ref',
  );
}
