/**
 * The scratch objects of a probe: playlists and policies of its own, with random names. Each is journalled before it is created, and is
 * removed at the end or by the next probe. An object is only ever removed after it was read and shows the random name.
 */
import { isJsonObject, isObject, type Json, type JsonObject } from '../core/model/json.ts';
import { asInteger, asList, asString } from '../core/model/json-readers.ts';
import { type Exchange, isSuccess, type ProbeService, refusalOf } from './exchange.ts';

/** A scratch object. `id` is known where it does not depend on the answer of the service: an asset playlist has the ID of its asset. */
export interface ScratchObject {
  readonly kind: 'playlist' | 'policy';
  /** 32 random hexadecimal characters, with which its name in the service begins. */
  readonly name: string;
  readonly id?: string;
}

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
    else if (kind === 'playlist' || kind === 'policy') objects.set(name, { kind, name, ...(id === undefined ? {} : { id }) });
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

/** Path of the collection of playlists. */
export const PLAYLISTS = '/api/v4/linear-playlist';
/** Path of the list of policies. */
export const POLICIES = '/api/v3/drm/policies';

/** Returns the path of one playlist. */
export function playlistPath(id: string): string {
  return `${PLAYLISTS}/${encodeURIComponent(id)}`;
}

/** Returns the path of one policy. */
export function policyPath(id: string): string {
  return `/api/v3/drm/policy/${encodeURIComponent(id)}`;
}

/** An object of an answer. */
export type Item = { readonly [member: string]: unknown };

/** Returns the playlists of an answer: a list, or one playlist; undefined for any other answer. */
export function playlistsIn(exchange: Exchange | undefined): readonly Item[] | undefined {
  if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
  const { body } = exchange;
  return body.items === undefined ? (typeof body.id === 'string' ? [body] : undefined) : asList(body.items)?.filter(isObject);
}

/** Returns the policies of an answer; undefined for any other answer. */
export function policiesIn(exchange: Exchange | undefined): readonly Item[] | undefined {
  if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
  return asList(exchange.body.configs)?.filter(isObject);
}

/** Number of characters of a random name by which an object is recognized: a service may cut names. */
const MIN_NAME_LENGTH = 8;

/** Decides whether an object of an answer is a scratch object. A scratch playlist is never active. */
export function isScratch(item: Item, { kind, name }: Pick<ScratchObject, 'kind' | 'name'>): boolean {
  const shown = asString(kind === 'playlist' ? item.desc : item.policy_name)?.trim() ?? '';
  return shown.startsWith(name.slice(0, MIN_NAME_LENGTH)) && (kind === 'policy' || asInteger(item.active) === 0);
}

/** Returns the ID of an object of an answer. */
export function idOf(item: Item | undefined): string | undefined {
  const id = asString(item?.id ?? item?._id);
  return id === undefined || /^\.{0,2}$/.test(id) ? undefined : id;
}

/** Rounds of looking for objects and deleting them. */
const ROUNDS = 3;

/**
 * Removes scratch objects. One that was found, deleted and is gone is settled. One that was never seen is settled where `maySettleUnseen`
 * says so: an uncertain create of this run may still take effect. Returns those that are not settled.
 */
export async function removeScratch(
  service: ProbeService,
  journal: ScratchJournal,
  maySettleUnseen: (object: ScratchObject) => boolean,
): Promise<readonly ScratchObject[]> {
  const seen = new Set<string>();
  for (let round = 1; round <= ROUNDS && journal.pending().length > 0; round++) {
    for (const kind of ['playlist', 'policy'] as const) {
      const objects = journal.pending().filter((object) => object.kind === kind);
      if (objects.length === 0) continue;
      const found = await findScratch(service, kind, objects);
      if (found === undefined) continue;
      const unanswered = new Set<string>();
      for (const [name, ids] of found) {
        if (ids.length > 0) seen.add(name);
        for (const id of ids) {
          const path = kind === 'playlist' ? playlistPath(id) : policyPath(id);
          if ((await service.send({ name: 'remove', method: 'DELETE', path })) === undefined) unanswered.add(name);
        }
      }
      // One look is not enough: an answer may lack an object that exists.
      const left = await findScratch(service, kind, objects);
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
  kind: ScratchObject['kind'],
  objects: readonly ScratchObject[],
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const list = await service.send({ name: 'look', method: 'GET', path: kind === 'playlist' ? PLAYLISTS : POLICIES });
  const items = kind === 'playlist' ? playlistsIn(list) : policiesIn(list);
  if (list === undefined || items === undefined || !isComplete(list, items.length)) return undefined;
  const found = new Map<string, readonly string[]>();
  for (const object of objects) {
    const listed = items.filter((item) => isScratch(item, object)).flatMap((item) => idOf(item) ?? []);
    const known = object.id === undefined || listed.includes(object.id) ? [] : await lookUp(service, object, object.id);
    if (known === undefined) return undefined;
    found.set(object.name, [...new Set([...listed, ...known])]);
  }
  return found;
}

/** Returns the ID of a scratch object if it exists, nothing if not; undefined where the answer shows neither. */
async function lookUp(service: ProbeService, object: ScratchObject, id: string): Promise<readonly string[] | undefined> {
  const path = object.kind === 'playlist' ? playlistPath(id) : policyPath(id);
  const answer = await service.send({ name: 'look', method: 'GET', path });
  if (answer === undefined) return undefined;
  const items = object.kind === 'playlist' ? playlistsIn(answer) : policiesIn(answer);
  if (items !== undefined) return items.filter((item) => idOf(item) === id && isScratch(item, object)).map(() => id);
  return refusalOf(answer) === undefined ? undefined : [];
}

/** Decides whether a list shows as many items as it counts. */
function isComplete({ body }: Exchange, length: number): boolean {
  const total = isObject(body) ? asInteger(body.total_items) : undefined;
  return total === undefined || total <= length;
}

/** The settings of a scratch playlist: inactive, with one asset. */
export function scratchPlaylist(name: string, asset: string): JsonObject {
  return { desc: name, active: 0, playlist: [{ beam: { id: asset } }, { ad: { dur: 30 } }, { beam: { id: asset } }] };
}
