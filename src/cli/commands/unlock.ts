import { releaseAbandoned } from '../../app/history/interrupted-apply.ts';
import { toCliError } from '../../app/run/exit-codes.ts';
import { info } from '../../app/run/messages.ts';
import type { NoiseOptions, ProjectOptions } from '../../app/run/options.ts';
import { oneTarget, openProject } from '../../app/run/project.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';

/** Flags of `unlock`. */
export interface UnlockOptions extends ProjectOptions, NoiseOptions {
  readonly id: string;
}

/** Runs `unlock`: releases the lock of a dead run. */
export async function unlockCommand(io: AppContext, options: UnlockOptions): Promise<ExitCode> {
  const session = openProject(io, options);
  const target = oneTarget(session, options.target, 'unlock releases one lock at a time');
  const holder = await releaseAbandoned(session, target, io, options.id).catch(throwCliError);
  info(
    io,
    holder ? `released the lock of ${target.name} that ${holder.by} held since ${holder.since}` : `nobody holds a lock of ${target.name}`,
  );
  return EXIT_CODES.done;
}

function throwCliError(error: unknown): never {
  throw toCliError(error);
}
