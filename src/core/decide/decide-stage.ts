/**
 * Decides whether a configuration may go on to a later target (design section 15): whether an earlier target has carried it, and whether the
 * later one took it back itself. Both are functions of data. They say what they need as long as it is missing; who fetches it decides
 * nothing.
 */
import { firstOf } from '../model/collections.ts';
import { writeDuration } from '../model/duration.ts';
import { compareStrings } from '../model/finding.ts';
import { valueAtPointer } from '../model/ignored-fields.ts';
import { formatSecond } from '../model/instant.ts';
import { equal, type Json, type JsonObject } from '../model/json.ts';
import { differingPaths, hasRelated } from '../state/three-way.ts';

/** What a configuration declares. */
export interface Declared {
  /** The fields of its resources, by address, and its sections, by key. */
  readonly values: ReadonlyMap<string, JsonObject>;
  /** What the object of an address is known by: former addresses, names and IDs. Two addresses that share one mean the same object. */
  readonly knownBy: ReadonlyMap<string, readonly string[]>;
}

/** A configuration that declares nothing. */
export const NOTHING_DECLARED: Declared = { values: new Map(), knownBy: new Map() };

/** What an entry wrote at an address. */
export interface Write {
  /** Whether it failed or was not seen, so that nobody knows what is there. */
  readonly isOpen: boolean;
  /** Values by JSON Pointer into the fields, undefined where only the path is known; null where that is not known either. */
  readonly values: ReadonlyMap<string, Json | undefined> | null;
}

/** What a target stands at after an entry. */
export interface Stands {
  /** Without the addresses that are not known. */
  readonly declared: Declared;
  /** The addresses of which nobody knows it, and why, a clause; null for none. */
  readonly unknown: { readonly addresses: ReadonlySet<string> | 'all'; readonly why: string } | null;
}

/** An entry of the ledger of a target, as far as it says what the target stood at. */
export interface StageEntry {
  /** Unix milliseconds. */
  readonly at: number;
  /** The commit that was applied, also by an apply that was killed; null where there is none. */
  readonly commit: string | null;
  /** Digest of what the target declared (`declarationDigest`); null where it is not known. */
  readonly digest: string | null;
  /** Whether it left nothing out, had no failure, and read everything back. */
  readonly isWhole: boolean;
  readonly isKilled: boolean;
  /** Whether an apply was killed since the last one that read everything. */
  readonly isInterrupted: boolean;
  /** The addresses that it left out, with the commit at which each stands; null where there is none. */
  readonly leftOut: ReadonlyMap<string, string | null>;
  /** By address, what it wrote, or tried to write. It counts where `stands` does not say what is there. */
  readonly writes: ReadonlyMap<string, Write>;
  /** Null as long as it is not loaded. */
  readonly stands: Stands | null;
}

/** The entries of a target, newest first, as far as they are read. */
export interface StageHistory {
  readonly entries: readonly StageEntry[];
  /** Whether there are no older ones. */
  readonly isAll: boolean;
}

/**
 * What a decision needs: older entries; what the target stood at after the entries at these places; which commits a commit contains; or the
 * configuration to be applied.
 */
export type Need =
  | { readonly older: true }
  | { readonly stands: readonly number[] }
  | { readonly containedIn: string }
  | { readonly next: true };

/** Why a configuration waits. */
interface StageHold {
  /** A clause without its subject, which is the target. */
  readonly reason: string;
  /** When it is over without anybody doing anything, ISO 8601 in UTC; null where it is not, or nobody knows. */
  readonly until: string | null;
}

/** What holds a configuration back, null for nothing; or what is needed to tell. */
export type StageAnswer = { readonly hold: StageHold | null } | { readonly needs: Need };

/** Which commits each commit contains, itself among them, of those that decisions ask about. */
export type Contained = ReadonlyMap<string, ReadonlySet<string>>;

