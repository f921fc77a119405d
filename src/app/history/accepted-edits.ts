/**
 * Finds the edits by hand that a configuration accepted: two entries of a ledger declare a resource differently, and no apply from one to
 * the other wrote the difference (design section 6, entries).
 */
import { kinds } from '../../core/kinds/index.ts';
import type { DesiredResource, Kind, LiveResource } from '../../core/kinds/kind.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { isKilled } from '../../core/ledger/standing.ts';
import { kindOfAddress } from '../../core/model/address.ts';
import { groupBy } from '../../core/model/collections.ts';
import { isIgnored, valueAtPointer } from '../../core/model/ignored-fields.ts';
import type { ChangeOutcome } from '../../core/model/outcome.ts';
import { diffFields } from '../../core/plan/diff-fields.ts';
import { differencesOf } from '../../core/plan/diff-resources.ts';
import { withLiveValues } from '../../core/plan/ignored-fields.ts';
import { assessChange } from '../../core/state/planned-change.ts';
import { hasRelated } from '../../core/state/three-way.ts';
import type { AcceptedEdit } from '../../report/documents/history.ts';
import { addressesIn, bindingAt } from './resource-history.ts';

/** A resource that two entries declare differently, and what was attempted from one to the other. */
export interface DeclaredTwice {
  readonly kind: Kind;
  /** The remote ID of its object; null for a setting. */
  readonly id: string | null;
  readonly before: DesiredResource;
  /** Null where the later entry declares it no more, and its object is gone. */
  readonly after: DesiredResource | null;
  /** What the later entry, and those between the two, record of it. */
  readonly outcomes: readonly ChangeOutcome[];
  /** When the later entry was recorded, Unix milliseconds. */
  readonly now: number;
}

/** Returns what was edited by hand and accepted: the fields that no apply wrote; null where there are none. */
export function acceptedEdit(declared: DeclaredTwice): Pick<AcceptedEdit, 'fields' | 'deleted'> | null {
  const { kind, id, before, after, outcomes } = declared;
  if (after === null) {
    if (outcomes.some(mayHaveDeleted)) return null;
    const fields = diffFields(before.fields, kind.defaults()).filter((field) => field.before !== null);
    const gone = fields.map(({ path, before: value }) => ({ path, before: value, after: null }));
    const { fields: assessed } = assessChange({ kind, action: 'delete', before: { id, fields: before.fields }, after: null }, gone);
    return { deleted: true, fields: assessed.map(byHand) };
  }
  const written = outcomes.map(pathsWritten);
  const live = asLive(before, id);
  // What a setting does not compare, no apply has made as declared: it stayed as it was.
  const applied = kind.toComparable?.(before, asLive(after, id), declared.now).after ?? before.fields;
  const isApplied = (path: string) => kind.toComparable === undefined || valueAtPointer(applied, path) !== undefined;
  const fields = differencesOf(kind, after, live, declared.now).filter(
    (field) =>
      !isIgnored(before.ignored ?? [], field.path) &&
      isApplied(field.path) &&
      !written.some((paths) => paths === 'all' || hasRelated(paths, field.path)),
  );
  if (fields.length === 0) return null;
  const whole = withLiveValues(kind, after, live);
  const { fields: assessed } = assessChange({ kind, action: 'update', before: { id, fields: before.fields }, after: whole }, fields);
  return { fields: assessed.map(byHand) };
}

/** Decides whether the object may be gone because of an apply. */
function mayHaveDeleted({ result }: ChangeOutcome): boolean {
  return result === 'deleted' || result === 'forgotten' || result === 'failed' || result === 'unseen';
}

/** Returns the fields that an apply wrote, or may have written, as JSON Pointers. */
function pathsWritten({ result, fields, paths }: ChangeOutcome): readonly string[] | 'all' {
  switch (result) {
    case 'skipped':
    case 'unchanged':
    case 'adopted':
    case 'moved':
      return [];
    case 'updated':
    case 'failed':
    case 'unseen':
      return fields?.map(({ path }) => path) ?? paths ?? 'all';
    case 'created':
    case 'deleted':
    case 'forgotten':
      return 'all';
  }
}

/** Returns a field as the ledger records those of a change: without reasons. */
function byHand({ path, before, after, effect }: AcceptedEdit['fields'][number]): AcceptedEdit['fields'][number] {
  return { path, before, after, origin: 'drift', effect };
}

/** Returns what the account held of a resource that was as declared. */
function asLive({ remoteName = '', fields }: DesiredResource, id: string | null): LiveResource {
  if (id === null) return { id, fields, unknownMembers: [] };
  return { id, remoteName, fields, isMatchableByRemoteName: false, configSection: '', unknownMembers: [] };
}

/** What an entry declares. */
export interface Declarations {
  readonly addresses: readonly string[];
  /** Returns a resource as the entry applied it; null where it does not declare it. */
  at(address: string): DesiredResource | null;
}

/** An entry of a ledger, and what is asked of it. */
export interface AskedEntry {
  readonly id: string;
  readonly entry: LedgerEntry;
  readonly before: LedgerEntry | null;
  /** Decides whether an address is one whose changes are asked for. */
  follows(address: string): boolean;
  /** Whether its edits are asked for. If not, it may still tell what a newer one accepted. */
  readonly isListed: boolean;
}

/** An edit that was accepted, and the ID of the entry that recorded it. */
export interface RecordedEdit {
  readonly id: string;
  readonly edit: AcceptedEdit;
}

/** Follows resources through the entries of a ledger, newest first. */
export interface EditTracker {
  /** Decides whether an entry has to tell what it declares. */
  needs(asked: AskedEntry): boolean;
  /** Takes the next entry, with what it declares; null where that is not needed, or not known. Returns the edits that it shows. */
  add(asked: AskedEntry, declared: Declarations | null): readonly RecordedEdit[];
  /** Decides whether an older entry may show that this one accepted an edit. */
  awaits(id: string): boolean;
}

