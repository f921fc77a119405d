/** The ledger of a target: every apply a commit on `refs/upkeep/<target>` of the remote (design section 6, entries). */
import { join } from 'node:path';
import { fetchCommit } from './commits.ts';
import { type EntryCheck, type LedgerEntry, MAX_ENTRY_BYTES, parseLedgerEntry } from './entry.ts';
import { GitError, LedgerError } from './errors.ts';
import type { Lock } from './lock.ts';
import {
  deleteUnpushed,
  ENTRY_FILE,
  LEDGER_FOLDER,
  ledgerRef,
  pushEntry,
  readUnpushed,
  rebaseEntry,
  saveUnpushed,
  type UnpushedEntry,
} from './push-entry.ts';
import { fetchObjects, fetchRef, type LedgerRemote, refsIn } from './remote.ts';
import { has } from './repository.ts';
import { rememberEntry } from './seen-entry.ts';
import { readCommit, readCommitsBefore, type StoredFile } from './single-file-commit.ts';

/** An entry in the ledger. */
export interface EntryCommit {
  /** Full name of its commit, which is also the entry's ID. */
  readonly commit: string;
  /** The entry before; null for the first one. */
  readonly previous: string | null;
  readonly entry: LedgerEntry;
}

/** The ledger of one target. All members throw GitError, and LedgerError for invalid contents. */
export interface Ledger {
  /** Reads the last entry from the remote, and remembers it on this machine; null before the first apply. */
  latest(): Promise<EntryCommit | null>;
  /** Iterates all entries, newest first, and reads them lazily. */
  history(): AsyncGenerator<EntryCommit, void, undefined>;
  /** Finds the entry whose ID starts with the prefix (`MIN_ENTRY_ID_LENGTH` characters or more); null where there is none. */
  find(id: string): Promise<EntryCommit | null>;
  /** Returns the entry that is a commit; null for a commit that is no entry of this ledger. */
  entryAt(commit: string): Promise<EntryCommit | null>;
  /** Reads the unpushed entry of an apply on this machine; null where every entry is pushed. */
  unpushedEntry(): UnpushedEntry | null;
  /** Saves an entry that could not be pushed, with the entry before it, for the next run. */
  keepUnpushed(entry: LedgerEntry, previous: string | null): void;
  /** Pushes the unpushed entry under a lock, which stays held. Returns the last entry after it; null where nothing was unpushed. */
  pushUnpushed(lock: Pick<Lock, 'held'>): Promise<EntryCommit | null>;
}

/** The location of a ledger, and the validator of its entries. */
export interface LedgerPlace extends LedgerRemote {
  readonly target: string;
  readonly check: EntryCheck;
}

/** Minimum length of the beginning of an entry's ID that names it, characters. */
export const MIN_ENTRY_ID_LENGTH = 7;

/** Maximum number of entries that one call of git reads, and of their bytes. */
const MAX_AHEAD = 1_000;
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/** The newest entry of a ledger, or why it cannot be read, a clause. */
export type NewestEntry = { readonly target: string } & ({ readonly entry: LedgerEntry } | { readonly reason: string });

/** Decides whether a ref can be the ledger of a target: other names are those of nobody. */
function isTargetName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,59}$/.test(name) && name !== 'locks';
}

/** Maximum number of ledgers of one repository that are read. */
const MAX_LEDGERS = 500;

/**
 * Reads the newest entry of each ledger of a repository but one, with one call for all of their refs and one for all commits. @throws GitError,
 * LedgerError where there are more than 500
 */
export async function newestEntries(place: Omit<LedgerPlace, 'target'>, except: string): Promise<readonly NewestEntry[]> {
  const refs = [...(await refsIn(place, LEDGER_FOLDER))].filter(([target]) => target !== except && isTargetName(target));
  if (refs.length > MAX_LEDGERS)
    throw new LedgerError(
      `${refs.length} ledgers are in one repository, and ${MAX_LEDGERS} are read`,
      'delete the refs of targets that are gone',
    );
  const missing: string[] = [];
  for (const [, commit] of refs) if (!(await has(place.repository, commit))) missing.push(commit);
  if (missing.length > 0) await fetchObjects(place, missing, 1);
  const entries: NewestEntry[] = [];
  for (const [target, commit] of refs) entries.push({ target, ...(await entryOrReason({ ...place, target }, commit)) });
  return entries;
}

async function entryOrReason(place: LedgerPlace, commit: string): Promise<{ readonly entry: LedgerEntry } | { readonly reason: string }> {
  try {
    return { entry: (await readEntryAt(place, commit)).entry };
  } catch (error) {
    if (error instanceof LedgerError || error instanceof GitError) return { reason: error.message };
    throw error;
  }
}

