/** The lock of a target: a ref of the remote that only one run can create (design section 6). */
import type { Actor } from './actor.ts';
import type { LedgerEntry } from './entry.ts';
import { GitError } from './errors.ts';
import { LockHeldError, type LockHolder } from './lock-held-error.ts';
import { idOf, lockCommit, lockRef, readLock } from './lock-info.ts';
import { pushEntry } from './push-entry.ts';
import { type LedgerRemote, push, refOf } from './remote.ts';

/** A lock that we took. */
export interface Lock {
  readonly id: string;
  /** Whether it is still ours, as the remote sees it: what is written after a no is written without protection. @throws GitError */
  held(): Promise<boolean>;
  /** Makes the entry the head of the ledger and releases the lock, both or neither; gives the entry's commit. @throws GitError */
  record(entry: LedgerEntry, previous: string | null): Promise<string>;
  /** Gives the lock back; nothing happens where it is no longer ours. @throws GitError */
  release(): Promise<void>;
}

/** What it takes to take a lock. */
export interface LockRequest extends LedgerRemote {
  readonly target: string;
  readonly holder: Actor;
  /** How long to wait for another holder; 0 = not at all. */
  readonly timeoutSeconds: number;
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds, or earlier once the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
}

/** Between two looks at a lock that somebody else holds, milliseconds: doubled each time up to the longest. */
const PAUSE = { first: 1_000, longest: 15_000 };

/** How often a push is tried again that lost against a run which was then already gone. */
const TRIES = 5;

/** What git says when a ref is not what the push expected, or is being written right now. */
const LOST_RACE = /stale info|lock ref|already exists|failed to update ref|incorrect old value/;

/** Takes the lock of a target, waiting for it as long as asked. @throws LockHeld; GitError; the signal's reason when it is aborted */
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

/** Releases a lock that somebody left behind, if it has this ID (8 characters or more of it); null where nobody holds it. @throws LockHeld */
export async function unlock(at: LedgerRemote, target: string, id: string): Promise<LockHolder | null> {
  const holder = await readLock(at, target);
  if (holder === null) return null;
  if (!/^[0-9a-f]{8,}$/.test(id) || !holder.commit.startsWith(id)) throw new LockHeldError(target, holder);
  await remove(at, target, holder.commit);
  return holder;
}

/** One attempt: null when the lock is ours, else who has it. An answer that was lost is settled by looking. */
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

/** A run that was interrupted while it took the lock gives it back. */
async function kept(lock: Lock, signal: AbortSignal): Promise<Lock> {
  if (signal.aborted) await lock.release();
  signal.throwIfAborted();
  return lock;
}

/** Deletes the lock if it still stands at this commit. */
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
