import { unlock } from '../../ledger/lock.ts';
import { remoteOf } from '../configuration.ts';
import { EXIT, type Exit, stopOf } from '../exit.ts';
import type { Io } from '../io.ts';
import type { NoiseOptions, ProjectOptions } from '../options.ts';
import { remark } from '../output.ts';
import { oneTarget, openSession } from '../session.ts';

/** Flags of `unlock`. */
export interface UnlockOptions extends ProjectOptions, NoiseOptions {
  readonly id: string;
}

/** `unlock`: releases a lock that a run left behind. */
export async function unlockCommand(io: Io, options: UnlockOptions): Promise<Exit> {
  const session = openSession(io, options);
  const target = oneTarget(session, options.target, 'unlock releases one lock at a time');
  const at = await remoteOf(session, target, io).catch(rethrown);
  const holder = await unlock(at, target.name, options.id).catch(rethrown);
  remark(
    io,
    holder ? `released the lock of ${target.name} that ${holder.by} held since ${holder.since}` : `nobody holds a lock of ${target.name}`,
  );
  return EXIT.done;
}

function rethrown(error: unknown): never {
  throw stopOf(error);
}
