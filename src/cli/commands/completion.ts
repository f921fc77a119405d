import { EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import type { Shell } from '../../app/options.ts';
import type { CliContext } from '../../app/runtime.ts';
import { SCRIPTS } from '../completion/scripts.ts';

/** Runs `completion SHELL`: prints the script that completes commands, flags, targets and addresses. */
export async function completion(io: CliContext, shell: Shell): Promise<ExitCode> {
  io.stdout.write(SCRIPTS[shell]);
  return EXIT_CODES.done;
}
