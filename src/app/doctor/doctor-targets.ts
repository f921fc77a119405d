import type { ExitCode } from '../exit-codes.ts';
import { forEachTarget } from '../for-each-target.ts';
import type { TargetOptions } from '../options.ts';
import { namedTargets } from '../project.ts';
import type { AppContext } from '../runtime.ts';
import { examineTarget } from './target.ts';

/** Checks whether each target could be planned and applied, all by default. It writes nothing and continues after a failed check. */
export function doctorTargets(io: AppContext, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      prepare: async () => null,
      async work({ session, target, io: targetIo, reports }) {
        const results = await examineTarget(session, target, targetIo, options);
        const healthy = results.every(({ state }) => state !== 'failed');
        const checks = results.map(({ exit: _exit, ...check }) => check);
        reports.add({ type: 'diagnosis', diagnosis: { schemaVersion: 1, target: target.name, healthy, checks } });
        return results.flatMap(({ exit }) => exit ?? []);
      },
    },
    (session) => namedTargets(session, options.target),
  );
}