/** What decides whether an earlier target has carried a configuration. */
export interface StageFacts {
  /** What the earlier target declares in it. */
  readonly next: Declared;
  /** Digest of that. */
  readonly digest: string;
  /** Its commit; null where it is none, as with edits that are not committed. */
  readonly commit: string | null;
  /** What the later target stands at, as the earlier one declares it, and the commit of its newest entry. */
  readonly later: Stands & { readonly commit: string | null };
  readonly history: StageHistory;
  readonly contained: Contained;
  readonly soakMs: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Decides whether an earlier target has carried a configuration: a whole entry of it stood for the soak, which is over, and no entry within
 * that time was killed, or put another value at a path at which the configuration differs from what the later target stands at; and its
 * newest entry has not gone back to a value of the later target (design section 15, rules 5 and 6).
 */
export function decideStage(given: StageFacts): StageAnswer {
  const { later } = given;
  const next = withAddressesOf(given.next, later.declared);
  const facts = { ...given, next, history: historyWithAddressesOf(given.history, [later.declared, next]) };
  const differing = differences(facts.next, facts.later);
  const carried = decideCarried(facts, differing);
  return carried === 'carried' ? decideChangedBack(facts, differing) : carried;
}

/**
 * Returns the addresses that another configuration has for the same objects, by the address in this one, where the two differ. An object is
 * the same where both configurations know it by one text, its address among them (design section 15, rule 14).
 */
function addressesIn(other: Declared, { values, knownBy }: Declared): ReadonlyMap<string, string> {
  const added = [...values.keys()].filter((address) => !other.values.has(address));
  const gone = added.length === 0 ? [] : [...other.values.keys()].filter((address) => !values.has(address));
  const byText = new Map<string, string>();
  for (const address of gone) for (const text of [address, ...(other.knownBy.get(address) ?? [])]) byText.set(text, address);
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const address of added) {
    const texts = [address, ...(knownBy.get(address) ?? [])];
    const same = texts.flatMap((text) => byText.get(text) ?? []).find((each) => !taken.has(each));
    if (same === undefined) continue;
    taken.add(same);
    found.set(address, same);
  }
  return found;
}

function renamed<Value>(all: ReadonlyMap<string, Value>, addresses: ReadonlyMap<string, string>): ReadonlyMap<string, Value> {
  return new Map([...all].map(([address, value]) => [addresses.get(address) ?? address, value]));
}

/** Returns a configuration in which each object has the address that another configuration has for it. */
function withAddressesOf(declared: Declared, other: Declared): Declared {
  const addresses = addressesIn(other, declared);
  if (addresses.size === 0) return declared;
  return { values: renamed(declared.values, addresses), knownBy: renamed(declared.knownBy, addresses) };
}

/** Returns a history in which each object has the address that the first of some configurations has for it which knows it. */
function historyWithAddressesOf({ entries, isAll }: StageHistory, others: readonly Declared[]): StageHistory {
  const entryWith = (entry: StageEntry, other: Declared): StageEntry => {
    const { stands, writes, leftOut } = entry;
    const addresses = stands && addressesIn(other, stands.declared);
    if (!stands || !addresses || addresses.size === 0) return entry;
    const { unknown } = stands;
    const unknownThere =
      unknown === null || unknown.addresses === 'all'
        ? unknown
        : { ...unknown, addresses: new Set([...unknown.addresses].map((address) => addresses.get(address) ?? address)) };
    return {
      ...entry,
      stands: { declared: withAddressesOf(stands.declared, other), unknown: unknownThere },
      writes: renamed(writes, addresses),
      leftOut: renamed(leftOut, addresses),
    };
  };
  return { entries: entries.map((entry) => others.reduce(entryWith, entry)), isAll };
}

/** By address, JSON Pointers into a version of it (`versionOf`): the empty one is all of it. Null = every path of every address. */
type Paths = ReadonlyMap<string, readonly string[]> | null;

const WHOLE = '';

/** An entry that ended the time for which a configuration stood. */
interface Break {
  readonly entry: StageEntry;
  /** What it put there; null where it was killed. */
  readonly paths: ReadonlyMap<string, readonly string[]> | null;
}

