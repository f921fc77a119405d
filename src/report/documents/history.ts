import type { CheckOverride } from '../../core/model/change.ts';
import type { Outcome } from '../../core/model/outcome.ts';

/** One apply in the list of `history`. */
export interface HistoryEntry {
  /** Name of the entry's commit in the ledger. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Absent, like `where`, in a document that was read from a file, which proves nothing about its writer. */
  readonly by?: string;
  readonly where?: string;
  /** Version of upkeep. */
  readonly tool: string;
  /** The commit of the configuration; null where the work tree was dirty. */
  readonly commit: string | null;
  /** Null for an apply that was killed. */
  readonly fingerprint: string | null;
  /** The overridden safety checks, sorted by name; absent where none was. */
  readonly overrides?: readonly CheckOverride[];
  readonly summary: Outcome['summary'];
  readonly verified: boolean;
}

/** The document of `history` (design section 5, JSON): newest first. */
export interface History {
  readonly schemaVersion: 1;
  readonly target: string;
  readonly entries: readonly HistoryEntry[];
}
