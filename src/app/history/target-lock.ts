/** The lock of a target for the time of an apply (design section 6, lock). */

import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from '../../core/config/project.ts';
import { actorOf } from '../../core/ledger/actor.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { acquire, type Lock, type LockRequest } from '../../core/ledger/lock.ts';
import { shellText, unlockCommand } from '../../core/model/command-line.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError, interrupted } from '../run/exit-codes.ts';
import { info, reportError } from '../run/messages.ts';
import type { AppContext } from '../run/runtime.ts';
import type { OpenLedger } from './load-state.ts';

/** A held lock and a signal that is aborted when the lock is lost or the user interrupts. */
export interface HeldLock {
  readonly lock: Lock;
  readonly signal: AbortSignal;
  /** Checks the lock. Returns why no further request may be started, or null while it is held. */
  whyLost(): Promise<string | null>;
  /** Checks the lock if the last check began more than two seconds ago. A lock that is lost aborts `signal`. */
  beforeWrite(): Promise<void>;
  /** Returns whether the lock was lost during the work. */
  lost(): boolean;
  /**
   * Runs `push`, which records the apply and releases the lock atomically; the lock does not count as lost meanwhile. If it fails the lock
   * is still held.
   */
  release(push: () => Promise<unknown>): Promise<void>;
}

/** Interval at which a held lock is checked, milliseconds. */
export const LOCK_CHECK_INTERVAL_MS = 10_000;

/** How long a check of the lock is believed before a write, milliseconds: less than it takes a person to see a paused run and unlock. */
export const LOCK_CHECK_VALID_MS = 2_000;

/**
 * Acquires the target's lock, runs `work` and always releases the lock. `configuration` is what the run applies; null where it has no commit,
 * or applies nothing. @throws LockHeldError, GitError
 */
export async function withLock<Result>(
  { remote, projectName, projectOption }: OpenLedger,
  target: Target,
  io: AppContext,
  { timeoutSeconds, configuration }: Pick<LockRequest, 'timeoutSeconds' | 'configuration'>,
  work: (heldLock: HeldLock) => Promise<Result>,
): Promise<Result> {
  let isWaiting = false;
  const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (!isWaiting) io.telemetry?.emit('lock waited for');
    if (!isWaiting) info(io, `another run holds the lock of ${target.name}; waiting for it, ${timeoutSeconds} s at most`);
    isWaiting = true;
    await wait(milliseconds, undefined, { signal }).catch(() => undefined);
  };
  const { now, elapsed, signal } = io;
  const request = {
    ...remote,
    target: target.name,
    project: projectName,
    projectOption,
    holder: actorOf(io.env),
    timeoutSeconds,
    configuration,
    now,
    elapsed,
    sleep,
    signal,
  };
  const lock = await acquire(request).catch((error: unknown) => {
    throw io.signal.aborted && !(error instanceof GitError) ? interrupted() : error;
  });
  io.telemetry?.emit('lock taken', { lock: lock.id });
  const lost = new AbortController();
  lost.signal.addEventListener('abort', () => io.telemetry?.emit('lock lost', { lock: lock.id }));
  let isReleasing = false;
  let isReleased = false;
  const whyLost = async (): Promise<string | null> => {
    if (!(await isHeldOnRemote(lock)) && !isReleasing) lost.abort();
    return lost.signal.aborted ? 'the lock was lost or can no longer be read' : null;
  };
  const checks = createLockChecks(whyLost, elapsed);
  const unlocking = shellText(unlockCommand({ project: projectOption }, target.name, lock.id));
  const forget = io.onImmediateExit?.(() => (isReleased ? null : `the lock of ${target.name} stays; release it with: ${unlocking}`));
  const timer = setInterval(() => void checks.check(), LOCK_CHECK_INTERVAL_MS);
  timer.unref();
  try {
    return await work({
      lock,
      signal: AbortSignal.any([io.signal, lost.signal]),
      whyLost: checks.check,
      beforeWrite: checks.checkIfOld,
      lost: () => lost.signal.aborted,
      async release(push) {
        isReleasing = true;
        await push();
        isReleased = true;
        io.telemetry?.emit('lock released', { lock: lock.id });
      },
    });
  } finally {
    clearInterval(timer);
    if (!isReleased) await releaseLock(lock, target, io, projectOption);
    forget?.();
  }
}

/** Checks of a lock. Checks at the same time are one. */
interface LockChecks {
  check(): Promise<string | null>;
  checkIfOld(): Promise<void>;
}

/**
 * Creates the checks of a lock. A process may stand still for hours, within a check as well, so a check counts from its beginning. One that
 * took longer than that is repeated once: the remote may be slow.
 */
function createLockChecks(whyLost: () => Promise<string | null>, elapsed: () => number): LockChecks {
  let lastAt = elapsed();
  let running: Promise<string | null> | null = null;
  const isOld = (): boolean => elapsed() - lastAt > LOCK_CHECK_VALID_MS;
  const start = async (): Promise<string | null> => {
    const beganAt = elapsed();
    try {
      return await whyLost();
    } finally {
      lastAt = beganAt;
      running = null;
    }
  };
  const check = (): Promise<string | null> => {
    running ??= start();
    return running;
  };
  return {
    check,
    async checkIfOld() {
      for (let time = 1; time <= 2 && isOld(); time++) await check();
    },
  };
}

/** Checks the lock on the remote. A lock that cannot be read counts as lost, since writing without it is unprotected. */
async function isHeldOnRemote(lock: Lock): Promise<boolean> {
  try {
    return await lock.held();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return false;
  }
}

async function releaseLock(lock: Lock, target: Target, io: AppContext, project: string | undefined): Promise<void> {
  try {
    await lock.release();
    io.telemetry?.emit('lock released', { lock: lock.id });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    reportError(
      io,
      `the lock of ${target.name} could not be released: ${error.message}`,
      shellText(unlockCommand({ project }, target.name, lock.id)),
    );
  }
}

/** Creates the error of an apply whose lock was lost. */
export function lockLost(target: Target): CliError {
  return new CliError(EXIT_CODES.locked, 'lock-lost', `the lock of ${target.name} was lost`, 'see who holds it now, and run again');
}
