/** Releases the lock of a run that was killed, and records its apply as interrupted (design section 6, lock). */

import type { Target } from '../../core/config/project.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { LedgerError, type LockHolder } from '../../core/ledger/errors.ts';
import { unlock } from '../../core/ledger/lock.ts';
import { warn } from '../run/messages.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { VERSION } from '../run/version.ts';
import { NO_RESULTS, snapshotsOf } from './apply-entry.ts';
import { requireLedger } from './load-state.ts';

/**
 * Releases the lock of a dead run, whose ID starts with `id`, and records that its apply was interrupted. Returns who held it; null where
 * nobody does. @throws LockHeldError, GitError, LedgerError for an entry of a newer version, and the lock stays
 */
export async function releaseAbandoned(session: OpenProject, target: Target, io: AppContext, id: string): Promise<LockHolder | null> {
  const { remote, ledger, projectOption } = await requireLedger(session, target, io);
  const record = async (holder: LockHolder) => {
    try {
      const latest = await ledger.latest();
      const entry = interruptedEntry(io, target.name, holder, latest?.entry ?? null);
      return entry && { entry, previous: latest?.commit ?? null };
    } catch (error) {
      if (!(error instanceof LedgerError) || error.isNewer) throw error;
      warn(io, `what the run was applying is not recorded: ${error.message}`, error.hint);
      return null;
    }
  };
  return await unlock(remote, target.name, id, { projectOption, record });
}

/**
 * Returns the entry of an apply that was killed, as its lock tells: all that is known stays as the last entry says. Null where the lock names
 * no commit, or another project than the last entry: whoever unlocks may be of another project, too.
 */
function interruptedEntry(
  io: AppContext,
  target: string,
  { by, where, project, configuration }: LockHolder,
  last: LedgerEntry | null,
): LedgerEntry | null {
  if (configuration === null || project === null || (last?.project ?? project) !== project) return null;
  const { commit, digest, snapshot } = configuration;
  const interrupted = [commit, ...(last?.interrupted ?? []).filter((each) => each !== commit)];
  const known = { ...last?.snapshots, ...(snapshot === null ? {} : { [commit]: snapshot }) };
  const { config, pendingSince } = last ?? { config: { commit: null, digest }, pendingSince: {} };
  return {
    schemaVersion: 2,
    target,
    project,
    ...(last?.baseUrl === undefined ? {} : { baseUrl: last.baseUrl }),
    at: new Date(io.now()).toISOString(),
    by,
    where,
    tool: VERSION,
    config,
    ...snapshotsOf([config.commit, ...Object.values(pendingSince), ...interrupted], known),
    fingerprint: null,
    interrupted,
    summary: NO_RESULTS,
    verified: false,
    outcomes: [],
    owner: last?.owner ?? null,
    bindings: last?.bindings ?? {},
    ...(last?.managed === undefined ? {} : { managed: last.managed }),
    forgotten: last?.forgotten ?? [],
    pendingSince,
    ...(last?.externalIds === undefined ? {} : { externalIds: last.externalIds }),
  };
}
