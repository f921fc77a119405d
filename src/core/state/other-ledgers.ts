/** What the ledgers of other projects in the same repository bind (design section 3, identity). */
import type { CollectionKind, Kind } from '../kinds/kind.ts';
import { addressByRemoteId, serviceOf } from './bindings.ts';
import { type LedgerState, ownerDigest } from './state.ts';

/** The newest entry of another project, as far as it says what that project has. */
export interface OtherLedger {
  readonly project: string;
  readonly target: string;
  /** Full name of its ref. */
  readonly ref: string;
  /** Scheme and host of the service; null for this machine. */
  readonly baseUrl: string | null;
  /** Digest of the owner that responses named; null where none did. */
  readonly owner: string | null;
  /** Digest of the owner with which requests were signed; null where it is not known. */
  readonly configuredOwner: string | null;
  readonly bindings: LedgerState['bindings'];
  /** The kinds of the settings that it has written. */
  readonly settings: ReadonlySet<string>;
}

/** The ledgers of other projects beside that of the target. */
export interface OtherLedgers {
  readonly readable: readonly OtherLedger[];
  /** The others, and why they cannot be read, a clause. */
  readonly unreadable: readonly { readonly target: string; readonly ref: string; readonly reason: string }[];
  /** The remote that holds them, as it is given to git. */
  readonly remote: string;
}

/** No other ledger: a target without a ledger knows of none. */
export const NO_OTHER_LEDGERS: OtherLedgers = { readable: [], unreadable: [], remote: '' };

/** The account of a target. */
export interface Account {
  /** Scheme and host of the service; null for this machine. */
  readonly service: string | null;
  /** Digest of the owner that responses name; null where none does. */
  readonly owner: string | null;
  /** Digest of the owner with which requests are signed. */
  readonly configuredOwner: string;
}

/** Returns the account at a base URL for requests that are signed with an owner; `owner` is the digest of the one that responses name, or null. */
export function accountOf(baseUrl: string, configuredOwner: string, owner: string | null): Account {
  return { service: serviceOf(baseUrl), owner, configuredOwner: ownerDigest(configuredOwner) };
}

/**
 * Decides whether another ledger is of the same account; `unknown` where the owners cannot be compared.
 *
 *   service | both responses name an owner | signed with       | result
 *   --------+------------------------------+-------------------+----------
 *   other   |                              |                   | `other`
 *   same    | yes, the same                |                   | `same`
 *   same    | yes, another                 |                   | `other`
 *   same    | no                           | the same owner    | `same`
 *   same    | no                           | another, unknown  | `unknown`
 */
export function compareAccounts(
  own: Account,
  other: Pick<OtherLedger, 'baseUrl' | 'owner' | 'configuredOwner'>,
): 'same' | 'other' | 'unknown' {
  if (own.service !== other.baseUrl) return 'other';
  if (own.owner !== null && other.owner !== null) return own.owner === other.owner ? 'same' : 'other';
  return own.configuredOwner === other.configuredOwner ? 'same' : 'unknown';
}

/** A project whose ledger binds an object. */
export interface Holder extends Pick<OtherLedger, 'project' | 'target' | 'ref'> {
  /** The address to which it binds the object. */
  readonly address: string;
  /** Whether it is certain that the ledger is of the same account. */
  readonly isCertain: boolean;
}

/** Finds the project whose ledger binds an object of a kind, or has written a setting; undefined where none does. */
export type FindHolder = (kind: Kind, id: string | null) => Holder | undefined;

/** Returns a function that finds the holder of an object. One of the same account comes before one of which that is not known. */
export function createFindHolder({ readable }: OtherLedgers, own: Account): FindHolder {
  const compared = readable.map((ledger) => ({ ...ledger, account: compareAccounts(own, ledger) }));
  const ledgers = ['same', 'unknown'].flatMap((account) => compared.filter((each) => each.account === account));
  const byKind = new Map<string, ReadonlyMap<string | null, Holder>>();
  const holdersOf = (kind: Kind): ReadonlyMap<string | null, Holder> => {
    const holders = new Map<string | null, Holder>();
    for (const { project, target, ref, account, settings, bindings } of ledgers) {
      const held: Iterable<readonly [string | null, string]> =
        kind.type === 'setting' ? (settings.has(kind.name) ? [[null, kind.name]] : []) : addressByRemoteId(kind, { bindings });
      for (const [id, address] of held)
        if (!holders.has(id)) holders.set(id, { project, target, ref, address, isCertain: account === 'same' });
    }
    byKind.set(kind.name, holders);
    return holders;
  };
  return (kind, id) => (byKind.get(kind.name) ?? holdersOf(kind)).get(id);
}

/**
 * Returns what killed applies created: nothing that another project binds, and nothing at all where the ledger of one cannot be read, since
 * then nobody can tell.
 */
export function withoutHeld(
  kind: CollectionKind,
  created: LedgerState['bindings'],
  others: OtherLedgers,
  own: Account,
): LedgerState['bindings'] {
  if (others.unreadable.length > 0) return new Map();
  const findHolder = createFindHolder(others, own);
  return new Map([...created].filter(([, { id }]) => findHolder(kind, id) === undefined));
}
