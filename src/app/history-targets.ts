import type { ExitCode } from './exit-codes.ts';
import { forEachTarget } from './for-each-target.ts';
import { listApplies, openHistory, recordedOutcome } from './ledger-history.ts';
import type { TargetOptions } from './options.ts';
import type { AppContext } from './runtime.ts';

/** Lists the applies of the chosen targets, newest first; with the ID of an entry, reports the outcome of that apply. */
export function historyTargets(io: AppContext, id: string | undefined, options: TargetOptions): Promise<ExitCode> {
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
