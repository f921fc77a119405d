/** The state that the ledger records of a target (design sections 3 and 6). */
import { createHash } from 'node:crypto';
import type { DesiredResource } from '../kinds/kind.ts';

/** The live object to which an address is bound. */
export interface StateBinding {
  readonly id: string;
  /**
   * How the object came (not to be confused with the `Origin` of a difference). `created`: upkeep created it. `adopted`: it was taken over on
   * purpose, by its ID or before its section was managed completely. `recognized`: it was there later, and equal to its declaration.
   */
  readonly origin: 'created' | 'adopted' | 'recognized';
  /** Of an object that the service has not shown yet: when its create was answered, ISO 8601. */
  readonly unseen?: string;
  /** Of an object that the service still showed after its delete: when that was answered, ISO 8601. */
  readonly deleted?: string;
}

/** A create that was sent, and whose object the service has not shown yet. */
export interface SentCreate {
  /** The remote ID of the response; null where it was lost. */
  readonly id: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** The state of a target after its last apply. Without a ledger there is none. */
export interface LedgerState {
  readonly bindings: ReadonlyMap<string, StateBinding>;
  /** Remote IDs of objects that `removed` made the ledger forget. They are never deleted. */
  readonly forgotten: ReadonlySet<string>;
  /** Digest of the account's owner at the last apply (`ownerDigest`); null where no response named one. */
  readonly ownerDigest: string | null;
  /** Scheme and host of the service at the last apply; null where that is unknown, or this machine. */
  readonly baseUrl: string | null;
  /** The settings that this target has written, and declares: their kinds. */
  readonly settings: ReadonlySet<string>;
  /** The sections of which an apply has left nothing out: since then, an object that it does not bind is somebody else's. */
  readonly managedSections: ReadonlySet<string>;
}

/** A ledger without an entry: it begins, or it was lost. */
export interface EmptyLedger {
  /** The last entry that was seen here, and what sets the ledger back to it, clauses; null where none was. */
  readonly seen: { readonly text: string; readonly restore: string } | null;
}

/** What was desired when each address was last applied. */
export interface LastApplied {
  /** The resources by address; an absent address was not declared. */
  readonly resources: ReadonlyMap<string, DesiredResource>;
  /** Addresses whose last applied resource is not known. */
  readonly unknownAddresses: ReadonlySet<string>;
}

/** Returns the digest by which the ledger records the owner of the account. */
export function ownerDigest(owner: string): string {
  return `sha256:${createHash('sha256').update(owner).digest('hex')}`;
}
