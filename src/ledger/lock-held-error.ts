/** The error that names who holds the lock of a target. */
import type { Actor } from './actor.ts';

/** Who holds a lock; fields that cannot be read are `unknown`. */
export interface LockHolder extends Actor {
  /** ID of the lock for `unlock --id`: the beginning of the hash of its commit. */
  readonly id: string;
  /** Full name of the lock's commit. */
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Another run holds the lock. */
export class LockHeldError extends Error {
  readonly holder: LockHolder;
  readonly hint: string;

  constructor(target: string, holder: LockHolder) {
    const { by, since, where, id } = holder;
    super(`${target} is locked by ${by} since ${since}, from ${where} (lock ${id})`);
    this.name = 'LockHeldError';
    this.holder = holder;
    this.hint = `wait for it (--lock-timeout SECONDS); if that run is dead: upkeep unlock -t ${target} --id ${id}`;
  }
}
