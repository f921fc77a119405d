/** Finds the changes of a resource in the entries of a ledger, and follows it back through its addresses. */
import { kinds } from '../../core/kinds/index.ts';
import type { LedgerEntry, RecordedBinding } from '../../core/ledger/entry.ts';
import { kindOfAddress } from '../../core/model/address.ts';
import { matchesGlob } from '../../core/model/glob.ts';
import type { RecordedChange } from '../../report/documents/history.ts';

/** The changes of an entry, and at which addresses. */
export interface FollowedChanges {
  readonly changes: readonly RecordedChange[];
  /** Decides whether a resource of this address at the entry is one whose changes are asked for. */
  follows(address: string): boolean;
}

/** Returns the changes of an entry, given the entry before it. It is called for each entry, newest first. */
export type ChangesOf = (entry: LedgerEntry, before: LedgerEntry | null) => FollowedChanges;

/** Returns the address to which an entry binds the object of another address; undefined where there is none. */
type FindAddress = (id: string, address: string) => string | undefined;

/** Returns the function that finds the changes of an address, which it follows back, or of all addresses that a glob matches. */
export function changesOf(asked: string): ChangesOf {
  if (!asked.includes('*')) return followBack(asked);
  const follows = (address: string) => matchesGlob(asked, address);
  return (entry, before) => ({
    changes: changesIn(entry, addressesIn(before)).filter(({ address, movedFrom = address }) => [address, movedFrom].some(follows)),
    follows,
  });
}

/**
 * Follows an object by the remote ID that the entries bind: from its address to the one before a move, and from the apply that adopted it to
 * the one that forgot it at another address. An address that had several objects in turn has the changes of all of them.
 */
function followBack(asked: string): ChangesOf {
  let address = asked;
  let adopted: string | undefined;
  return (entry, before) => {
    const current = address;
    const findBefore = addressesIn(before);
    const bound = bindingAt(entry, current);
    const id = bound?.id ?? adopted;
    const earlier = id === undefined ? undefined : findBefore(id, current);
    address = earlier ?? current;
    const isBoundBefore = earlier !== undefined || bindingAt(before, current) !== undefined;
    adopted = isBoundBefore || bound?.origin === 'created' ? undefined : id;
    const changes = changesIn(entry, findBefore);
    const own = changes.filter((change) => change.address === current || (bound === undefined && change.address === earlier));
    // Where two objects exchange their addresses, only one of them is followed.
    const left = address === current ? changes.filter(({ movedFrom }) => movedFrom === current) : [];
    return { changes: [...own, ...left], follows: (each) => each === current };
  };
}

/** Lists the changes of an entry that its apply attempted, with what else it records of them. */
function changesIn(entry: LedgerEntry, findBefore: FindAddress): readonly RecordedChange[] {
  const { outcomes, overwritten = {} } = entry;
  return outcomes.flatMap((outcome): readonly RecordedChange[] => {
    const { address, result } = outcome;
    if (result === 'skipped' || result === 'unchanged') return [];
    const id = result === 'created' ? undefined : bindingAt(entry, address)?.id;
    const from = id === undefined ? undefined : findBefore(id, address);
    const edits = Object.hasOwn(overwritten, address) ? overwritten[address] : undefined;
    const moved = from === undefined || from === address ? {} : { movedFrom: from };
    return [{ ...outcome, ...moved, ...(edits === undefined ? {} : { overwritten: edits }) }];
  });
}

/** Returns what an entry binds to an address; undefined where there is nothing. */
export function bindingAt(entry: LedgerEntry | null, address: string): RecordedBinding | undefined {
  return entry !== null && Object.hasOwn(entry.bindings, address) ? entry.bindings[address] : undefined;
}

/** Returns the function that finds addresses in the bindings of an entry. Only IDs of one kind are compared. */
export function addressesIn(entry: LedgerEntry | null): FindAddress {
  const keyOf = (id: string, address: string) => JSON.stringify([kindOfAddress(kinds, address)?.name, id]);
  let byId: ReadonlyMap<string, string> | undefined;
  return (id, address) => {
    // Nearly every object keeps its address, so that most entries need no index.
    if (bindingAt(entry, address)?.id === id) return address;
    byId ??= new Map(Object.entries(entry?.bindings ?? {}).map(([each, binding]) => [keyOf(binding.id, each), each]));
    return byId.get(keyOf(id, address));
  };
}
