/** The accounts' documents in memory, changed in transactions: all writes of a route take place, or none does. */

import type { JsonObject } from '../model/json.ts';
import type { Collection } from './contract.ts';
import type { DocumentEdits, DocumentWrite } from './edits.ts';
import type { StoreJournal } from './journal.ts';
import { openStoreJournal } from './journal.ts';

/** Access to the collections of one account and one emulation. */
type Collections = (name: string) => Collection;

/** The state of the emulator. */
export interface Store {
  /** Runs the work on one emulation's documents; when it throws nothing is changed, when it returns the writes are in the journal, and `written` is told their number. */
  transact<T>(owner: string, emulation: string, work: (collection: Collections) => T, written?: (count: number) => void): T;
  /** Resolves when the disk has every write so far: only then may an answer tell of them. */
  durable(): Promise<void>;
  /** Carries out an edit in a transaction of its own. */
  edit(edit: DocumentEdits & { readonly owner: string }): void;
  /** Whether anything is kept for the account. */
  knows(owner: string): boolean;
  /** Writes the last snapshot and lets go of the files. */
  close(): void;
}

type Documents = Map<string, JsonObject>;

/** A collection that gathers writes beside the documents instead of changing them. */
interface Staged extends Collection {
  readonly writes: ReadonlyMap<string, JsonObject | null>;
}

function stage(documents: Documents): Staged {
  const writes = new Map<string, JsonObject | null>();
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
      const present = get(id) !== undefined;
      if (present) writes.set(id, null);
      return present;
    },
    get size() {
      let size = documents.size;
      for (const [id, document] of writes) size += Number(document !== null) - Number(documents.has(id));
      return size;
    },
  };
}

/** The documents of all accounts, by owner, emulation and collection. */
function createMemory() {
  const collections = new Map<string, Documents>();
  const owners = new Set<string>();
  const documents = (owner: string, emulation: string, name: string): Documents => {
    const key = JSON.stringify([owner, emulation, name]);
    const found = collections.get(key) ?? new Map<string, JsonObject>();
    collections.set(key, found);
    return found;
  };
  const apply = (write: DocumentWrite): void => {
    owners.add(write.owner);
    const target = documents(write.owner, write.emulation, write.collection);
    if (write.document === null) target.delete(write.id);
    else target.set(write.id, write.document);
  };
  function* all(): Iterable<DocumentWrite> {
    for (const [key, kept] of collections) {
      const [owner = '', emulation = '', collection = ''] = readKey(key);
      for (const [id, document] of kept) yield { owner, emulation, collection, id, document };
    }
  }
  return { documents, apply, all, knows: (owner: string) => owners.has(owner) };
}

function readKey(key: string): readonly string[] {
  const parts: readonly string[] = JSON.parse(key);
  return parts;
}

/** Opens the store; with a data file the state of the last run is restored from it. @throws Error where the file cannot be used */
export function openStore(dataFile?: string): Store {
  const memory = createMemory();
  const journal: StoreJournal | undefined = dataFile === undefined ? undefined : openStoreJournal(dataFile, memory);
  const transact: Store['transact'] = (owner, emulation, work, written) => {
    const staged = new Map<string, Staged>();
    const result = work((name) => {
      const collection = staged.get(name) ?? stage(memory.documents(owner, emulation, name));
      staged.set(name, collection);
      return collection;
    });
    const writes = Array.from(staged).flatMap(([collection, { writes }]) =>
      Array.from(writes, ([id, document]): DocumentWrite => ({ owner, emulation, collection, id, document })),
    );
    if (writes.length > 0) journal?.append(writes);
    for (const write of writes) memory.apply(write);
    journal?.settle();
    written?.(writes.length);
    return result;
  };
  return {
    transact,
    edit: (edit) => transact(edit.owner, edit.emulation, editing(edit)),
    durable: () => journal?.durable() ?? Promise.resolve(),
    knows: memory.knows,
    close: () => journal?.close(),
  };
}

function editing({ collection: name, id, document, merge }: DocumentEdits): (collection: Collections) => void {
  return (collection) => {
    const documents = collection(name);
    const stored = documents.get(id);
    if (document === null) documents.delete(id);
    else if (document !== undefined) documents.put(id, document);
    // What has been deleted meanwhile cannot be edited: a fragment of it would be no document.
    else if (stored !== undefined) documents.put(id, { ...stored, ...merge });
  };
}
