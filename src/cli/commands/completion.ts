import type { AppContext } from '../../app/run/runtime.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import type { Shell } from '../flags.ts';

/** Runs `completion SHELL`: prints the script that completes commands, flags, targets and addresses. */
export async function completionCommand(io: AppContext, shell: Shell): Promise<ExitCode> {
  io.stdout.write(SCRIPTS[shell]);
  return EXIT_CODES.done;
}