/** Looks for an entry after which a configuration stood for as long as it has to. */
function decideCarried(facts: StageFacts, differing: Paths): StageAnswer | 'carried' {
  const { history, soakMs, now } = facts;
  const unjudged = new EntriesByTime();
  const toLoad: number[] = [];
  let hasPart = false;
  let firstBreak: Break | null = null;
  let replaced: { readonly since: number; readonly brokenBy: Break } | null = null;
  let since: number | null = null;
  let judged = 0;
  let waiting = 0;
  for (const [index, entry] of history.entries.entries()) {
    if (!isSame(entry, facts) || entry.isKilled) {
      unjudged.add(index, entry);
      hasPart ||= isSame(entry, facts);
      continue;
    }
    if (!entry.isWhole) {
      hasPart = true;
      continue;
    }
    const end = entry.at + soakMs;
    const missing = toLoad.length;
    for (const newer of unjudged.takeUntil(end)) {
      const found = breakOf(newer.entry, facts, differing);
      if (found === 'not loaded') toLoad.push(newer.index);
      else if (found !== null && (firstBreak === null || found.entry.at < firstBreak.entry.at)) firstBreak = found;
    }
    if (toLoad.length > missing) waiting += 1;
    else judged += 1;
    if (toLoad.length > 0) {
      // As many at once as could be judged so far: the entries are not looked through once for each.
      if (waiting > judged) return { needs: { stands: toLoad } };
      continue;
    }
    if (firstBreak !== null && firstBreak.entry.at <= end) replaced ??= { since: entry.at, brokenBy: firstBreak };
    else if (end <= now) return 'carried';
    else since = Math.min(since ?? entry.at, entry.at);
  }
  if (toLoad.length > 0) return { needs: { stands: toLoad } };
  if (!history.isAll) return { needs: { older: true } };
  if (since !== null) {
    // The end of that second: a run at the time that people read waits no longer.
    const until = new Date(Math.ceil((since + soakMs) / SECOND_MS) * SECOND_MS).toISOString();
    return held(`carries this configuration since ${formatSecond(since)}, and has to for ${writeDuration(soakMs)}`, until);
  }
  if (replaced !== null) return held(brokenText(replaced, facts));
  const part = 'has applied this configuration only in part, or did not read it back';
  return held(hasPart ? part : 'has not carried this configuration yet');
}

/** Entries, the newest first, from which those up to a time are taken. Each is taken once. */
class EntriesByTime {
  readonly #entries: { readonly index: number; readonly entry: StageEntry; readonly earliest: number }[] = [];

  add(index: number, entry: StageEntry): void {
    // Clocks go backwards: a newer entry may have an earlier time.
    this.#entries.push({ index, entry, earliest: Math.min(entry.at, this.#entries.at(-1)?.earliest ?? entry.at) });
  }

  /** Takes entries until all that are left were made after a time, Unix milliseconds. */
  *takeUntil(time: number): Generator<{ readonly index: number; readonly entry: StageEntry }> {
    for (let last = this.#entries.at(-1); last !== undefined && last.earliest <= time; last = this.#entries.at(-1)) {
      this.#entries.pop();
      yield last;
    }
  }
}

function isSame({ digest, commit }: StageEntry, facts: StageFacts): boolean {
  return digest === facts.digest || (commit !== null && commit === facts.commit);
}

/** Returns how an entry ends the time for which a configuration stands; null where it does not. */
function breakOf(entry: StageEntry, { next }: StageFacts, differing: Paths): Break | null | 'not loaded' {
  if (entry.isKilled) return { entry, paths: null };
  if (entry.stands === null) return 'not loaded';
  const paths = otherValues(next, entry.stands, entry.writes, differing);
  return paths.size === 0 ? null : { entry, paths };
}

/** Says which entry ended the time for which a configuration stood, and after how long. */
function brokenText({ since, brokenBy }: { readonly since: number; readonly brokenBy: Break }, { later }: StageFacts): string {
  const { entry, paths } = brokenBy;
  const after = timeText(Math.max(entry.at - since, 0));
  if (paths === null) return `was interrupted ${after} after it had applied this configuration`;
  const isBack =
    later.unknown === null && entry.stands !== null && otherValues(later.declared, entry.stands, entry.writes, paths).size === 0;
  return `has ${isBack ? 'changed back' : 'corrected'} ${named(paths)} after ${after}`;
}

