/** The lock of a target: a ref of the remote that only one run can create (design section 6). */
import type { Actor } from './actor.ts';
import type { LedgerEntry } from './entry.ts';
import { GitError } from './errors.ts';
import { LockHeldError, type LockHolder } from './lock-held-error.ts';
import { idOf, lockCommit, lockRef, readLock } from './lock-info.ts';
import { pushEntry } from './push-entry.ts';
import { type LedgerRemote, push, refOf } from './remote.ts';

/** A lock that this run holds. */
export interface Lock {
  readonly id: string;
  /** Asks the remote whether this run still holds the lock; without it, writes are not protected. @throws GitError */
  held(): Promise<boolean>;
  /** Pushes the entry to the ledger and releases the lock, atomically; returns the entry's commit. @throws GitError */
  record(entry: LedgerEntry, previous: string | null): Promise<string>;
  /** Releases the lock, unless this run no longer holds it. @throws GitError */
  release(): Promise<void>;
}

/** Input of `acquire`. */
export interface LockRequest extends LedgerRemote {
  readonly target: string;
  readonly holder: Actor;
  /** Maximum seconds to wait for another holder; 0 = do not wait. */
  readonly timeoutSeconds: number;
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after the given milliseconds, or earlier when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
}

/** Milliseconds between two checks of a lock that another run holds: doubled each time, up to the maximum. */
const PAUSE = { first: 1_000, longest: 15_000 };

/** Number of retries of a push that lost against a run whose lock was already released when it was read. */
const TRIES = 5;

/** Messages of git for a ref that differs from the expected value, or that is being written. */
const LOST_RACE = /stale info|lock ref|already exists|failed to update ref|incorrect old value/;

/**
 * Acquires the lock of a target, and waits for it up to the requested time.
 * @throws LockHeldError; GitError; the signal's reason when it is aborted
 */
export async function acquire(request: LockRequest): Promise<Lock> {
  const { target, now, sleep, signal, timeoutSeconds } = request;
  const commit = await lockCommit(request, target, request.holder, now());
  const until = now() + timeoutSeconds * 1000;
  for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.longest)) {
    signal.throwIfAborted();
    const other = await take(request, target, commit);
    if (other === null) return await kept(lockOf(request, target, commit), signal);
    const left = until - now();
    if (left <= 0) throw new LockHeldError(target, other);
    await sleep(Math.min(pause, left), signal);
  }
}

/**
 * Releases an abandoned lock if its ID starts with `id` (8 characters or more); returns null where nobody holds it.
 * @throws LockHeldError
 */
export async function unlock(at: LedgerRemote, target: string, id: string): Promise<LockHolder | null> {
  const holder = await readLock(at, target);
  if (holder === null) return null;
  if (!/^[0-9a-f]{8,}$/.test(id) || !holder.commit.startsWith(id)) throw new LockHeldError(target, holder);
  await remove(at, target, holder.commit);
  return holder;
}

/** Tries to acquire the lock once. Returns null on success, else the holder. Reads the remote where the response of the push is lost. */
async function take(at: LedgerRemote, target: string, commit: string): Promise<LockHolder | null> {
  for (let tries = 1; ; tries++) {
    try {
      await push(at, [{ ref: lockRef(target), was: null, becomes: commit }]);
      return null;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const holder = await looked(readLock(at, target), error);
      if (holder?.commit === commit) return null;
      if (holder !== null) return holder;
      if (!LOST_RACE.test(error.message) || tries === TRIES) throw error;
    }
  }
}

function lockOf(at: LedgerRemote, target: string, commit: string): Lock {
  const ref = lockRef(target);
  return {
    id: idOf(commit),
    held: async () => (await refOf(at, ref)) === commit,
    record: (entry, previous) => pushEntry(at, entry, previous, [{ ref, was: commit, becomes: null }]),
    release: () => remove(at, target, commit),
  };
}

/** Returns the lock, or releases it where the run was interrupted meanwhile. */
async function kept(lock: Lock, signal: AbortSignal): Promise<Lock> {
  if (signal.aborted) await lock.release();
  signal.throwIfAborted();
  return lock;
}

/** Deletes the lock ref if it still points to this commit. */
async function remove(at: LedgerRemote, target: string, commit: string): Promise<void> {
  const ref = lockRef(target);
  try {
    await push(at, [{ ref, was: commit, becomes: null }]);
  } catch (error) {
    if (!(error instanceof GitError) || (await looked(refOf(at, ref), error)) === commit) throw error;
  }
}

/** What a look at the remote gave; where it gives nothing, the fault that made us look says more. */
async function looked<Seen>(look: Promise<Seen>, fault: GitError): Promise<Seen> {
  try {
    return await look;
  } catch (error) {
    throw error instanceof GitError ? fault : error;
  }
}
