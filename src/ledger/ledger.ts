/** The ledger of a target: every apply a commit on `refs/upkeep/<target>` of the remote (design section 6). */
import { bringCommit } from './commits.ts';
import { type EntryCheck, type LedgerEntry, MAX_ENTRY_BYTES, readEntry } from './entry.ts';
import { LedgerError } from './errors.ts';
import type { Lock } from './lock.ts';
import { ENTRY_FILE, ledgerRef, pushEntry } from './push-entry.ts';
import { rebaseEntry } from './rebase-entry.ts';
import { fetchRef, type LedgerRemote } from './remote.ts';
import { readCommit } from './single-file-commit.ts';
import { deleteUnpushed, readUnpushed, saveUnpushed, type UnpushedEntry } from './unpushed-entry.ts';

/** An entry as it stands in the ledger. */
export interface Recorded {
  /** Full name of its commit, which is also the entry's ID. */
  readonly commit: string;
  /** The entry before; null for the first one. */
  readonly previous: string | null;
  readonly entry: LedgerEntry;
}

/** The ledger of one target. All of it throws GitError, and LedgerError for contents that cannot be used. */
export interface Ledger {
  /** The last entry, as the remote has it now; null before the first apply. */
  latest(): Promise<Recorded | null>;
  /** All entries, newest first, each read when it is asked for. */
  history(): AsyncGenerator<Recorded, void, undefined>;
  /** The entry of which the ID begins so (7 characters or more); null where there is none. */
  find(id: string): Promise<Recorded | null>;
  /** The record of an apply in this folder that could not be pushed; null where all is recorded. */
  pendingRecord(): Promise<UnpushedEntry | null>;
  /** Keeps an entry that could not be pushed, and the entry that it follows, for the next run. */
  keepRecord(entry: LedgerEntry, previous: string | null): Promise<void>;
  /** Pushes the record that was kept, under a lock that stays held; gives the last entry after it, null where nothing was kept. */
  pushUnpushed(lock: Pick<Lock, 'held'>): Promise<Recorded | null>;
}

/** Where a ledger is, and how its entries are told from anything else. */
export interface LedgerPlace extends LedgerRemote {
  readonly target: string;
  readonly check: EntryCheck;
}

/** The ledger of a target; nothing is read yet. */
export function openLedger(place: LedgerPlace): Ledger {
  const { repository, target, check } = place;
  const ref = ledgerRef(target);
  const latest = async (): Promise<Recorded | null> => {
    const commit = await fetchRef(place, ref, true);
    return commit === null ? null : await recordedAt(place, commit);
  };
  const ledger: Ledger = {
    latest,
    async *history() {
      for (let recorded = await latest(); recorded !== null; ) {
        yield recorded;
        recorded = recorded.previous === null ? null : await fetchedAt(place, recorded.previous);
      }
    },
    async find(id) {
      if (!/^[0-9a-f]{7,}$/.test(id)) return null;
      for await (const recorded of ledger.history()) if (recorded.commit.startsWith(id)) return recorded;
      return null;
    },
    pendingRecord: () => readUnpushed(repository.folder, target, check),
    keepRecord: (entry, previous) => saveUnpushed(repository.folder, { entry, previous }),
    async pushUnpushed(lock) {
      const pending = await ledger.pendingRecord();
      if (pending === null) return null;
      if (!(await isRecorded(ledger, pending))) await pushLate(place, pending, await latest(), lock);
      await deleteUnpushed(repository.folder, target);
      return await latest();
    },
  };
  return ledger;
}

/** The entry at a commit, which is fetched if need be. */
async function fetchedAt(place: LedgerPlace, commit: string): Promise<Recorded> {
  await bringCommit(place, commit);
  return await recordedAt(place, commit);
}

/** The entry at a commit that is here. */
async function recordedAt({ repository, target, check }: LedgerPlace, commit: string): Promise<Recorded> {
  try {
    const note = await readCommit(repository, commit, ENTRY_FILE, MAX_ENTRY_BYTES);
    if (note === null) throw new LedgerError(`it holds no ${ENTRY_FILE}`, 'set the ref back to the last entry of upkeep');
    if (note.text === null) throw new LedgerError(`its ${ENTRY_FILE} is too large`, 'set the ref back to the last entry of upkeep');
    const entry = readEntry(note.text, check);
    if (entry.target !== target)
      throw new LedgerError(`it belongs to the target ${entry.target}`, 'set the ref back to the last entry of upkeep');
    // The configuration's commit is the only other parent there can be, and the only one of the first entry.
    return { commit, previous: note.parents.find((parent) => parent !== entry.config.commit) ?? null, entry };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new LedgerError(`the ledger of ${target} cannot be used at commit ${commit}: ${error.message}`, error.hint);
  }
}

/** Whether a kept record reached the ledger after all: its push may have taken place although nobody heard of it. */
async function isRecorded(ledger: Ledger, { entry, previous }: UnpushedEntry): Promise<boolean> {
  for await (const recorded of ledger.history()) {
    if (recorded.commit === previous) return false;
    const { at, by, fingerprint } = recorded.entry;
    if (at === entry.at && by === entry.by && fingerprint === entry.fingerprint) return true;
  }
  return false;
}

async function pushLate(
  place: LedgerPlace,
  { entry, previous }: UnpushedEntry,
  now: Recorded | null,
  lock: Pick<Lock, 'held'>,
): Promise<void> {
  const moved = now !== null && now.commit !== previous;
  const before = moved && previous !== null ? await fetchedAt(place, previous) : null;
  const next = moved ? rebaseEntry(entry, before?.entry ?? null, now.entry) : entry;
  if (!(await lock.held())) throw new LedgerError(`the lock of ${entry.target} was taken away`, 'run again: the record is still kept');
  await pushEntry(place, next, now?.commit ?? null, []);
}
