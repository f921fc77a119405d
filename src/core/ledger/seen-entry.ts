/** Remembers on this machine the last entry of a ledger that was read or pushed here, so that a lost ledger is noticed (design section 6). */
import { join } from 'node:path';
import { readLocalFile, writeLocalFile } from './local-files.ts';
import type { LedgerRemote } from './remote.ts';

/** Name of the file in the local folder of the target, and its maximum size in bytes. */
const FILE = 'seen';
const MAX_BYTES = 64 * 1024;

/** An entry that was seen. */
export interface SeenEntry {
  /** Full name of its commit. */
  readonly commit: string;
  /** When its apply ended, ISO 8601. */
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
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}

/** Returns the last entry of a ledger that was seen here; null where none was. @throws LedgerError */
export function rememberedEntry(ledger: LedgerRemote, target: string): SeenEntry | null {
  const text = readLocalFile(folderOf(ledger, target), FILE, MAX_BYTES) ?? '';
  const [, commit = '', at = '', remote] = /^([0-9a-f]+) (\S+) (.*)\n$/.exec(text) ?? [];
  const isUsable = commit.length === ledger.repository.nameLength && !Number.isNaN(Date.parse(at));
  return isUsable && remote === ledger.remote ? { commit, at } : null;
}

function folderOf({ repository }: LedgerRemote, target: string): string {
  return join(repository.localFolder, target);
}
