/** Remembers on this machine the last entry of a ledger that was read or pushed here, so that a lost ledger is noticed. */
import { join } from 'node:path';
import { readLocalFile, writeLocalFile } from '../../core/ledger/local-files.ts';
import { ledgerRef } from '../../core/ledger/push-entry.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { has } from '../../core/ledger/repository.ts';
import { shellText } from '../../core/model/command-line.ts';
import { formatSecond } from '../../core/model/instant.ts';
import type { EmptyLedger } from '../../core/state/state.ts';
import { isSystemError } from '../run/exit-codes.ts';

/** Name of the file in the local folder of the target, and its maximum size in bytes. */
const FILE = 'seen';
const MAX_BYTES = 64 * 1024;

/** An entry that was seen: the full name of its commit, and when its apply ended, ISO 8601. */
interface SeenEntry {
  readonly commit: string;
  readonly at: string;
}

/** Remembers an entry. Where this machine takes no file, nothing is remembered. @throws LedgerError for a file of somebody else in its place */
export function rememberEntry(ledger: LedgerRemote, target: string, { commit, at }: SeenEntry): void {
  const text = `${commit} ${at} ${ledger.remote}\n`;
  const folder = folderOf(ledger, target);
  if (readLocalFile(folder, FILE, MAX_BYTES) === text) return;
  try {
    writeLocalFile(folder, FILE, text);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** Returns the last entry of a ledger that was seen here, and what sets the ledger back to it; null where none was. @throws LedgerError */
export async function seenEntry(ledger: LedgerRemote, target: string): Promise<EmptyLedger['seen']> {
  const seen = parse(readLocalFile(folderOf(ledger, target), FILE, MAX_BYTES) ?? '', ledger);
  if (seen === null) return null;
  const { commit, at } = seen;
  const push = shellText(['git', 'push', ledger.remote, `${commit}:${ledgerRef(target)}`]);
  // What a shallow clone or the copy of a ledger repository lacks, it cannot push.
  const isHere = ledger.byAddress === undefined && !ledger.repository.shallow && (await has(ledger.repository, commit));
  return {
    text: `entry ${commit.slice(0, 12)} of ${formatSecond(Date.parse(at))} was seen here: the ledger was lost, or deleted on purpose`,
    restore: `set it back: \`${push}\`${isHere ? '' : `, from a full clone of ${ledger.byAddress ? 'the ledger repository' : 'the repository'} that has the entry`}`,
  };
}

function folderOf({ repository }: LedgerRemote, target: string): string {
  return join(repository.localFolder, target);
}

/** Returns the entry that a file remembers of this ledger; null where it remembers none. */
function parse(text: string, { remote, repository }: LedgerRemote): SeenEntry | null {
  const [, commit = '', at = '', ledger] = /^([0-9a-f]+) (\S+) (.*)\n$/.exec(text) ?? [];
  return commit.length === repository.nameLength && ledger === remote && !Number.isNaN(Date.parse(at)) ? { commit, at } : null;
}
