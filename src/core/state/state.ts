/** The state that the ledger records of a target (design sections 3 and 6). */
import { createHash } from 'node:crypto';
import type { DesiredResource } from '../kinds/kind.ts';

/** The live object to which an address is bound. */
export interface StateBinding {
  readonly id: string;
  /** Whether upkeep created the object, or adopted it. Not to be confused with the `Origin` of a difference. */
  readonly origin: 'created' | 'adopted';
}

/** The state of a target after its last apply. Without a ledger there is none. */
export interface LedgerState {
  readonly bindings: ReadonlyMap<string, StateBinding>;
  /** Remote IDs of objects that `removed` made the ledger forget. They are never deleted. */
  readonly forgotten: ReadonlySet<string>;
  /** Digest of the account's owner at the last apply (`ownerDigest`); null where no response named one. */
  readonly ownerDigest: string | null;
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
