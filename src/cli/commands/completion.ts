import { SCRIPTS } from '../completing/scripts.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Shell } from '../options.ts';

/** `completion SHELL`: the script that teaches a shell to complete commands, flags, targets and addresses. */
export async function completion(io: Io, shell: Shell): Promise<Exit> {
  io.stdout.write(SCRIPTS[shell]);
  return EXIT.done;
}
