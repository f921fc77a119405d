/** Reads the history of a target from its ledger: its applies, and the configuration before one of them. */
import type { Target } from '../config/project.ts';
import type { Recorded } from '../ledger/ledger.ts';
import type { HistoryEntry } from '../model/history.ts';
import type { Outcome } from '../model/outcome.ts';
import { CliError, EXIT_CODES } from './exit-codes.ts';
import { type OpenLedger, requireLedger } from './load-state.ts';
import type { TargetRun } from './target-run.ts';

/** Opens the ledger of a target. @throws CliError if the target has none, GitError */
export async function openHistory({ session, target, io }: TargetRun): Promise<OpenLedger> {
  if (target.ledger === 'git') return requireLedger(session, target, io);
  throw new CliError(EXIT_CODES.invalid, 'no-ledger', `${target.name} keeps no ledger`, 'set `ledger: git` for the target in upkeep.yaml');
}

/** Lists the applies of a ledger, newest first. @throws GitError, LedgerError */
export async function listApplies({ ledger }: OpenLedger): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const { commit, entry } of ledger.history()) {
    const { at, by, where, tool, config, fingerprint, overrides, summary, verified } = entry;
    const overridden = overrides === undefined ? {} : { overrides };
    entries.push({ id: commit, at, by, where, tool, commit: config.commit, fingerprint, ...overridden, summary, verified });
  }
  return entries;
}

/** Returns the outcome of an apply by the ID of its entry, or the beginning of the ID. @throws CliError if there is none, GitError */
export async function recordedOutcome(ledger: OpenLedger, target: Target, id: string): Promise<Outcome> {
  const { fingerprint, overrides, outcomes, summary, verified } = (await findEntry(ledger, target, id)).entry;
  const overridden = overrides === undefined ? {} : { overrides };
  return { schemaVersion: 1, target: target.name, fingerprint, ...overridden, outcomes, summary, verified };
}

/**
 * Returns the commit of the configuration before an apply; `id` is that of its entry, undefined is the last apply. @throws CliError if
 * there is no such commit, GitError, LedgerError
 */
export async function commitBefore(run: TargetRun, id: string | undefined): Promise<string> {
  const { target } = run;
  const openLedger = await openHistory(run);
  const recorded = id === undefined ? await openLedger.ledger.latest() : await findEntry(openLedger, target, id);
  if (!recorded) throw new CliError(EXIT_CODES.invalid, 'no-entry', `the ledger of ${target.name} is empty`, 'there is nothing to undo');
  const before = recorded.previous === null ? null : await openLedger.ledger.find(recorded.previous);
  const commit = before?.entry.config.commit ?? null;
  if (commit !== null) return commit;
  const reason = before ? 'was made from a work tree that was not committed' : 'does not exist';
  throw new CliError(
    EXIT_CODES.invalid,
    'no-commit',
    `the apply before ${recorded.commit.slice(0, 12)} ${reason}`,
    'name another entry, or plan the commit that you want with --ref',
  );
}

async function findEntry({ ledger }: OpenLedger, target: Target, id: string): Promise<Recorded> {
  const recorded = await ledger.find(id);
  if (recorded) return recorded;
  throw new CliError(
    EXIT_CODES.invalid,
    'no-entry',
    `the ledger of ${target.name} has no entry ${id}`,
    'see `upkeep history`; seven characters of the ID are enough',
  );
}