/** Opens the ledger of a target, without reading anything. */
export function openLedger(place: LedgerPlace): Ledger {
  const { repository, target, check } = place;
  const localFolder = join(repository.localFolder, target);
  const ref = ledgerRef(target);
  const latest = async (): Promise<EntryCommit | null> => {
    const commit = await fetchRef(place, ref, true);
    if (commit === null) return null;
    const found = await readEntryAt(place, commit);
    rememberEntry(place, target, { commit, at: found.entry.at });
    return found;
  };
  const ledger: Ledger = {
    latest,
    async *history() {
      let read = 0;
      let ahead: ReadonlyMap<string, StoredFile> = new Map();
      for (let found = await latest(); found !== null; ) {
        yield found;
        read += 1;
        const { previous } = found;
        if (previous === null) return;
        if (!ahead.has(previous)) {
          // Each fetch from a ledger repository doubles what is there. In the project, the parents would bring its history.
          await fetchCommit(place, previous, place.byAddress ? read : 1);
          // Each call of git doubles what is read, too: most callers look at the last entries only.
          ahead = await readCommitsBefore(repository, previous, ENTRY_FILE, { most: Math.min(read, MAX_AHEAD), maxBytes: MAX_AHEAD_BYTES });
        }
        const stored = ahead.get(previous);
        found = stored === undefined ? await readEntryAt(place, previous) : entryIn(place, previous, stored);
      }
    },
    async find(id) {
      if (id.length < MIN_ENTRY_ID_LENGTH || !/^[0-9a-f]+$/.test(id)) return null;
      for await (const found of ledger.history()) if (found.commit.startsWith(id)) return found;
      return null;
    },
    async entryAt(commit) {
      if (!(await isAvailable(place, commit))) return null;
      const names = await repository.run(['ls-tree', '-z', '--name-only', '--full-tree', commit]);
      // Most commits hold other files, so that the ledger need not be searched.
      return names.toString() === `${ENTRY_FILE}\0` ? await ledger.find(commit) : null;
    },
    unpushedEntry: () => readUnpushed(localFolder, target, check),
    keepUnpushed: (entry, previous) => saveUnpushed(localFolder, { entry, previous }),
    async pushUnpushed(lock) {
      const pending = ledger.unpushedEntry();
      if (pending === null) return null;
      if (!(await isInLedger(ledger, pending))) await pushRebased(place, pending, await latest(), lock);
      deleteUnpushed(localFolder);
      return await latest();
    },
  };
  return ledger;
}

/** Fetches a commit. Returns false where a ledger repository does not have it, since it is then a commit of the project. @throws GitError */
async function isAvailable(place: LedgerPlace, commit: string): Promise<boolean> {
  if (!place.byAddress) await fetchCommit(place, commit);
  if (commit.length !== place.repository.nameLength) return false;
  if (await has(place.repository, commit)) return true;
  try {
    await fetchObjects(place, commit, 1);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === 'unknown-commit') return false;
    throw error;
  }
}

/** Reads the entry at a commit, and fetches the commit if necessary. */
async function fetchedAt(place: LedgerPlace, commit: string, depth = 1): Promise<EntryCommit> {
  await fetchCommit(place, commit, depth);
  return await readEntryAt(place, commit);
}

/** Reads the entry at a local commit. */
async function readEntryAt(place: LedgerPlace, commit: string): Promise<EntryCommit> {
  return entryIn(place, commit, await readCommit(place.repository, commit, ENTRY_FILE, MAX_ENTRY_BYTES));
}

/** Returns the entry that the file of a commit holds. @throws LedgerError */
function entryIn({ target, check }: LedgerPlace, commit: string, file: StoredFile | null): EntryCommit {
  try {
    if (file === null) throw new LedgerError(`it holds no ${ENTRY_FILE}`, 'set the ref back to the last entry of upkeep');
    if (file.text === null) throw new LedgerError(`its ${ENTRY_FILE} is too large`, 'set the ref back to the last entry of upkeep');
    const entry = parseLedgerEntry(file.text, check);
    if (entry.target !== target)
      throw new LedgerError(`it belongs to the target ${entry.target}`, 'set the ref back to the last entry of upkeep');
    // Besides the previous entry, only commits of configurations, or of their files, can be parents; the first entry has no other.
    const own = [entry.config.commit, ...(entry.interrupted ?? []), ...Object.values(entry.snapshots ?? {})];
    return { commit, previous: file.parents.find((parent) => !own.includes(parent)) ?? null, entry };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new LedgerError(`the ledger of ${target} cannot be used at commit ${commit}: ${error.message}`, error.hint, error.isNewer);
  }
}

/** Decides whether an unpushed entry is in the ledger after all: its push may have succeeded although the response was lost. */
async function isInLedger(ledger: Ledger, { entry, previous }: UnpushedEntry): Promise<boolean> {
  for await (const found of ledger.history()) {
    if (found.commit === previous) return false;
    const { at, by, fingerprint } = found.entry;
    if (at === entry.at && by === entry.by && fingerprint === entry.fingerprint) return true;
  }
  return false;
}

async function pushRebased(
  place: LedgerPlace,
  { entry, previous }: UnpushedEntry,
  latest: EntryCommit | null,
  lock: Pick<Lock, 'held'>,
): Promise<void> {
  const hasMoved = latest !== null && latest.commit !== previous;
  const base = hasMoved && previous !== null ? await fetchedAt(place, previous) : null;
  const next = hasMoved ? rebaseEntry(entry, base?.entry ?? null, latest.entry) : entry;
  if (!(await lock.held())) throw new LedgerError(`the lock of ${entry.target} was taken away`, 'run again: the entry is still kept');
  await pushEntry(place, next, latest?.commit ?? null, []);
}
