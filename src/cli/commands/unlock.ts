import { remoteOf } from '../../app/desired-state.ts';
import { EXIT_CODES, type ExitCode, toCliError } from '../../app/exit-codes.ts';
import type { NoiseOptions, ProjectOptions } from '../../app/options.ts';
import { info } from '../../app/output.ts';
import { oneTarget, openProject } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import { unlock } from '../../ledger/lock.ts';

/** Flags of `unlock`. */
export interface UnlockOptions extends ProjectOptions, NoiseOptions {
  readonly id: string;
}

/** Runs `unlock`: releases a lock that a run left behind. */
export async function unlockCommand(io: CliContext, options: UnlockOptions): Promise<ExitCode> {
  const session = openProject(io, options);
  const target = oneTarget(session, options.target, 'unlock releases one lock at a time');
  const at = await remoteOf(session, target, io).catch(rethrown);
  const holder = await unlock(at, target.name, options.id).catch(rethrown);
  info(
    io,
    holder ? `released the lock of ${target.name} that ${holder.by} held since ${holder.since}` : `nobody holds a lock of ${target.name}`,
  );
  return EXIT_CODES.done;
}

function rethrown(error: unknown): never {
  throw toCliError(error);
}
