/** Checks whether an apply could be recorded: the work tree, the remote, the lock, and leftovers of earlier runs. */

import type { DesiredState } from '../../core/config/desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import { decide } from '../../core/decide/decide.ts';
import { undecidedFacts } from '../../core/decide/facts.ts';
import { LockHeldError } from '../../core/ledger/errors.ts';
import { lockRef, readLock } from '../../core/ledger/lock.ts';
import { ledgerRef } from '../../core/ledger/push-entry.ts';
import { dryRunPush, type LedgerRemote, refBelow, refOf } from '../../core/ledger/remote.ts';
import { writeSnapshot } from '../../core/ledger/snapshot.ts';
import { shellText } from '../../core/model/command-line.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { liftText } from '../../core/model/lift.ts';
import { commitFacts } from '../facts/run-facts.ts';
import { readJournal } from '../history/apply-journal.ts';
import { type OpenLedger, readLastEntry, requireLedger } from '../history/load-state.ts';
import { otherTargets, sharesLedger } from '../history/other-projects.ts';
import { requireCommit } from '../history/reviewed-commit.ts';
import { committedFiles, localFolderOf, workTreeState } from '../history/work-tree.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { type CheckResult, failed, failedOnError, ok, skipped, warning, warningOnError } from './check.ts';

/** Checks the ledger of a target without changing it; it fetches the last entry and a lock that somebody holds, and nothing else. @throws CliError when interrupted */
export async function checkLedger(
  session: OpenProject,
  target: Target,
  desiredState: DesiredState,
  io: AppContext,
): Promise<readonly CheckResult[]> {
  if (target.ledger === 'none') {
    return [skipped('ledger', '`ledger: none`: applies are not recorded, so that nothing is deleted in `ownership: shared`')];
  }
  return [
    ...(await failedOnError('work tree', async () => [await workTreeCheck(session, target, desiredState, io)])),
    ...(await failedOnError('ledger', () => remoteChecks(session, target, io))),
    ...(await ownerChecks(session, target, io)),
    ...(await failedOnError('interrupted applies', async () => [await leftoversCheck(session, target, io)])),
  ];
}

/** Checks whether another project of the repository has the same ledger. */
async function ownerChecks(session: OpenProject, target: Target, io: AppContext): Promise<readonly CheckResult[]> {
  const other = (await otherTargets(session, io)).find((each) => sharesLedger(target, each.target));
  if (other === undefined) return [];
  const remedy = 'give one of the targets another name, or a ledger of its own';
  return [failed('one project', `${other.file} has a target ${target.name} with the same ledger`, remedy, EXIT_CODES.invalid)];
}

/** Checks whether the configuration is committed and reviewed. A warning only, since such a configuration can still be planned. */
function workTreeCheck(session: OpenProject, target: Target, { digest }: DesiredState, io: AppContext): Promise<CheckResult> {
  return warningOnError('work tree', async () => {
    const state = await workTreeState(session, target, io);
    const differing = state?.differing ?? [];
    const revision = state && { commit: state.commit, dirty: differing.length > 0, digest };
    const configuration = { state: revision, differing };
    await requireCommit(session, target, configuration, io);
    const facts = undecidedFacts({ changes: [], requests: [] }, target.name, io.now());
    const [hold] = decide({ ...facts, ...(await commitFacts(session, target, io, configuration)) }).holds;
    if (hold?.status === 'unknown') return failed('work tree', hold.reason, 'an apply needs to know it', EXIT_CODES.blocked);
    if (hold !== undefined) return warning('work tree', hold.reason, liftText(hold.lift));
    return ok('work tree', `committed, at ${state?.commit.slice(0, 12)}`);
  });
}

async function remoteChecks(session: OpenProject, target: Target, io: AppContext): Promise<readonly CheckResult[]> {
  const openLedger = await requireLedger(session, target, io);
  const { remote } = openLedger;
  const lock = await refOf(remote, lockRef(target.name));
  const inTheWay = await refBelow(remote, [ledgerRef(target.name), lockRef(target.name)]);
  return [
    ...(await failedOnError('ledger', async () => [await entryCheck(session, target, openLedger)])),
    await lockCheck(session, target, remote),
    ...(inTheWay === null
      ? await failedOnError('push', async () => [await pushCheck(session, target, remote, lock, io)])
      : [refInTheWay(remote, inTheWay)]),
  ];
}

/** Reads the last entry as a run does. @throws what a run does */
async function entryCheck(session: OpenProject, target: Target, openLedger: OpenLedger): Promise<CheckResult> {
  const { remote } = openLedger;
  const { last, emptyLedger } = await readLastEntry(session, target, openLedger);
  if (emptyLedger?.seen) return warning('ledger', `it has no entry, but ${emptyLedger.seen.text}`, emptyLedger.seen.restore);
  const found = last?.commit ? `the last entry is ${last.commit.slice(0, 12)}` : 'nothing was applied yet';
  return ok('ledger', `the ${remote.byAddress ? 'ledger repository' : 'remote'} ${remote.remote} answers; ${found}`);
}

/** Says of a lock what an apply would say. @throws GitError */
async function lockCheck({ projectOption }: OpenProject, { name }: Target, remote: LedgerRemote): Promise<CheckResult> {
  const holder = await readLock(remote, name);
  if (holder === null) return ok('lock', 'free');
  const { message, hint } = new LockHeldError(name, holder, projectOption);
  return warning('lock', message, hint);
}

function refInTheWay({ remote }: LedgerRemote, ref: string): CheckResult {
  const remedy = `nothing of upkeep creates it; remove it: ${shellText(['git', 'push', remote, '--delete', ref])}`;
  return failed('push', `the ref ${ref} is in the way of those of this target`, remedy, EXIT_CODES.error);
}

/** Checks push permission with a dry run of acquiring the lock, the first write of an apply. @throws GitError */
async function pushCheck(
  session: OpenProject,
  target: Target,
  remote: LedgerRemote,
  lock: string | null,
  io: AppContext,
): Promise<CheckResult> {
  const state = await committedFiles(session, target, io);
  if (lock !== null || state === null)
    return skipped('push', lock === null ? 'there is no commit yet' : 'not tried while the lock is held');
  // A ledger repository gets no commit of the project, not even in a dry run.
  const commit = remote.byAddress ? await writeSnapshot(remote.repository, { files: new Map(), folders: new Set() }) : state.commit;
  await dryRunPush(remote, [{ ref: lockRef(target.name), was: null, becomes: commit }]);
  return ok('push', 'the remote would accept it, as far as a dry run shows');
}

/** Checks the local files of the target for those of an interrupted apply. @throws LedgerError */
async function leftoversCheck(session: OpenProject, target: Target, io: AppContext): Promise<CheckResult> {
  const { ledger } = await requireLedger(session, target, io);
  if (ledger.unpushedEntry()) {
    return warning(
      'interrupted applies',
      'the entry of the last apply is not in the ledger yet',
      'apply from this folder: it pushes the entry first',
    );
  }
  const { killedAt } = readJournal(await localFolderOf(session, target, io));
  if (killedAt === null) return ok('interrupted applies', 'none');
  return warning(
    'interrupted applies',
    `an apply was interrupted at ${killedAt}`,
    'apply again: completed changes are recognized and not repeated',
  );
}
