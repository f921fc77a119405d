/** The record of an apply in the ledger (design section 6). */
import type { Applied } from '../engine/applying/application.ts';
import type { Target } from '../engine/desired/configuration.ts';
import type { Reconciled } from '../engine/reconcile.ts';
import { remember } from '../engine/remember.ts';
import type { Run } from '../engine/run.ts';
import { actorOf } from '../ledger/actor.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { GitError } from '../ledger/errors.ts';
import { EXIT, type Exit, Stop } from './exit.ts';
import type { Io } from './io.ts';
import { beside } from './journal.ts';
import type { Holding } from './lock.ts';
import type { LedgerOf, Remembered } from './memory.ts';
import { complain } from './output.ts';
import { VERSION } from './version.ts';

/** What is to be recorded. */
export interface Record {
  readonly target: Target;
  readonly run: Run;
  readonly reconciled: Reconciled;
  readonly applied: Applied;
  readonly before: Remembered;
}

/** Writes the record and gives the lock back, in one push; where that fails the record is kept in this folder for the next run. */
export async function record(io: Io, opened: LedgerOf, holding: Holding, what: Record): Promise<readonly Exit[]> {
  const entry = entryOf(io, what);
  const previous = what.before.last?.commit ?? null;
  if (!isNews(entry, what, holding.lost())) return [];
  try {
    await holding.lock.record(entry, previous);
    holding.released();
    return [];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    beside(opened.at.repository.folder);
    await opened.ledger.keepRecord(entry, previous);
    complain(
      io,
      `the apply to ${what.target.name} was made, but could not be recorded: ${error.message}`,
      `${error.hint}; the record is kept in .upkeep, and the next run from this folder pushes it`,
    );
    return [EXIT.failed];
  }
}

/** Pushes the record that an earlier apply in this folder had to keep. @throws Stop where the remote still refuses it, LedgerError */
export async function heal({ ledger }: LedgerOf, { lock }: Holding): Promise<void> {
  try {
    await ledger.heal(lock);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const summary = `the record of an earlier apply still cannot be pushed, so nothing was begun: ${error.message}`;
    throw new Stop(EXIT.error, `git-${error.code}`, summary, error.hint);
  }
}

/** A run that did nothing is recorded only where it held the lock and says something new: another commit, other bindings. */
function isNews(entry: LedgerEntry, { applied, before }: Record, lockLost: boolean): boolean {
  const last = before.last?.entry;
  if (applied.outcome.outcomes.some(({ result }) => result !== 'skipped')) return true;
  if (!last || lockLost) return !lockLost;
  return JSON.stringify([entry.config, entry.bindings, entry.standing]) !== JSON.stringify([last.config, last.bindings, last.standing]);
}

function entryOf(io: Io, { target, run, reconciled, applied, before }: Record): LedgerEntry {
  const { outcome, ids } = applied;
  const results = new Map(outcome.outcomes.map(({ address, result }) => [address, result]));
  const { memory, standing } = remember(before.earlier, run, reconciled, { results, ids });
  const commit = run.config && !run.config.dirty ? run.config.commit : null;
  return {
    schemaVersion: 1,
    target: target.name,
    at: new Date(io.now()).toISOString(),
    ...actorOf(io.env),
    tool: VERSION,
    config: { commit, digest: run.declaration.digest },
    fingerprint: outcome.fingerprint,
    summary: outcome.summary,
    verified: outcome.verified,
    outcomes: io.secrets.hiddenIn(outcome.outcomes),
    owner: memory.owner,
    bindings: Object.fromEntries(memory.bindings),
    forgotten: [...memory.forgotten],
    standing: Object.fromEntries(standing),
  };
}
