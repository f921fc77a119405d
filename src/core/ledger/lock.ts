/** The lock of a target: a ref of the remote that only one run can create (design section 6, lock). */
import { randomUUID } from 'node:crypto';
import { isObject } from '../model/json.ts';
import { asString } from '../model/json-readers.ts';
import type { Actor } from './actor.ts';
import { isFullName } from './commits.ts';
import type { LedgerEntry } from './entry.ts';
import { GitError, type LockedConfiguration, LockHeldError, type LockHolder, singleLine } from './errors.ts';
import { pushEntry } from './push-entry.ts';
import { fetchRef, type LedgerRemote, push, refOf } from './remote.ts';
import { readCommit, writeCommit } from './single-file-commit.ts';

/** A lock that this run holds. */
export interface Lock {
  readonly id: string;
  /** Asks the remote whether this run still holds the lock; without it, writes are not protected. @throws GitError */
  held(): Promise<boolean>;
  /** Pushes the entry to the ledger and releases the lock, atomically; returns the entry's commit. @throws GitError */
  pushEntry(entry: LedgerEntry, previous: string | null): Promise<string>;
  /** Releases the lock, unless this run no longer holds it. @throws GitError */
  release(): Promise<void>;
}

/** Input of `acquire`. */
export interface LockRequest extends LedgerRemote {
  readonly target: string;
  readonly project: string;
  /** `--project` of this run, for the command that unlocks. */
  readonly projectOption?: string | undefined;
  readonly holder: Actor;
  /** What the run applies; null where it has no commit, or applies nothing. */
  readonly configuration: LockedConfiguration | null;
  /** Maximum seconds to wait for another holder; 0 = do not wait. */
  readonly timeoutSeconds: number;
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back, by which the time to wait is counted. */
  elapsed(): number;
  /** Resolves after the given milliseconds, or earlier when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
}

/** Milliseconds between two checks of a lock that another run holds: doubled each time, up to the maximum. */
const POLL_MS = { first: 1_000, longest: 15_000 };

/** Number of retries of a push that lost against a run whose lock was already released when it was read. */
const ATTEMPTS = 5;

/** Messages of git for a ref that differs from the expected value, or that is being written. */
const LOST_RACE = /stale info|lock ref|already exists|failed to update ref|incorrect old value/;

/**
 * Acquires the lock of a target, and waits for it up to the requested time.
 * @throws LockHeldError; GitError; the signal's reason when it is aborted
 */
export async function acquire(request: LockRequest): Promise<Lock> {
  const { target, projectOption, elapsed, sleep, signal, timeoutSeconds } = request;
  const commit = await lockCommit(request);
  const until = elapsed() + timeoutSeconds * 1000;
  for (let pause = POLL_MS.first; ; pause = Math.min(2 * pause, POLL_MS.longest)) {
    signal.throwIfAborted();
    const other = await tryAcquire(request, target, commit);
    if (other === null) return await unlessAborted(lockOf(request, target, commit), signal);
    const left = until - elapsed();
    if (left <= 0) throw new LockHeldError(target, other, projectOption);
    await sleep(Math.min(pause, left), signal);
  }
}

/**
 * Releases an abandoned lock if its ID starts with `id` (8 characters or more); returns null where nobody holds it. `record` returns the entry
 * of the killed apply, which is pushed with the release, and the entry before it; null to record nothing. @throws LockHeldError
 */
export async function unlock(
  at: LedgerRemote,
  target: string,
  id: string,
  {
    projectOption,
    record = async () => null,
  }: {
    readonly projectOption?: string | undefined;
    readonly record?: (holder: LockHolder) => Promise<{ readonly entry: LedgerEntry; readonly previous: string | null } | null>;
  } = {},
): Promise<LockHolder | null> {
  const holder = await readLock(at, target);
  if (holder === null) return null;
  if (id.length < 8 || !holder.commit.startsWith(id)) throw new LockHeldError(target, holder, projectOption);
  const recorded = await record(holder);
  if (recorded === null) await remove(at, target, holder.commit);
  else await pushEntry(at, recorded.entry, recorded.previous, [{ ref: lockRef(target), was: holder.commit, becomes: null }]);
  return holder;
}

/** Tries to acquire the lock once. Returns null on success, else the holder. Reads the remote where the response of the push is lost. */
async function tryAcquire(at: LedgerRemote, target: string, commit: string): Promise<LockHolder | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      await push(at, [{ ref: lockRef(target), was: null, becomes: commit }]);
      return null;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const holder = await readAfter(readLock(at, target), error);
      if (holder?.commit === commit) return null;
      if (holder !== null) return holder;
      if (!LOST_RACE.test(error.message) || attempt === ATTEMPTS) throw error;
    }
  }
}

