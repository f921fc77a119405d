/** The lock of a target for the time of an apply (design section 6). */
import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from '../config/project.ts';
import { actorOf } from '../ledger/actor.ts';
import { GitError } from '../ledger/errors.ts';
import { acquire, type Lock } from '../ledger/lock.ts';
import { CliError, EXIT_CODES, interrupted } from './exit-codes.ts';
import type { OpenLedger } from './load-state.ts';
import { info, reportError } from './output.ts';
import type { CliContext } from './runtime.ts';

/** A lock that is held, and the signal that is aborted when it is lost or the user interrupts. */
export interface HeldLock {
  readonly lock: Lock;
  readonly signal: AbortSignal;
  /** A reason to begin nothing more, or null. */
  isStillHeld(): Promise<string | null>;
  /** Whether it was lost on the way. */
  lost(): boolean;
  /** Does what gives the lock back together with the record; that it is gone meanwhile is no loss. Where that fails it is still held. */
  release(push: () => Promise<unknown>): Promise<void>;
}

/** How often a held lock is looked at, milliseconds. */
const WATCH = 10_000;

/** Holds the target's lock while `work` runs, and gives it back whatever happens. @throws LockHeld, GitError */
export async function withLock<Result>(
  { at }: OpenLedger,
  target: Target,
  io: CliContext,
  timeoutSeconds: number,
  work: (heldLock: HeldLock) => Promise<Result>,
): Promise<Result> {
  let waiting = false;
  const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (!waiting) info(io, `another run holds the lock of ${target.name}; waiting for it, ${timeoutSeconds} s at most`);
    waiting = true;
    await wait(milliseconds, undefined, { signal }).catch(() => undefined);
  };
  const request = { ...at, target: target.name, holder: actorOf(io.env), timeoutSeconds, now: io.now, sleep, signal: io.signal };
  const lock = await acquire(request).catch((error: unknown) => {
    throw io.signal.aborted && !(error instanceof GitError) ? interrupted() : error;
  });
  const lost = new AbortController();
  let handing = false;
  let released = false;
  const mayGoOn = async (): Promise<string | null> => {
    if (!(await stillHeld(lock)) && !handing) lost.abort();
    return lost.signal.aborted ? 'the lock was taken away or cannot be seen any more' : null;
  };
  const watch = setInterval(() => void mayGoOn(), WATCH);
  watch.unref();
  try {
    return await work({
      lock,
      signal: AbortSignal.any([io.signal, lost.signal]),
      isStillHeld: mayGoOn,
      lost: () => lost.signal.aborted,
      async release(push) {
        handing = true;
        await push();
        released = true;
      },
    });
  } finally {
    clearInterval(watch);
    if (!released) await giveBack(lock, target, io);
  }
}

/** A lock that cannot be seen is not known to be held: what is written without it is written without protection. */
async function stillHeld(lock: Lock): Promise<boolean> {
  try {
    return await lock.held();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return false;
  }
}

async function giveBack(lock: Lock, target: Target, io: CliContext): Promise<void> {
  try {
    await lock.release();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    reportError(
      io,
      `the lock of ${target.name} could not be given back: ${error.message}`,
      `upkeep unlock -t ${target.name} --id ${lock.id}`,
    );
  }
}

/** What stops an apply whose lock was lost. */
export function lockLost(target: Target): CliError {
  return new CliError(EXIT_CODES.locked, 'lock-lost', `the lock of ${target.name} was lost`, 'see who holds it now, and run again');
}
