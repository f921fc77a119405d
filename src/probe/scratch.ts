/**
 * The scratch objects of a probe, of kinds that may be written, with random names. Each is journalled before it is created, and is
 * removed at the end or by the next probe. An object is only ever removed after it was read and shows the random name.
 */
import type { Exchange, ScratchCollection, ScratchObject } from '../core/kinds/probe.ts';
import { idOf, refusalOf } from '../core/kinds/probe-answers.ts';
import { isJsonObject, isObject, type Json, type JsonObject } from '../core/model/json.ts';
import { asInteger, asString } from '../core/model/json-readers.ts';
import type { ProbeService } from './exchange.ts';
import { SCRATCH_COLLECTIONS } from './kind-questions.ts';

/** Where the journal is kept: a text that is only appended to, durably. */
export interface JournalStore {
  /** Returns the text; empty if there is none. */
  read(): string;
  append(line: string): void;
  clear(): void;
}

/** The journal of scratch objects. */
export interface ScratchJournal {
  /** Returns the objects that may exist, of this run and of earlier ones. */
  pending(): readonly ScratchObject[];
  /** Records an object before the request that creates it, or its ID once it is known. */
  intend(object: ScratchObject): void;
  /** Records that an object does not exist any more. */
  gone(name: string): void;
}

/** Opens the journal. A line that a kill cut off is ignored: the request after it was not sent. */
export function openScratchJournal(store: JournalStore): ScratchJournal {
  const objects = new Map<string, ScratchObject>();
  for (const line of store.read().split('\n')) {
    const entry = parseLine(line);
    const [name, kind, id] = [asString(entry.name), asString(entry.kind), asString(entry.id)];
    if (name === undefined || !/^[0-9a-f]{32}$/.test(name)) continue;
    if (entry.gone === true) objects.delete(name);
    else if (kind !== undefined && SCRATCH_COLLECTIONS.some(({ noun }) => noun === kind))
      objects.set(name, { kind, name, ...(id === undefined ? {} : { id }) });
  }
  return {
    pending: () => [...objects.values()],
    intend(object) {
      store.append(JSON.stringify(object));
      objects.set(object.name, object);
    },
    gone(name) {
      objects.delete(name);
      if (objects.size === 0) store.clear();
      else store.append(JSON.stringify({ name, gone: true }));
    },
  };
}

function parseLine(line: string): JsonObject {
  try {
    const value: Json = JSON.parse(line);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Rounds of looking for objects and deleting them. */
const ROUNDS = 3;

/**
 * Removes scratch objects. One that was found, deleted and is gone is settled. One that was never seen is settled where `maySettleUnseen`
 * says so: an uncertain create of this run may still take effect. Before each round, reads get the time to show what was written: they lag by
 * `lagMs` milliseconds. Returns those that are not settled.
 */
export async function removeScratch(
  service: ProbeService,
  journal: ScratchJournal,
  maySettleUnseen: (object: ScratchObject) => boolean,
  lagMs = 0,
): Promise<readonly ScratchObject[]> {
  const seen = new Set<string>();
  for (let round = 1; round <= ROUNDS && journal.pending().length > 0; round++) {
    if (lagMs > 0) await service.connection.sleep(2 * lagMs);
    for (const collection of SCRATCH_COLLECTIONS) {
      const objects = journal.pending().filter(({ kind }) => kind === collection.noun);
      if (objects.length === 0) continue;
      const found = await findScratch(service, collection, objects);
      if (found === undefined) continue;
      const unanswered = new Set<string>();
      for (const [name, ids] of found) {
        if (ids.length > 0) seen.add(name);
        for (const id of ids) {
          if ((await service.send({ name: 'remove', method: 'DELETE', path: collection.pathOf(id) })) === undefined) unanswered.add(name);
        }
      }
      // One look is not enough: an answer may lack an object that exists.
      const left = await findScratch(service, collection, objects);
      for (const object of objects) {
        const isGone = left?.get(object.name)?.length === 0 && !unanswered.has(object.name);
        if (isGone && (seen.has(object.name) || maySettleUnseen(object))) journal.gone(object.name);
      }
    }
  }
  return journal.pending();
}

/**
 * Returns the IDs of scratch objects of one kind, by their names: those of the list, and the one that is known of each. Undefined where the
 * list cannot be read completely.
 */
async function findScratch(
  service: ProbeService,
  collection: ScratchCollection,
  objects: readonly ScratchObject[],
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const list = await service.send({ name: 'look', method: 'GET', path: collection.list });
  const items = collection.itemsIn(list);
  if (list === undefined || items === undefined || !isComplete(list, items.length)) return undefined;
  const found = new Map<string, readonly string[]>();
  for (const object of objects) {
    const listed = items.filter((item) => collection.isScratch(item, object.name)).flatMap((item) => idOf(item) ?? []);
    const known = object.id === undefined || listed.includes(object.id) ? [] : await lookUp(service, collection, object, object.id);
    if (known === undefined) return undefined;
    found.set(object.name, [...new Set([...listed, ...known])]);
  }
  return found;
}

/** Returns the ID of a scratch object if it exists, nothing if not; undefined where the answer shows neither. */
async function lookUp(
  service: ProbeService,
  collection: ScratchCollection,
  { name }: ScratchObject,
  id: string,
): Promise<readonly string[] | undefined> {
  const answer = await service.send({ name: 'look', method: 'GET', path: collection.pathOf(id) });
  if (answer === undefined) return undefined;
  const items = collection.itemsIn(answer);
  if (items !== undefined) return items.filter((item) => idOf(item) === id && collection.isScratch(item, name)).map(() => id);
  return refusalOf(answer) === undefined ? undefined : [];
}

/** Decides whether a list shows as many items as it counts. */
function isComplete({ body }: Exchange, length: number): boolean {
  const total = isObject(body) ? asInteger(body.total_items) : undefined;
  return total === undefined || total <= length;
}
