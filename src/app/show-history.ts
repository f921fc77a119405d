import { kinds } from '../core/kinds/index.ts';
import { kindOfAddress } from '../core/model/address.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { declarationReader } from './history/entry-declarations.ts';
import { type HistoryFilters, listApplies, openHistory, outcomeOfEntry } from './history/ledger-history.ts';
import { CliError } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import type { AppContext } from './run/runtime.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Options of a history. */
export type HistoryOptions = TargetOptions & Omit<HistoryFilters, 'address'>;

/**
 * Lists the applies of the chosen targets, newest first. With an address or a glob, lists those that changed such resources, and what they
 * changed; with the ID of an entry, reports the outcome of that apply.
 */
export async function historyTargets(io: AppContext, what: string | undefined, options: HistoryOptions): Promise<ExitCode> {
  const { actor, check, since, limit } = options;
  const filters = { actor, check, since, limit };
  const id = what === undefined || isAddress(what) ? undefined : what;
  if (id !== undefined && Object.values(filters).some((value) => value !== undefined)) {
    const summary = 'a flag chooses among applies, and an ID names one of them';
    throw new CliError(
      EXIT_CODES.invalid,
      'usage',
      summary,
      'leave out the flag or the ID; an address has a slash, or is the name of a setting',
    );
  }
  return forEachTarget(io, options, {
    prepare: openHistory,
    async work({ session, target, io: own, reports }, ledger) {
      if (id !== undefined) reports.add({ type: 'outcome', outcome: await outcomeOfEntry(ledger, target, id) });
      else {
        const applies = await listApplies(ledger, { address: what, ...filters }, declarationReader(session, target, own));
        reports.add({ type: 'history', history: { schemaVersion: 1, target: target.name, ...applies } });
      }
      return [];
    },
  });
}

/** Decides whether an argument is an address or a glob of addresses, and no ID, which has hexadecimal digits only. */
function isAddress(what: string): boolean {
  return /[/*]/.test(what) || kindOfAddress(kinds, what) !== undefined;
}
