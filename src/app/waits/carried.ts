/** What a target has carried, as its ledger says. */
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { EntryCommit, Ledger } from '../../core/ledger/ledger.ts';

/** One apply, as far as it says what the target carried. */
export interface CarriedApply {
  /** Unix milliseconds. */
  readonly at: number;
  readonly commit: string | null;
  /** Digest of what the target declared (`declarationDigest`); null where it is not known. */
  readonly declared: string | null;
  /** Whether it applied everything, and read it back. */
  readonly isWhole: boolean;
}

/** The applies of a target. All members throw GitError and LedgerError. */
export interface CarriedApplies {
  /** Reads the newest entry; null before the first apply. */
  newest(): Promise<LedgerEntry | null>;
  /** Iterates the applies, newest first. Each entry is read once, and only when it is needed. */
  all(): AsyncGenerator<CarriedApply, void, undefined>;
}

/** Opens the applies that a ledger holds. */
export function carriedApplies(ledger: Pick<Ledger, 'history'>): CarriedApplies {
  const seen: CarriedApply[] = [];
  let newest: LedgerEntry | null = null;
  let unread: AsyncGenerator<EntryCommit, void, undefined> | null = null;
  const readNext = async (): Promise<boolean> => {
    unread ??= ledger.history();
    const next = await unread.next();
    if (next.done) return false;
    newest ??= next.value.entry;
    seen.push(carriedIn(next.value.entry));
    return true;
  };
  return {
    async newest() {
      if (newest === null) await readNext();
      return newest;
    },
    async *all() {
      for (let index = 0; ; index += 1) {
        if (index === seen.length && !(await readNext())) return;
        const apply = seen[index];
        if (apply !== undefined) yield apply;
      }
    },
  };
}

function carriedIn(entry: LedgerEntry): CarriedApply {
  const { at, config } = entry;
  return { at: Date.parse(at), commit: config.commit, declared: config.declared ?? null, isWhole: isWhole(entry) };
}

/** Decides whether after an apply the target stands at one commit: nothing was left out, failed, was not read back, or is not known. */
export function isWhole({ fingerprint, verified, summary, pendingSince, interrupted = [] }: LedgerEntry): boolean {
  const isComplete = fingerprint !== null && interrupted.length === 0 && Object.keys(pendingSince).length === 0;
  return isComplete && verified && summary.failed === 0 && (summary.unseen ?? 0) === 0;
}
