import { listApplies, openHistory, outcomeOfEntry } from './history/ledger-history.ts';
import type { ExitCode } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import type { AppContext } from './run/runtime.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Lists the applies of the chosen targets, newest first; with the ID of an entry, reports the outcome of that apply. */
export function historyTargets(io: AppContext, id: string | undefined, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(io, options, {
    prepare: openHistory,
    async work({ target, reports }, ledger) {
      if (id === undefined)
        reports.add({ type: 'history', history: { schemaVersion: 1, target: target.name, entries: await listApplies(ledger) } });
      else reports.add({ type: 'outcome', outcome: await outcomeOfEntry(ledger, target, id) });
      return [];
    },
  });
}
