import { examineTarget } from '../../app/doctor/target.ts';
import type { ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import type { TargetOptions } from '../../app/options.ts';
import { namedTargets } from '../../app/project.ts';
import type { AppContext } from '../../app/runtime.ts';

/** Runs `doctor`: checks whether each target could be planned and applied. It writes nothing and continues after a failed check. */
export function doctorCommand(io: AppContext, options: TargetOptions): Promise<ExitCode> {
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
