/** What a target stands at after an apply, as the entry of it says. */
import type { LedgerEntry } from './entry.ts';
import type { Ledger } from './ledger.ts';

/** The commit of a target after an apply, and whether it stands there wholly. */
export interface Standing {
  /** Null for edits that were not committed. Of an apply that was killed: the commit that it was to apply. */
  readonly commit: string | null;
  /** Why the target stands there in part only, clauses; none where it stands there wholly. */
  readonly inPart: readonly string[];
}

/** Decides whether the apply of an entry was killed: nobody knows what it changed. */
export function isKilled({ fingerprint }: Pick<LedgerEntry, 'fingerprint'>): boolean {
  return fingerprint === null;
}

/** Returns what a target stands at after an entry: wholly, where nothing was left out, failed, was not read back, or is not known. */
export function standingAfter(entry: LedgerEntry): Standing {
  const { config, interrupted = [], verified, summary, pendingSince } = entry;
  if (isKilled(entry)) return { commit: interrupted[0] ?? null, inPart: ['the apply was interrupted'] };
  const { failed, unseen = 0 } = summary;
  const leftOut = Object.keys(pendingSince).length;
  const inPart = [
    interrupted.length > 0 ? 'an apply before was interrupted' : '',
    failed > 0 ? `${failed} failed` : '',
    unseen > 0 ? `${unseen} not seen yet` : '',
    leftOut > failed + unseen ? `${leftOut - failed - unseen} left out` : '',
    verified || failed + unseen > 0 ? '' : 'not read back',
  ];
  return { commit: config.commit, inPart: inPart.filter((clause) => clause !== '') };
}

/** Decides whether a target stands wholly at the commit of an entry. */
export function isWhole(entry: LedgerEntry): boolean {
  return standingAfter(entry).inPart.length === 0;
}

/** Returns the commit at which an address stands after an entry; `uncommitted` for what was not committed, null where it was never applied. */
export function standsAt(
  { config, pendingSince, bindings }: Pick<LedgerEntry, 'config' | 'pendingSince' | 'bindings'>,
  address: string,
): string | 'uncommitted' | null {
  if (!Object.hasOwn(pendingSince, address)) return config.commit ?? 'uncommitted';
  return pendingSince[address] ?? (Object.hasOwn(bindings, address) ? 'uncommitted' : null);
}

/** Returns the commit of the newest apply that had one; null where there is none. @throws GitError, LedgerError */
export async function newestCommit({ history }: Pick<Ledger, 'history'>): Promise<string | null> {
  for await (const { entry } of history()) if (entry.config.commit !== null) return entry.config.commit;
  return null;
}
