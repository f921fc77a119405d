import type { Allowed } from '../../engine/guard.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import { ledgerOf } from '../memory.ts';
import type { PlanningOptions } from '../options.ts';
import { remark } from '../output.ts';
import { chosenTargets, openSession } from '../session.ts';
import { found, openedFor } from './history.ts';
import { plan } from './plan.ts';
import { reporting } from './reporting.ts';

/** Flags of `undo`. */
export interface UndoOptions extends PlanningOptions {
  readonly allow: Allowed;
  readonly requests?: true | undefined;
}

/** `undo`: the plan back to the configuration before an apply; `apply --ref` carries it out. */
export async function undo(io: Io, id: string | undefined, options: UndoOptions): Promise<Exit> {
  let ref: string | null = null;
  const looked = await reporting(io, { ...options, out: [] }, async () => {
    ref = await commitBefore(io, id, options);
    return [];
  });
  if (ref === null) return looked;
  remark(io, `to apply this plan: upkeep apply --ref ${ref} --expect <its fingerprint>`);
  return plan(io, { ...options, ref });
}

async function commitBefore(io: Io, id: string | undefined, options: UndoOptions): Promise<string> {
  const session = openSession(io, options);
  const [target, other] = chosenTargets(session, options.target);
  if (!target || other)
    throw new Stop(EXIT.invalid, 'one-target', 'undo goes back in one account at a time', 'name one target with --target');
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
