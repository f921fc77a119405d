import { type AcceptOptions, acceptTargetDrift, prepareAccept } from '../../app/accept-drift.ts';
import { oneTarget } from '../../app/run/project.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { forEachTarget } from '../../app/targets/for-each-target.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import { diffText } from '../../report/text/text-diff.ts';

/** Runs `drift accept ADDRESS..`: writes live values that were edited by hand into the YAML that declares them. */
export function driftAcceptCommand(io: AppContext, addresses: readonly string[], options: AcceptOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      prepare: (run) => prepareAccept(run, addresses),
      work: (run, prepared) =>
        acceptTargetDrift(run, prepared, addresses, options, (acceptance) => {
          if (options.dryRun && options.format === 'text') run.io.stdout.write(diffText(acceptance.files.map(({ diff }) => diff)));
          else run.reports.add({ type: 'acceptance', acceptance });
        }),
    },
    (session) => [oneTarget(session, options.target, 'drift is accepted from one account at a time')],
  );
}
