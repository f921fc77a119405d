/** Says of a ledger without an entry which one was seen on this machine, and what sets the ledger back to it. */
import { ledgerRef } from '../../core/ledger/push-entry.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { has } from '../../core/ledger/repository.ts';
import { rememberedEntry } from '../../core/ledger/seen-entry.ts';
import { shellText } from '../../core/model/command-line.ts';
import { formatSecond } from '../../core/model/instant.ts';
import type { EmptyLedger } from '../../core/state/state.ts';

/** Returns the last entry that was seen here, and what sets the ledger back to it; null where none was. @throws LedgerError */
export async function seenEntry(ledger: LedgerRemote, target: string): Promise<EmptyLedger['seen']> {
  const seen = rememberedEntry(ledger, target);
  if (seen === null) return null;
  const { commit, at } = seen;
  const push = shellText(['git', 'push', ledger.remote, `${commit}:${ledgerRef(target)}`]);
  // What a shallow clone or the copy of a ledger repository lacks, it cannot push.
  const isHere = ledger.byAddress === undefined && !ledger.repository.shallow && (await has(ledger.repository, commit));
  const where = isHere ? '' : `, from a full clone of ${ledger.byAddress ? 'the ledger repository' : 'the repository'} that has the entry`;
  return {
    text: `entry ${commit.slice(0, 12)} of ${formatSecond(Date.parse(at))} was seen here: the ledger was lost, or deleted on purpose`,
    restore: `set it back: \`${push}\`${where}`,
  };
}
