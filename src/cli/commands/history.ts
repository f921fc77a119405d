import type { Target } from '../../engine/desired/configuration.ts';
import type { Recorded } from '../../ledger/ledger.ts';
import type { HistoryEntry } from '../../model/history.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import { type LedgerOf, ledgerOf } from '../memory.ts';
import type { TargetOptions } from '../options.ts';
import { forEachTarget } from './for-each-target.ts';

/** `history`: the applies of a target, newest first, or the outcome of one. */
export function history(commandIo: Io, id: string | undefined, options: TargetOptions): Promise<Exit> {
  return forEachTarget(commandIo, options, {
    prepare: ({ session, target, io }) => openedFor(target, () => ledgerOf(session, target, io)),
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

/** An entry of a target's ledger. @throws Stop where there is none of that ID */
export async function found(ledger: LedgerOf['ledger'], target: Target, id: string): Promise<Recorded> {
  const recorded = await ledger.find(id);
  if (recorded) return recorded;
  throw new Stop(
    EXIT.invalid,
    'no-entry',
    `the ledger of ${target.name} has no entry ${id}`,
    'see `upkeep history`; seven characters of the ID are enough',
  );
}

/** Opens a ledger, or says that the target keeps none. @throws Stop */
export async function openedFor(target: Target, open: () => Promise<LedgerOf>): Promise<LedgerOf> {
  if (target.ledger === 'git') return open();
  throw new Stop(EXIT.invalid, 'no-ledger', `${target.name} keeps no ledger`, 'set `ledger: git` for the target in upkeep.yaml');
}

function lineOf({ commit, entry }: Recorded): HistoryEntry {
  const { at, by, where, tool, config, fingerprint, summary, verified } = entry;
  return { id: commit, at, by, where, tool, commit: config.commit, fingerprint, summary, verified };
}
