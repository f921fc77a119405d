import type { ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import { listApplies, openHistory, recordedOutcome } from '../../app/ledger-history.ts';
import type { TargetOptions } from '../../app/options.ts';
import type { AppContext } from '../../app/runtime.ts';

/** Runs `history [ENTRY]`: lists the applies of a target, newest first, or shows the outcome of one. */
export function historyCommand(io: AppContext, id: string | undefined, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(io, options, {
    prepare: openHistory,
    async work({ target, reports }, ledger) {
      if (id === undefined)
        reports.add({ type: 'history', history: { schemaVersion: 1, target: target.name, entries: await listApplies(ledger) } });
      else reports.add({ type: 'outcome', outcome: await recordedOutcome(ledger, target, id) });
      return [];
    },
  });
}
