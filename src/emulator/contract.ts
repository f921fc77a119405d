/**
 * The contract between the emulator and the kinds. An emulation plays the service's part for one kind, written from the API documents alone.
 * The emulator has verified the signature before a route is called, and knows no kind.
 */
import type { Json, JsonObject } from '../model/json.ts';

/** The documents of one account that belong to one emulation, in order of insertion. Writes are journaled when the route returns. */
export interface Collection {
  get(id: string): JsonObject | undefined;
  put(id: string, document: JsonObject): void;
  delete(id: string): boolean;
  entries(): Iterable<readonly [id: string, document: JsonObject]>;
  readonly size: number;
}

/** One verified request. */
export interface EmulatedRequest {
  /** Values of the `:name` parts of the path, decoded. */
  readonly params: { readonly [name: string]: string };
  /** Query without the signature's members, decoded. */
  readonly query: { readonly [name: string]: string };
  /** v4: the JSON body; v3: the `item`; v2: the members of the message; undefined where none was sent. */
  readonly body: unknown;
  /** The account's user ID (`_owner`). */
  readonly owner: string;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** A fresh ID of 32 hexadecimal characters. */
  newId(): string;
  /** The account's documents in this emulation's collection of that name. */
  collection(name: string): Collection;
  /** How the double answers what the documents leave open. */
  readonly quirks: ServiceQuirks;
}

/** Answers to the documents' open questions; each member is one of them. Defaults in brackets. */
export interface ServiceQuirks {
  /** Status of a v4 create [201]. */
  readonly createdStatus: 200 | 201;
  /** `ss_*` lists that would be empty [present], and what their elements are [ids]. */
  readonly emptyLists: 'present' | 'missing';
  readonly smartStartElements: 'ids' | 'objects';
  /** Integers as numeric strings in answers [false]. */
  readonly numericStrings: boolean;
  /** Members that no document names, in every object of an answer [false]. */
  readonly unknownMembers: boolean;
  /** Policies without the sub-dictionaries and settings that stand at their defaults [false]. */
  readonly abridgedPolicies: boolean;
  /** Answer for a rotation schedule that was never set [null]. */
  readonly unsetSchedule: 'null' | 'absent' | 'empty';
  /** What v2 answers about several IDs: a list, or an object by ID with null for what is not there [list]. */
  readonly lookUps: 'list' | 'object';
  /** Answer for slicers that were never set [null]. */
  readonly unsetSlicers: 'null' | 'empty';
  /** Order of lists that are sets or collections [insertion]. */
  readonly listOrder: 'insertion' | 'reversed' | 'shuffled';
  /** Whether PATCH of `playlist` appends to the list instead of replacing it [false]. */
  readonly patchMerges: boolean;
}

/** An answer before the emulator's faults. v2 and v3 routes answer without `error`; the emulator adds 0. */
export interface EmulatedResponse {
  readonly status: number;
  /** Undefined = no body. */
  readonly body?: Json;
}

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With the version prefix and `:name` parts, without a trailing slash: `/api/v4/linear-playlist/:id`. */
  readonly path: string;
  /** Where signature and data travel, and how errors look. */
  readonly apiVersion: 'v2' | 'v3' | 'v4';
  handle(request: EmulatedRequest): EmulatedResponse;
}

/** One kind's part of the double. */
export interface EmulatedKind {
  /** The kind's folder name. */
  readonly name: string;
  readonly routes: readonly Route[];
  /** Endpoints of other APIs of the service, which tell whether something is there (api-notes section 7). */
  readonly lookups?: readonly Route[];
  /**
   * Fills an account from the seed file's member of this emulation's name; what is hostile or not understood throws an Error that says where.
   * `collection` as in Call.
   */
  seed(value: Json, account: Pick<EmulatedRequest, 'collection' | 'newId' | 'now' | 'owner'>): void;
  /** The account in the form that `seed` takes. */
  dump(account: Pick<EmulatedRequest, 'collection'>): Json;
}

/** A list whose order means nothing, in the order of `manners.listOrder`; a shuffle depends on the time and the length alone. */
export function applyListOrder<T>(items: readonly T[], call: Pick<EmulatedRequest, 'quirks' | 'now'>): T[] {
  if (call.quirks.listOrder === 'insertion') return [...items];
  if (call.quirks.listOrder === 'reversed') return items.toReversed();
  const keyed = items.map((item, index) => ({ item, key: Math.imul(index + 1 + (call.now % 99991), 2654435761) >>> 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Thrown by a route to answer with an error: v4 gets `{"@type":"Error",code,status_code,title}`, v2 and v3 HTTP 200 with `error` 1 and `msg`. */
export class RouteError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, title: string) {
    super(title);
    this.status = status;
    this.code = code;
  }
}
