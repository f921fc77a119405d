/** The record of an apply in the ledger (design section 6). */
import type { Applied } from '../engine/applying/application.ts';
import type { Target } from '../engine/desired/configuration.ts';
import type { Reconciled } from '../engine/reconcile.ts';
import { remember } from '../engine/remember.ts';
import type { Run } from '../engine/run.ts';
import { actorOf } from '../ledger/actor.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { GitError } from '../ledger/errors.ts';
import { codeOf, EXIT, type Exit, isSystemError, Stop } from './exit.ts';
import type { Io } from './io.ts';
import type { Holding } from './lock.ts';
import type { LedgerOf, Remembered } from './memory.ts';
import { complain } from './output.ts';
import { beside } from './own-folder.ts';
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
    await holding.handBack(() => holding.lock.record(entry, previous));
    return [];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await keep(io, opened, entry, previous, error);
    return [EXIT.failed];
  }
}

/** Keeps a record that could not be pushed for the next run, and says so; where the disk refuses that too, it says what is lost. */
async function keep(
  io: Io,
  { at, ledger }: LedgerOf,
  entry: LedgerEntry,
  previous: string | null,
  { message, hint }: GitError,
): Promise<void> {
  const made = `the apply to ${entry.target} was made, but could`;
  try {
    beside(at.repository.folder);
    await ledger.keepRecord(entry, previous);
    complain(
      io,
      `${made} not be recorded: ${message}`,
      `${hint}; the record is kept in .upkeep, and the next run from this folder pushes it`,
    );
  } catch (error) {
    if (!isSystemError(error)) throw error;
    complain(
      io,
      `${made} be neither recorded (${message}) nor kept in .upkeep (${codeOf(error)})`,
      `${hint}; make room on the disk and apply again: it adopts what is there, but who wrote it this time is told only by this outcome`,
    );
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