/** Decides whether an earlier target went back to what the later one has: a value that both have, and the configuration has another one. */
function decideChangedBack(facts: StageFacts, differing: Paths): StageAnswer {
  const { next, later, history, contained } = facts;
  const [newest] = history.entries;
  if (newest === undefined || (newest.isWhole && isSame(newest, facts))) return { hold: null };
  const cannotTell = (why: string) => held(`may have changed something back, which nobody can tell: ${why}`);
  if (newest.isInterrupted) return cannotTell('its last apply was interrupted');
  if (newest.stands === null) return { needs: { stands: [0] } };
  const back = new Map<string, readonly string[]>();
  for (const { unknown } of [newest.stands, later]) {
    if (unknown !== null && (unknown.addresses === 'all' || differing === null || hasAny(unknown.addresses, differing)))
      return cannotTell(unknown.why);
  }
  for (const [address, paths] of differing ?? []) {
    const moved = differingPaths(versionOf(later.declared, address), versionOf(newest.stands.declared, address));
    const changed = differingPaths(versionOf(later.declared, address), versionOf(next, address));
    const left = changed.filter((path) => hasRelated(paths, path) && !hasRelated(moved, path));
    if (left.length > 0) back.set(address, left);
  }
  if (back.size === 0) return { hold: null };
  if (later.commit !== null && facts.commit !== null) {
    const inLater = contained.get(later.commit);
    if (inLater === undefined) return { needs: { containedIn: later.commit } };
    // It is the later target that would go back.
    if (inLater.has(facts.commit)) return held(`has the newer value of ${named(back)}`);
  }
  return held(`has changed back ${named(back)}`);
}

function hasAny(addresses: ReadonlySet<string>, paths: ReadonlyMap<string, unknown>): boolean {
  for (const address of addresses) if (paths.has(address)) return true;
  return false;
}

/** How many of its newest entries are looked through for what a target took back. */
export const MAX_OWN_ENTRIES = 50;

/** What decides whether a target took back itself what a configuration would bring. */
export interface TakenBackFacts {
  /** What the target declares in it; null as long as it is not loaded. */
  readonly next: Declared | null;
  /** The entries of the same target. */
  readonly history: StageHistory;
  readonly contained: Contained;
}

/**
 * Decides whether a configuration brings a value that its target took back: the target stood at it, stands at another one, and nothing that
 * contains the commit at which it stood there last has been applied to that path since (design section 15, rule 11). The newest
 * `MAX_OWN_ENTRIES` entries are looked at.
 */
export function decideTakenBack({ next, history, contained }: TakenBackFacts): StageAnswer {
  if (history.entries.length < MAX_OWN_ENTRIES && !history.isAll) return { needs: { older: true } };
  const all = [...history.entries.slice(0, MAX_OWN_ENTRIES).keys()];
  const ended = all.filter((place) => history.entries[place]?.isKilled !== true);
  // A killed apply may have taken something back, and proves nothing of what it was to bring.
  for (const places of ended.length < all.length ? [ended, all] : [all]) {
    const entries = places.flatMap((place) => history.entries[place] ?? []);
    const decision = decideTakenBackBy(entries, next, contained);
    if ('needs' in decision) return { needs: inHistory(decision.needs, places) };
    if (decision.hold !== null) return decision;
  }
  return { hold: null };
}

/** Returns a need of some entries of a history, which are at these places of it, as one of the history. */
function inHistory(needs: Need, places: readonly number[]): Need {
  return 'stands' in needs ? { stands: needs.stands.flatMap((place) => places[place] ?? []) } : needs;
}

