/** Reads the ledgers of other projects beside that of a target. */
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { newestEntries } from '../../core/ledger/ledger.ts';
import { ledgerRef } from '../../core/ledger/push-entry.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import type { OtherLedger, OtherLedgers } from '../../core/state/other-ledgers.ts';

/**
 * Reads the newest entry of each other project whose ledger is in the same repository. An entry that names no project belongs to nobody yet.
 * @throws GitError, LedgerError
 */
export async function readOtherLedgers(
  { remote, projectName }: { readonly remote: LedgerRemote; readonly projectName: string },
  target: string,
  check: (value: unknown) => value is LedgerEntry,
): Promise<OtherLedgers> {
  const found = await newestEntries({ ...remote, check }, target);
  const readable = found.flatMap((each): readonly OtherLedger[] => {
    if (!('entry' in each)) return [];
    const { project, baseUrl = null, owner, configuredOwner = null, bindings, settings } = each.entry;
    if (project === undefined || project === projectName) return [];
    return [
      {
        project,
        target: each.target,
        ref: ledgerRef(each.target),
        baseUrl,
        owner,
        configuredOwner,
        bindings: new Map(Object.entries(bindings)),
        settings: new Set(settings),
      },
    ];
  });
  const unreadable = found.flatMap((each) => ('reason' in each ? [{ ...each, ref: ledgerRef(each.target) }] : []));
  return { readable, unreadable, remote: remote.remote };
}
