import type { FieldChange } from '../../core/model/change.ts';
import type { CheckOverride } from '../../core/model/decision.ts';
import type { ChangeOutcome, Outcome } from '../../core/model/outcome.ts';

/** One change of a resource, as the ledger records it: what is not recorded is absent. */
export interface RecordedChange extends ChangeOutcome {
  /** The address that the object had before; absent where it is the same. */
  readonly movedFrom?: string;
  /**
   * The edits by hand that it overwrote: the fields as JSON Pointers, none where it is the object itself. Absent where there are none.
   */
  readonly overwritten?: readonly string[];
}

/** An edit by hand of a resource that was accepted: the configuration declares it, and no apply wrote it. */
export interface AcceptedEdit {
  readonly address: string;
  /** Whether it deleted the object; absent where it changed fields. */
  readonly deleted?: true;
  /** Whether an apply that was killed may have written it; absent where none may. */
  readonly interrupted?: true;
  /** Its fields before and after, without reasons; of a deleted object, those that are not at their defaults. */
  readonly fields: readonly FieldChange[];
}

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
  /** Why the target stood there in part only, clauses; absent where it did wholly. */
  readonly inPart?: readonly string[];
  /** Null for an apply that was killed. */
  readonly fingerprint: string | null;
  /** The overridden safety checks, sorted by name; absent where none was. */
  readonly overrides?: readonly CheckOverride[];
  readonly summary: Outcome['summary'];
  readonly verified: boolean;
  /** The changes of the address of the history, if it has one; none for an apply that was killed. */
  readonly changes?: readonly RecordedChange[];
  /** The edits by hand of the address that its configuration accepted; absent where none is known. */
  readonly accepted?: readonly AcceptedEdit[];
  /** Why the configuration of its commit cannot be read, so that nobody knows what it accepted, a clause; absent where it was read or need not be. */
  readonly unread?: string;
}

/** The document of `history` (design section 5, JSON): newest first. */
export interface History {
  readonly schemaVersion: 1;
  readonly target: string;
  /** The address, or a glob of addresses, whose changes are listed; absent where all applies are. */
  readonly address?: string;
  /** The recorded address that was probably meant, where nothing ever changed this one. */
  readonly near?: string;
  readonly entries: readonly HistoryEntry[];
  /** Whether older applies are left out (`--limit`); absent where none are. */
  readonly more?: true;
}