function lockOf(at: LedgerRemote, target: string, commit: string): Lock {
  const ref = lockRef(target);
  return {
    id: lockIdOf(commit),
    held: async () => (await refOf(at, ref)) === commit,
    pushEntry: (entry, previous) => pushEntry(at, entry, previous, [{ ref, was: commit, becomes: null }]),
    release: () => remove(at, target, commit),
  };
}

/** Returns the lock, or releases it where the run was interrupted meanwhile. */
async function unlessAborted(lock: Lock, signal: AbortSignal): Promise<Lock> {
  if (signal.aborted) await lock.release();
  signal.throwIfAborted();
  return lock;
}

async function remove(at: LedgerRemote, target: string, commit: string): Promise<void> {
  const ref = lockRef(target);
  try {
    await push(at, [{ ref, was: commit, becomes: null }]);
  } catch (error) {
    if (!(error instanceof GitError) || (await readAfter(refOf(at, ref), error)) === commit) throw error;
  }
}

/** Returns the result of a read after a failed push. Where the read fails, too, throws the error of the push, which says more. */
async function readAfter<Result>(read: Promise<Result>, pushError: GitError): Promise<Result> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof GitError ? pushError : error;
  }
}

const LOCK_FILE = 'lock.json';
const MAX_LOCK_BYTES = 64 * 1024;

/** Decides whether a text is a digest of a configuration. */
function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Returns the ref that is the lock of a target (design section 6, lock). */
export function lockRef(target: string): string {
  return `refs/upkeep/locks/${target}`;
}

/** Returns the ID of a lock: the first 12 characters of the hash of its commit. */
function lockIdOf(commit: string): string {
  return commit.slice(0, 12);
}

/**
 * Creates the commit of a new lock. Every commit is unique, or two runs could both believe that their push created the lock.
 */
async function lockCommit({ repository, target, project, holder: { by, where }, configuration, now: clock }: LockRequest): Promise<string> {
  const now = clock();
  const since = new Date(now).toISOString();
  const lock = { schemaVersion: 1, target, project, by, since, where, ...(configuration ? { configuration } : {}), nonce: randomUUID() };
  const text = `${JSON.stringify(lock, null, 2)}\n`;
  const message = `Lock of ${target}, held by ${singleLine(by)}\n`;
  // A snapshot is in no other commit of the ledger repository yet.
  const parents = configuration?.snapshot ? [configuration.snapshot] : [];
  return await writeCommit(repository, { name: LOCK_FILE, text, message, parents, at: Math.floor(now / 1000) });
}

/** Reads who holds the lock of a target; null where nobody does. @throws GitError */
export async function readLock(at: LedgerRemote, target: string): Promise<LockHolder | null> {
  const commit = await fetchRef(at, lockRef(target), false);
  if (commit === null) return null;
  const file = await readCommit(at.repository, commit, LOCK_FILE, MAX_LOCK_BYTES);
  const text = file?.text ?? null;
  const lock = text === null ? {} : fieldsOf(text);
  const field = (member: string): string => singleLine(asString(lock[member]) ?? '') || 'unknown';
  return {
    id: lockIdOf(commit),
    commit,
    by: field('by'),
    since: field('since'),
    where: field('where'),
    project: asString(lock.project) || null,
    configuration: configurationIn(lock),
  };
}

function configurationIn({ configuration }: { readonly [member: string]: unknown }): LockedConfiguration | null {
  if (!isObject(configuration)) return null;
  const commit = asString(configuration.commit) ?? '';
  const digest = asString(configuration.digest) ?? '';
  const snapshot = asString(configuration.snapshot) ?? null;
  if (!isFullName(commit) || !isDigest(digest) || (snapshot !== null && !isFullName(snapshot))) return null;
  return { commit, digest, snapshot };
}

/** Parses a lock file. An unreadable lock file still counts as a lock; its fields are then `unknown`. */
function fieldsOf(text: string): { readonly [member: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
