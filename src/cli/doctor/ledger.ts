/** Whether an apply could be recorded: the work tree, the remote, the lock, and what earlier runs left here. */
import type { Target } from '../../engine/desired/configuration.ts';
import type { Declaration } from '../../engine/desired/declaration.ts';
import { workTreeState } from '../../ledger/git.ts';
import { idOf, lockRef } from '../../ledger/holder.ts';
import { ledgerRef } from '../../ledger/record.ts';
import { type Remote, refOf, rehearsePush } from '../../ledger/remote.ts';
import { childEnvironment } from '../child-environment.ts';
import { remoteOf } from '../configuration.ts';
import type { Io } from '../io.ts';
import { interruptedCreates } from '../journal.ts';
import { ledgerOf } from '../memory.ts';
import type { Session } from '../session.ts';
import { refuseStray } from '../stray.ts';
import { type Examined, ok, orFailed, orWarning, skipped, warning } from './examined.ts';

/** Looks at the ledger of a target without fetching or changing any of it. @throws Stop where interrupted */
export async function examineLedger(session: Session, target: Target, declaration: Declaration, io: Io): Promise<readonly Examined[]> {
  if (target.ledger === 'none') {
    return [skipped('ledger', '`ledger: none`: applies are not recorded, so that nothing is deleted in `ownership: shared`')];
  }
  return [
    ...(await orFailed('work tree', async () => [await workTree(session, target, declaration, io)])),
    ...(await orFailed('ledger', () => remoteChecks(session, target, io))),
    ...(await orFailed('left behind', async () => [await leftBehind(session, target, io)])),
  ];
}

/** What `apply` would refuse, a plan can still be made of. */
function workTree(session: Session, target: Target, { digest }: Declaration, io: Io): Promise<Examined> {
  return orWarning('work tree', async () => {
    const state = await stateOf(session, io);
    await refuseStray(session, target, { state: state && { ...state, digest } }, io, false);
    return ok('work tree', `committed, at ${state?.commit.slice(0, 12)}`);
  });
}

function stateOf({ folder, project, read }: Session, io: Io): ReturnType<typeof workTreeState> {
  return workTreeState(folder, childEnvironment(io, project.targets), read);
}

async function remoteChecks(session: Session, target: Target, io: Io): Promise<readonly Examined[]> {
  const at = await remoteOf(session, target, io);
  const entry = await refOf(at, ledgerRef(target.name));
  const lock = await refOf(at, lockRef(target.name));
  const last = entry === null ? 'nothing was applied yet' : `the last entry is ${entry.slice(0, 12)}`;
  return [
    ok('ledger', `the remote ${target.remote} answers; ${last}`),
    lock === null ? ok('lock', 'free') : heldLock(target, lock),
    ...(await orFailed('push', async () => [await pushCheck(session, target, at, lock, io)])),
  ];
}

function heldLock({ name }: Target, commit: string): Examined {
  const release = `upkeep unlock -t ${name} --id ${idOf(commit)}`;
  return warning('lock', `held (lock ${idOf(commit)})`, `wait for that apply to end; if its run is dead: ${release}`);
}

/** Rehearses taking the lock, which is what an apply does first. @throws GitError */
async function pushCheck(session: Session, { name }: Target, at: Remote, lock: string | null, io: Io): Promise<Examined> {
  const state = await stateOf(session, io);
  if (lock !== null || state === null)
    return skipped('push', lock === null ? 'there is no commit yet' : 'not tried while the lock is held');
  await rehearsePush(at, [{ ref: lockRef(name), was: null, becomes: state.commit }]);
  return ok('push', 'the remote would let it in, as far as it tells');
}

/** What an apply that did not come to its end left in `.upkeep`. @throws LedgerError */
async function leftBehind(session: Session, target: Target, io: Io): Promise<Examined> {
  const { ledger } = await ledgerOf(session, target, io);
  if (await ledger.pendingRecord()) {
    return warning(
      'left behind',
      'the record of the last apply is not in the ledger yet',
      'apply from this folder: it pushes the record first',
    );
  }
  const killed = interruptedCreates(session.folder, target.name);
  if (!killed) return ok('left behind', 'nothing');
  return warning(
    'left behind',
    `an apply did not come to its end at ${killed.at}`,
    'apply again: what it did is recognised, not done again',
  );
}
