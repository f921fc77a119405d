/** Stores the documents of the accounts in memory, and changes them in transactions: all writes of a route take effect, or none. */
import type { JsonObject } from '../core/model/json.ts';
import type { Collection, Collections } from './contract.ts';
import type { AccountEdit, DocumentWrite } from './edits.ts';
import { openStoreJournal, type StoreJournal } from './journal.ts';

/** Returns a collection of one account and one emulated kind, by name. */
type GetCollection = Collections['collection'];

/** The state of the emulator. */
export interface Store {
  /**
   * Runs work on the documents of one account and one emulated kind. If it throws, nothing is changed; when it returns, its writes are in
   * the journal, and `onWritten` is called with their number.
   */
  transact<T>(owner: string, emulation: string, work: (collection: GetCollection) => T, onWritten?: (count: number) => void): T;
  /** Runs work on the documents as they were at a time (Unix milliseconds), as far back as the store keeps. It writes nothing. */
  readAsOf<T>(at: number, owner: string, emulation: string, work: (collection: GetCollection) => T): T;
  /** Resolves when every write so far is on disk; no response may contain a write before that. */
  durable(): Promise<void>;
  /** Applies an edit in a transaction of its own. */
  edit(edit: AccountEdit & { readonly owner: string }): void;
  /** Returns whether any document was ever written for the account. */
  hasAccount(owner: string): boolean;
  /** Writes the last snapshot and closes the files. */
  close(): void;
}

type Documents = Map<string, JsonObject>;

/** A collection that collects writes instead of changing the documents. */
interface StagedCollection extends Collection {
  readonly writes: ReadonlyMap<string, JsonObject | null>;
}

/** Stages writes to documents; `writes` are staged already. */
function stageCollection(documents: Documents, writes = new Map<string, JsonObject | null>()): StagedCollection {
  const get = (id: string) => (writes.has(id) ? (writes.get(id) ?? undefined) : documents.get(id));
  function* entries(): Iterable<readonly [string, JsonObject]> {
    for (const [id, document] of documents) {
      const written = writes.get(id);
      if (written !== null) yield [id, written ?? document];
    }
    for (const [id, document] of writes) if (document !== null && !documents.has(id)) yield [id, document];
  }
  return {
    writes,
    get,
    entries,
    put: (id, document) => void writes.set(id, document),
    delete(id) {
      const exists = get(id) !== undefined;
      if (exists) writes.set(id, null);
      return exists;
    },
    get size() {
      let size = documents.size;
      for (const [id, document] of writes) size += Number(document !== null) - Number(documents.has(id));
      return size;
    },
  };
}

/** Creates the memory for the documents of all accounts, by owner, emulated kind and collection. */
function createMemory() {
  const collections = new Map<string, Documents>();
  const owners = new Set<string>();
  const documents = (owner: string, emulation: string, name: string): Documents => {
    const key = keyOf(owner, emulation, name);
    const stored = collections.get(key) ?? new Map<string, JsonObject>();
    collections.set(key, stored);
    return stored;
  };
  const apply = (write: DocumentWrite): void => {
    owners.add(write.owner);
    const target = documents(write.owner, write.emulation, write.collection);
    if (write.document === null) target.delete(write.id);
    else target.set(write.id, write.document);
  };
  function* all(): Iterable<DocumentWrite> {
    for (const [key, stored] of collections) {
      const [owner = '', emulation = '', collection = ''] = readKey(key);
      for (const [id, document] of stored) yield { owner, emulation, collection, id, document };
    }
  }
  return { documents, apply, all, hasAccount: (owner: string) => owners.has(owner) };
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function readKey(key: string): readonly string[] {
  const parts: readonly string[] = JSON.parse(key);
  return parts;
}

/** How long what a write replaced is kept, milliseconds, for reads that lag behind writes; `now` in Unix milliseconds. */
interface Lag {
  readonly keptMs: number;
  now(): number;
}

/** A write, and the document that it replaced; null where there was none. */
interface Replaced {
  readonly at: number;
  readonly key: string;
  readonly id: string;
  readonly before: JsonObject | null;
}

/** Opens the store. If there is a data file, the state of the last run is restored from it. @throws Error if the file cannot be used */
export function openStore(dataFile?: string, { keptMs, now }: Lag = { keptMs: 0, now: Date.now }): Store {
  const memory = createMemory();
  let replaced: readonly Replaced[] = [];
  const remember = ({ owner, emulation, collection, id }: DocumentWrite): void => {
    if (keptMs === 0) return;
    const at = now();
    const before = memory.documents(owner, emulation, collection).get(id) ?? null;
    const kept = replaced.filter((write) => write.at >= at - keptMs);
    replaced = [...kept, { at, key: keyOf(owner, emulation, collection), id, before }];
  };
  const journal: StoreJournal | undefined = dataFile === undefined ? undefined : openStoreJournal(dataFile, memory);
  const transact: Store['transact'] = (owner, emulation, work, onWritten) => {
    const staged = new Map<string, StagedCollection>();
    const result = work((name) => {
      const collection = staged.get(name) ?? stageCollection(memory.documents(owner, emulation, name));
      staged.set(name, collection);
      return collection;
    });
    const writes = Array.from(staged).flatMap(([collection, { writes }]) =>
      Array.from(writes, ([id, document]): DocumentWrite => ({ owner, emulation, collection, id, document })),
    );
    if (writes.length > 0) journal?.append(writes);
    for (const write of writes) {
      remember(write);
      memory.apply(write);
    }
    journal?.compactIfLong();
    onWritten?.(writes.length);
    return result;
  };
  return {
    transact,
    readAsOf(at, owner, emulation, work) {
      return work((name) => {
        const key = keyOf(owner, emulation, name);
        // The oldest of the later writes tells what was there.
        const later = replaced.filter((write) => write.at > at && write.key === key).reverse();
        return stageCollection(memory.documents(owner, emulation, name), new Map(later.map(({ id, before }) => [id, before])));
      });
    },
    edit(edit) {
      transact(edit.owner, edit.emulation, applyEdit(edit));
      // What is edited by hand is seen at once.
      const key = keyOf(edit.owner, edit.emulation, edit.collection);
      replaced = replaced.filter((write) => write.key !== key || write.id !== edit.id);
    },
    durable: () => journal?.durable() ?? Promise.resolve(),
    hasAccount: memory.hasAccount,
    close: () => journal?.close(),
  };
}

function applyEdit({ collection: name, id, document, merge }: AccountEdit): (collection: GetCollection) => void {
  return (collection) => {
    const documents = collection(name);
    const stored = documents.get(id);
    if (document === null) documents.delete(id);
    else if (document !== undefined) documents.put(id, document);
    // A document that was deleted meanwhile is not edited: the merged members alone would be no valid document.
    else if (stored !== undefined) documents.put(id, { ...stored, ...merge });
  };
}