function decideTakenBackBy(all: readonly StageEntry[], given: Declared | null, contained: Contained): StageAnswer {
  const upToLine = untilLine(all, contained);
  if ('needs' in upToLine) return upToLine;
  const [newestGiven] = upToLine.entries;
  if (newestGiven === undefined || upToLine.entries.length === 1) return { hold: null };
  if (given === null) return { needs: { next: true } };
  if (newestGiven.stands === null) return { needs: { stands: [0] } };
  const standsAt = newestGiven.stands.declared;
  const next = withAddressesOf(given, standsAt);
  const { entries } = historyWithAddressesOf({ entries: upToLine.entries, isAll: true }, [standsAt, next]);
  const newest = { ...newestGiven, stands: newestGiven.stands };
  const { unknown } = newest.stands;
  if (unknown !== null && unknown.addresses !== 'all' && hasAny(unknown.addresses, next.values))
    return held(`may have changed something back, which nobody can tell: ${unknown.why}`);
  const taken = new Map<string, readonly string[]>();
  for (const [address, paths] of otherValues(next, newest.stands, newest.writes, null)) {
    const left = takenAt({ address, paths, next }, entries, contained);
    if ('needs' in left) return left;
    if (left.paths.length > 0) taken.set(address, left.paths);
  }
  return taken.size === 0 ? { hold: null } : held(`has changed back ${named(taken)}`);
}

/** Paths of an address, and the configuration whose values are meant. */
interface AskedPaths {
  readonly address: string;
  readonly paths: readonly string[];
  readonly next: Declared;
}

/** Returns the paths of an address whose values a target took back. */
function takenAt(
  of: AskedPaths,
  entries: readonly StageEntry[],
  contained: Contained,
): { readonly paths: readonly string[] } | { readonly needs: Need } {
  const { address } = of;
  const since = new Set<string>();
  // The places of entries from whose commits the branch went on.
  const passed: number[] = [];
  const taken = new Set<string>();
  for (const [place, entry] of entries.entries()) {
    const commit = entry.leftOut.has(address) ? (entry.leftOut.get(address) ?? null) : entry.commit;
    const tried = entry.writes.get(address)?.isOpen ? entry.commit : null;
    if (place > 0 && commit !== null) {
      const unknown = [...since].find((each) => !contained.has(each));
      if (unknown !== undefined) return { needs: { containedIn: unknown } };
      if ([...since].some((each) => contained.get(each)?.has(commit))) passed.push(place);
      else if (entry.stands === null) return { needs: { stands: [place] } };
      else {
        const stood = pathsStoodAt(entry.stands, of);
        // It may have stood at the same value again, and have gone on from there.
        const missing = stood.length === 0 ? [] : passed.filter((each) => entries[each]?.stands === null);
        if (missing.length > 0) return { needs: { stands: missing } };
        const again = stood.length === 0 ? [] : passed.flatMap((each) => pathsStoodAt(entries[each]?.stands ?? null, of));
        for (const path of stood) if (!again.includes(path)) taken.add(path);
      }
    }
    // What a failed write left is not known: the newest entry may stand at neither.
    for (const each of place === 0 && tried !== null ? [tried] : [commit, tried]) if (each !== null) since.add(each);
  }
  return { paths: [...taken] };
}

/** Returns the paths of an address at which a target stood at what a configuration declares. */
function pathsStoodAt(stands: Stands | null, { address, paths, next }: AskedPaths): readonly string[] {
  if (stands === null || isUnknown(stands, address)) return [];
  const others = otherDeclared(versionOf(next, address), stands, address);
  return paths.filter((path) => !hasRelated(others, path));
}

/**
 * Returns the entries up to the first one that was applied wholly from a commit that contains all of those before: of what these brought,
 * nothing was taken back since.
 */
function untilLine(
  entries: readonly StageEntry[],
  contained: Contained,
): { readonly entries: readonly StageEntry[] } | { readonly needs: Need } {
  for (const [index, { commit, leftOut }] of entries.entries()) {
    if (commit === null || leftOut.size > 0) continue;
    const inside = contained.get(commit);
    if (inside === undefined) return { needs: { containedIn: commit } };
    if (entries.slice(index + 1).every((older) => commitsOf(older).every((each) => inside.has(each))))
      return { entries: entries.slice(0, index + 1) };
  }
  return { entries };
}

