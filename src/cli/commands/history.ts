import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import { type OpenLedger, requireLedger } from '../../app/load-state.ts';
import type { TargetOptions } from '../../app/options.ts';
import type { CliContext } from '../../app/runtime.ts';
import type { Target } from '../../config/project.ts';
import type { Recorded } from '../../ledger/ledger.ts';
import type { HistoryEntry } from '../../model/history.ts';

/** Runs `history`: lists the applies of a target, newest first, or shows the outcome of one. */
export function history(commandIo: CliContext, id: string | undefined, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(commandIo, options, {
    prepare: ({ session, target, io }) => openedFor(target, () => requireLedger(session, target, io)),
    async work({ target, reports }, { ledger }) {
      if (id !== undefined) {
        const { entry } = await found(ledger, target, id);
        const { fingerprint, outcomes, summary, verified } = entry;
        reports.add({ type: 'outcome', outcome: { schemaVersion: 1, target: target.name, fingerprint, outcomes, summary, verified } });
        return [];
      }
      const entries: HistoryEntry[] = [];
      for await (const recorded of ledger.history()) entries.push(lineOf(recorded));
      reports.add({ type: 'history', history: { schemaVersion: 1, target: target.name, entries } });
      return [];
    },
  });
}

/** An entry of a target's ledger. @throws CliError where there is none of that ID */
export async function found(ledger: OpenLedger['ledger'], target: Target, id: string): Promise<Recorded> {
  const recorded = await ledger.find(id);
  if (recorded) return recorded;
  throw new CliError(
    EXIT_CODES.invalid,
    'no-entry',
    `the ledger of ${target.name} has no entry ${id}`,
    'see `upkeep history`; seven characters of the ID are enough',
  );
}

/** Opens a ledger, or says that the target keeps none. @throws CliError */
export async function openedFor(target: Target, open: () => Promise<OpenLedger>): Promise<OpenLedger> {
  if (target.ledger === 'git') return open();
  throw new CliError(EXIT_CODES.invalid, 'no-ledger', `${target.name} keeps no ledger`, 'set `ledger: git` for the target in upkeep.yaml');
}

function lineOf({ commit, entry }: Recorded): HistoryEntry {
  const { at, by, where, tool, config, fingerprint, summary, verified } = entry;
  return { id: commit, at, by, where, tool, commit: config.commit, fingerprint, summary, verified };
}
