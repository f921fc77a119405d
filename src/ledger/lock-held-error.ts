/** The error that names who holds the lock of a target. */
import type { Actor } from './actor.ts';

/** Who holds a lock; what cannot be read of it is `unknown`. */
export interface LockHolder extends Actor {
  /** The beginning of the lock's commit: what `unlock --id` takes. */
  readonly id: string;
  /** Full name of the lock's commit. */
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Somebody else holds the lock. */
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
