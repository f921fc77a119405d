/** Writes an entry: creates its commit, and pushes it as the head of the ledger. */
import { bringCommit } from './commits.ts';
import { type LedgerEntry, writeEntry } from './entry.ts';
import { GitError, singleLine } from './errors.ts';
import { type LedgerRemote, push, type RefChange, refOf } from './remote.ts';
import { writeCommit } from './single-file-commit.ts';

/** Name of the one file of a ledger commit. */
export const ENTRY_FILE = 'entry.json';

/** Returns the ref of the ledger of a target (design section 6). */
export function ledgerRef(target: string): string {
  return `refs/upkeep/${target}`;
}

/**
 * The commit of an entry, not yet pushed: its parents are the entry before, and the configuration's commit, which therefore outlives
 * squashing and garbage collection. Equal entries after the same one give the same commit. @throws GitError
 */
async function entryCommit(at: LedgerRemote, entry: LedgerEntry, previous: string | null): Promise<string> {
  const parents = [previous, entry.config.commit].filter((parent) => parent !== null);
  for (const parent of parents) await bringCommit(at, parent);
  const seconds = Math.floor(Date.parse(entry.at) / 1000);
  return await writeCommit(at.repository, { name: ENTRY_FILE, text: writeEntry(entry), message: messageOf(entry), parents, at: seconds });
}

/**
 * Pushes an entry as the head of the ledger, atomically with other changes of refs, if the head is still the entry before.
 * Reads the remote where the response of the push is lost. @throws GitError
 */
export async function pushEntry(
  at: LedgerRemote,
  entry: LedgerEntry,
  previous: string | null,
  others: readonly RefChange[],
): Promise<string> {
  const commit = await entryCommit(at, entry, previous);
  const ref = ledgerRef(entry.target);
  try {
    await push(at, [{ ref, was: previous, becomes: commit }, ...others]);
  } catch (error) {
    if ((await standsAt(at, ref)) !== commit) throw error;
  }
  return commit;
}

/** What `refOf` gives, or undefined where the remote does not tell: the fault before that says more than this one. */
async function standsAt(at: LedgerRemote, ref: string): Promise<string | null | undefined> {
  try {
    return await refOf(at, ref);
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** What `git log` of the ref shows. */
function messageOf({ target, by, where, tool, config, fingerprint, summary, verified }: LedgerEntry): string {
  const counts = Object.entries(summary).flatMap(([result, count]) => (count > 0 ? [`${count} ${result}`] : []));
  const rows = [
    `${target}: ${counts.join(', ') || 'nothing to do'}`,
    '',
    `By: ${singleLine(by)}`,
    `Where: ${singleLine(where)}`,
    `Configuration: ${config.commit ?? 'no commit'}`,
    `Fingerprint: ${fingerprint}`,
    `Verified: ${verified ? 'yes' : 'no'}`,
    `Tool: upkeep ${singleLine(tool)}`,
  ];
  return `${rows.join('\n')}\n`;
}