/** Returns the commits at which the addresses of a target stand after an entry. */
export function commitsOf({ commit, leftOut }: Pick<StageEntry, 'commit' | 'leftOut'>): readonly string[] {
  return [...new Set([commit, ...leftOut.values()])].filter((each) => each !== null);
}

/**
 * Returns by address the paths at which a target stands at another value than a configuration declares, or to which an entry wrote another
 * one. `within` limits them. A path of which only the path is known counts.
 */
function otherValues(next: Declared, stands: Stands, writes: StageEntry['writes'], within: Paths): ReadonlyMap<string, readonly string[]> {
  const addresses = within?.keys() ?? new Set([...next.values.keys(), ...stands.declared.values.keys(), ...writes.keys()]);
  const others = new Map<string, readonly string[]>();
  for (const address of addresses) {
    const asked = within?.get(address) ?? [WHOLE];
    const paths = [
      ...otherDeclared(versionOf(next, address), stands, address),
      ...otherWrites(next.values.get(address) ?? {}, stands, address, writes.get(address)),
    ].filter((path) => hasRelated(asked, path));
    if (paths.length > 0) others.set(address, paths);
  }
  return others;
}

function otherDeclared(version: JsonObject, stands: Stands, address: string): readonly string[] {
  return isUnknown(stands, address) ? [] : differingPaths(version, versionOf(stands.declared, address));
}

function otherWrites(fields: JsonObject, stands: Stands, address: string, write: Write | undefined): readonly string[] {
  if (write === undefined || !(write.isOpen || isUnknown(stands, address))) return [];
  if (write.values === null) return [WHOLE];
  const isOther = ([path, value]: readonly [string, Json | undefined]) =>
    value === undefined || !equal(value, valueAtPointer(fields, path) ?? null);
  return [...write.values].filter(isOther).map(([path]) => `${FIELDS}${path}`);
}

/** Returns the paths at which a configuration differs from what a target stands at; null where nothing of that is known. */
function differences(next: Declared, stands: Stands): Paths {
  if (stands.unknown?.addresses === 'all') return null;
  const unknown = [...(stands.unknown?.addresses ?? [])].map((address) => [address, [WHOLE]] as const);
  return new Map([...otherValues(next, stands, new Map(), null), ...unknown]);
}

function isUnknown({ unknown }: Stands, address: string): boolean {
  return unknown !== null && (unknown.addresses === 'all' || unknown.addresses.has(address));
}

const FIELDS = '/fields';

/** Returns the declaration of an address as an object, in which to be declared is a value. */
function versionOf({ values }: Declared, address: string): JsonObject {
  const fields = values.get(address);
  return fields === undefined ? {} : { declared: true, fields };
}

/** Maximum number of resources that a reason names, and of the fields of each. */
const MAX_NAMED = 3;

/** Names addresses, sorted, with the fields; without, where it is the declaration itself. */
function named(paths: ReadonlyMap<string, readonly string[]>): string {
  const sorted = [...paths].sort(([a], [b]) => compareStrings(a, b));
  const texts = sorted.map(([address, all]) => {
    const fields = all.every((path) => path.startsWith(`${FIELDS}/`)) ? all.map((path) => path.slice(FIELDS.length)) : [];
    return fields.length === 0 ? address : `${address} (${firstOf(fields, MAX_NAMED).join(', ')})`;
  });
  return firstOf(texts, MAX_NAMED).join(', ');
}

function held(reason: string, until: string | null = null): { readonly hold: StageHold } {
  return { hold: { reason, until } };
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
/** From how many of the smaller unit on a time is told in the larger one. */
const TOLD_IN_NEXT_UNIT = 120;

/** Formats how long something took, in whole seconds, minutes or hours. */
function timeText(ms: number): string {
  const seconds = Math.round(ms / SECOND_MS);
  const minutes = Math.round(ms / MINUTE_MS);
  if (seconds < TOLD_IN_NEXT_UNIT) return `${seconds} s`;
  return minutes < TOLD_IN_NEXT_UNIT ? `${minutes} min` : `${Math.round(minutes / HOUR_MINUTES)} h`;
}
