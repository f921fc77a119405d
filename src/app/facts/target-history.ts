/** Reads what a target stood at after each of its applies, as its ledger and its commits say; only what is asked for. */
import type { DesiredState } from '../../core/config/desired-state.ts';
import {
  type Declared,
  NOTHING_DECLARED,
  type StageEntry,
  type StageHistory,
  type Stands,
  type Write,
} from '../../core/decide/decide-stage.ts';
import { kinds } from '../../core/kinds/index.ts';
import type { DesiredResource } from '../../core/kinds/kind.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { EntryCommit, Ledger } from '../../core/ledger/ledger.ts';
import { isKilled, standingAfter, standsAt } from '../../core/ledger/standing.ts';
import { kindOfAddress } from '../../core/model/address.ts';
import { withPlaceholders } from '../../core/model/ignored-fields.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { ConfigurationAtCommit } from '../history/load-state.ts';

/** The entries of a target. All members throw GitError and LedgerError. */
export interface TargetHistory {
  /** Returns what is read so far. */
  known(): StageHistory;
  /** Reads the newest entry; null before the first apply. */
  newest(): Promise<LedgerEntry | null>;
  /** Reads the newest entry of an apply that was not killed; null before the first one. */
  newestEnded(): Promise<LedgerEntry | null>;
  /** Reads as many entries again as are known. Each is read once. */
  readOlder(): Promise<void>;
  /** Reads the entries that were added since, and no other one again. */
  readNewer(): Promise<void>;
  /** Loads what the target stood at after the entries at these places. */
  loadStands(places: readonly number[]): Promise<void>;
}

/** Loads the configuration of a target at a commit. @throws GitError */
type LoadAt = (commit: string) => Promise<ConfigurationAtCommit>;

/** What of an entry says what the target stood at. */
type DeclaredAfter = Pick<LedgerEntry, 'config' | 'pendingSince' | 'bindings'> & {
  /** The addresses that it left out and that have no commit, although they have an object. */
  readonly unknown: ReadonlySet<string>;
};

/** Opens the history that a ledger holds, without reading anything. */
export function openTargetHistory(ledger: Pick<Ledger, 'history'>, loadAt: LoadAt): TargetHistory {
  let read: ReadEntry[] = [];
  let newest: LedgerEntry | null = null;
  let ended: LedgerEntry | null = null;
  let isAll = false;
  let unread: ReturnType<Ledger['history']> | null = null;
  const readNext = async (): Promise<void> => {
    unread ??= ledger.history();
    const next = await unread.next();
    if (next.done) {
      isAll = true;
      return;
    }
    const { entry } = next.value;
    newest ??= entry;
    if (!isKilled(entry)) ended ??= entry;
    read.push(readEntry(next.value));
  };
  return {
    known: () => ({ entries: read.map(({ entry }) => entry), isAll }),
    async newest() {
      if (read.length === 0 && !isAll) await readNext();
      return newest;
    },
    async newestEnded() {
      while (ended === null && !isAll) await readNext();
      return ended;
    },
    async readOlder() {
      const wanted = Math.max(2 * read.length, 1);
      while (!isAll && read.length < wanted) await readNext();
    },
    async readNewer() {
      const known = read[0]?.id;
      const newer: EntryCommit[] = [];
      let isReplaced = true;
      for await (const found of ledger.history()) {
        isReplaced = found.commit !== known;
        if (!isReplaced) break;
        newer.push(found);
      }
      if (isReplaced) {
        // Nothing was known, or another history has taken its place.
        [read, newest, ended, isAll] = [[], null, null, true];
      }
      newest = newer[0]?.entry ?? newest;
      ended = newer.find(({ entry }) => !isKilled(entry))?.entry ?? ended;
      read = [...newer.map(readEntry), ...read];
    },
    async loadStands(places) {
      for (const place of places) {
        const found = read[place];
        if (found?.entry.stands === null)
          read[place] = { ...found, entry: { ...found.entry, stands: await loadStands(found.after, loadAt) } };
      }
    },
  };
}

/** An entry that is read: its ID, and what of it counts. */
interface ReadEntry {
  readonly id: string;
  readonly entry: StageEntry;
  readonly after: DeclaredAfter;
}

function readEntry({ commit, entry }: EntryCommit): ReadEntry {
  return { id: commit, entry: stageEntry(entry), after: declaredAfter(entry) };
}

function stageEntry(entry: LedgerEntry): StageEntry {
  const { at, config, interrupted = [], pendingSince } = entry;
  const { commit, inPart } = standingAfter(entry);
  const wasKilled = isKilled(entry);
  return {
    at: Date.parse(at),
    commit,
    digest: wasKilled ? null : (config.declared ?? null),
    isWhole: inPart.length === 0,
    isKilled: wasKilled,
    isInterrupted: interrupted.length > 0,
    leftOut: wasKilled ? new Map() : new Map(Object.entries(pendingSince)),
    writes: writesIn(entry),
    stands: null,
  };
}