/** A resource as a newer entry declares it, which is compared with the next older entry that says what it declared. */
interface OpenComparison extends Pick<DeclaredTwice, 'after' | 'outcomes' | 'now'> {
  /** ID of the newer entry, and the address there. */
  readonly newer: string;
  readonly address: string;
  /** The address at the entry that is looked at. */
  readonly current: string;
  readonly boundTo: string | undefined;
  readonly isInterrupted: boolean;
}

/**
 * Creates a tracker. An entry does not say what it declares of a resource where it left the resource out, where its commit is not known or
 * cannot be read, and where its apply was killed: the entries around it are compared then, and what it attempted counts as written.
 */
export function trackEdits(): EditTracker {
  let open: readonly OpenComparison[] = [];
  let awaited: ReadonlySet<string> = new Set();
  return {
    needs: (asked) =>
      isKnown(asked.entry) && (open.some(({ current }) => !isLeftOut(asked.entry, current)) || (asked.isListed && mayBegin(asked))),
    add(asked, declared) {
      const looked = lookAt(asked);
      const results = open.map((each) => compare(each, looked, declared));
      open = [...results.flatMap((each) => each.open ?? []), ...begin(looked, declared)];
      awaited = new Set(open.map(({ newer }) => newer));
      return results.flatMap((each) => each.found ?? []);
    },
    awaits: (id) => awaited.has(id),
  };
}

/** Decides whether an entry says by its commit what it declares. */
function isKnown(entry: LedgerEntry): boolean {
  return !isKilled(entry) && entry.config.commit !== null;
}

function isLeftOut({ pendingSince }: LedgerEntry, address: string): boolean {
  return Object.hasOwn(pendingSince, address);
}

/** An entry with its outcomes by address, and what its objects were called before: an account may have very many. */
interface LookedAt extends AskedEntry {
  outcomesAt(address: string): readonly ChangeOutcome[];
  /** Returns the address that the object of an address had at the entry before. */
  addressBefore(address: string): string;
}

function lookAt(asked: AskedEntry): LookedAt {
  const { entry, before } = asked;
  const byAddress = groupBy(entry.outcomes, ({ address }) => address);
  const findBefore = addressesIn(before);
  return {
    ...asked,
    outcomesAt: (address) => byAddress.get(address) ?? [],
    addressBefore(address) {
      const id = bindingAt(entry, address)?.id;
      return (id === undefined ? undefined : findBefore(id, address)) ?? address;
    },
  };
}

/** Compares a resource with what an older entry declares; it stays open where that does not say. */
function compare(
  each: OpenComparison,
  { entry, outcomesAt, addressBefore }: LookedAt,
  declared: Declarations | null,
): { readonly open?: OpenComparison; readonly found?: RecordedEdit } {
  const { newer, address, current, boundTo, after, outcomes, now, isInterrupted } = each;
  // The address has another object there.
  if (bindingAt(entry, current)?.id !== boundTo) return {};
  if (declared === null || !isKnown(entry) || isLeftOut(entry, current)) {
    const attempted = [...outcomes, ...outcomesAt(current)];
    const wasInterrupted = isInterrupted || isKilled(entry);
    return { open: { ...each, current: addressBefore(current), outcomes: attempted, isInterrupted: wasInterrupted } };
  }
  const earlier = declared.at(current);
  const kind = kindOfAddress(kinds, address);
  if (earlier === null || earlier === after || kind === undefined) return {};
  const edit = acceptedEdit({ kind, id: boundTo ?? null, before: earlier, after, outcomes, now });
  return edit === null ? {} : { found: { id: newer, edit: { address, ...edit, ...(isInterrupted ? { interrupted: true } : {}) } } };
}

/** Decides whether an entry may declare what is asked for, or have lost it. */
function mayBegin({ entry, before, follows }: AskedEntry): boolean {
  if (before === null) return false;
  return SETTINGS.some(follows) || Object.keys(entry.bindings).some(follows);
}

const SETTINGS = kinds.flatMap(({ type, name }) => (type === 'setting' ? [name] : []));

/** Begins to compare what an entry declares, and what it has lost. */
function begin(looked: LookedAt, declared: Declarations | null): readonly OpenComparison[] {
  const { id, entry, before, follows, isListed, outcomesAt, addressBefore } = looked;
  if (!isListed || before === null || isKilled(entry)) return [];
  const open = (address: string, after: DesiredResource | null, boundTo: string | undefined): OpenComparison => ({
    ...{ newer: id, address, current: addressBefore(address), boundTo, after },
    ...{ outcomes: outcomesAt(address), now: Date.parse(entry.at), isInterrupted: false },
  });
  const asked = declared === null || !isKnown(entry) ? [] : declared.addresses.filter((address) => follows(address));
  const kept = asked.flatMap((address) => {
    const after = isLeftOut(entry, address) ? null : (declared?.at(address) ?? null);
    return after === null ? [] : [open(address, after, bindingAt(entry, address)?.id)];
  });
  const findHere = addressesIn(entry);
  const unbound = Object.keys(before.bindings).filter((address) => follows(address) && bindingAt(entry, address) === undefined);
  const lost = unbound.flatMap((address) => {
    const was = bindingAt(before, address);
    // An apply deleted it, or it has another address.
    if (was === undefined || was.deleted !== undefined || findHere(was.id, address) !== undefined) return [];
    return isLeftOut(entry, address) ? [] : [open(address, null, was.id)];
  });
  return [...kept, ...lost];
}
