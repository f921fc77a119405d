/** The entry point: loads the program. A file of it that cannot be loaded is a fault of this machine, and no reason for a stack trace. */
import '../app/run/node-version.ts';

import('./upkeep.ts').catch((error: unknown) => {
  const isOutOfFiles = error instanceof Error && 'code' in error && error.code === 'EMFILE';
  const hint = isOutOfFiles ? 'allow more open files, for example: ulimit -n 1024' : 'install upkeep again';
  process.stderr.write(`error: upkeep cannot be loaded: ${error instanceof Error ? error.message : String(error)}\nhint: ${hint}\n`);
  process.exitCode = 1;
});