/** A killed apply is looked at as if it had ended: nobody knows how far it came. */
function declaredAfter(entry: LedgerEntry): DeclaredAfter {
  const { config, pendingSince, bindings } = entry;
  if (isKilled(entry)) {
    const { commit } = standingAfter(entry);
    return { config: { ...config, commit }, pendingSince: {}, bindings, unknown: new Set() };
  }
  const unknown = Object.keys(pendingSince).filter((address) => standsAt(entry, address) === 'uncommitted');
  return { config, pendingSince, bindings, unknown: new Set(unknown) };
}

/** Returns what an entry wrote. Values are kept where no commit tells them: there may be a megabyte in each of many entries. */
function writesIn({ config, outcomes }: LedgerEntry): ReadonlyMap<string, Write> {
  const written = outcomes.filter(({ result }) => result !== 'skipped');
  return new Map(
    written.map(({ address, result, fields, paths }): [string, Write] => {
      const isOpen = result === 'failed' || result === 'unseen';
      const keepsValues = isOpen || config.commit === null;
      const values = fields?.map(({ path, after }) => [path, keepsValues ? after : undefined] as const);
      const told = values ?? paths?.map((path) => [path, undefined] as const);
      return [address, { isOpen, values: told === undefined ? null : new Map(told) }];
    }),
  );
}

/** Returns what a target stands at after an entry. A commit that does not have the target declares nothing. @throws GitError */
export function standsAfter(entry: LedgerEntry, loadAt: LoadAt): Promise<Stands> {
  return loadStands(declaredAfter(entry), loadAt);
}

async function loadStands({ config, pendingSince, bindings, unknown }: DeclaredAfter, loadAt: LoadAt): Promise<Stands> {
  const none = (why: string): Stands => ({ declared: NOTHING_DECLARED, unknown: { addresses: 'all', why } });
  if (config.commit === null) return none('the last apply was made from a work tree that was not committed');
  const byCommit = new Map<string, Declared>();
  for (const commit of new Set([config.commit, ...Object.values(pendingSince)])) {
    if (commit === null) continue;
    const state = await loadAt(commit);
    if ('unusable' in state && !state.isMissing) return none(`its configuration at ${commit.slice(0, 12)}: ${state.unusable}`);
    byCommit.set(commit, 'unusable' in state ? NOTHING_DECLARED : declaredIn(state.desiredState));
  }
  const atCommit = byCommit.get(config.commit) ?? NOTHING_DECLARED;
  const [values, knownBy] = [new Map(atCommit.values), new Map(atCommit.knownBy)];
  for (const [address, commit] of Object.entries(pendingSince)) {
    const declared = commit === null ? undefined : byCommit.get(commit);
    const fields = declared?.values.get(address);
    if (fields === undefined) values.delete(address);
    else values.set(address, fields);
    knownBy.set(address, declared?.knownBy.get(address) ?? []);
  }
  for (const address of values.keys()) {
    const id = Object.hasOwn(bindings, address) ? bindings[address]?.id : undefined;
    if (id !== undefined) knownBy.set(address, [...(knownBy.get(address) ?? []), `ID ${id}`]);
  }
  const declared = { values, knownBy };
  const [first] = unknown;
  if (first === undefined) return { declared, unknown: null };
  return { declared, unknown: { addresses: unknown, why: `${first} was applied from what was not committed` } };
}

/**
 * Returns what a target declares. That a section is there is a value, too: where upkeep owns all objects, it deletes those of an empty one. So
 * is what decides which object an address has, and whether one is deleted: its entries of `adopt` and `removed`. An entry of `moved` says that
 * two addresses mean one object.
 */
export function declaredIn({ resources, presentKeys, adopt, moved, removed }: DesiredState): Declared {
  const values = new Map<string, JsonObject>([
    ...[...presentKeys].map((key) => [key, {}] as const),
    ...[...removed].map((address) => [address, { removed: true }] as const),
    ...resources.map((resource) => {
      const id = adopt.get(resource.address);
      return [resource.address, { ...valuesOf(resource.beforeResolving ?? resource), ...(id === undefined ? {} : { adopt: id }) }] as const;
    }),
  ]);
  const knownBy = resources.map((resource) => [resource.address, textsOf(resource, moved, adopt)] as const);
  return { values, knownBy: new Map(knownBy) };
}

/** Returns what the object of a resource is known by: its former addresses, the ID under `adopt`, and its match keys. */
function textsOf({ address, matchKeys }: DesiredResource, moved: DesiredState['moved'], adopt: DesiredState['adopt']): readonly string[] {
  const former: string[] = [];
  for (let from = moved.get(address); from !== undefined && !former.includes(from); from = moved.get(from)) former.push(from);
  const adopted = adopt.get(address);
  const kind = kindOfAddress(kinds, address)?.name;
  const keys = matchKeys.map((key) => ('id' in key ? `ID ${key.id}` : `name ${kind}/${key.remoteName}`));
  return [...former, ...(adopted === undefined ? [] : [`ID ${adopted}`]), ...keys];
}

/** Returns the fields of a resource. That a field is left to others is a value, too. */
function valuesOf({ fields, ignored = [] }: Pick<DesiredResource, 'fields' | 'ignored'>): JsonObject {
  return withPlaceholders(fields, ignored);
}
