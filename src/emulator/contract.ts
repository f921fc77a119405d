/**
 * The contract between the emulator and its kinds. An emulated kind behaves like the service for one kind, written from the API documents
 * alone. The emulator verifies the signature before it calls a route, and knows no kind.
 */
import type { Json, JsonObject } from '../core/model/json.ts';
import { asInteger } from '../core/model/json-readers.ts';
import type { ServiceQuirks } from './quirks.ts';

/** The documents of one account and one emulated kind, in order of insertion. Writes are journaled when the route returns. */
export interface Collection {
  get(id: string): JsonObject | undefined;
  put(id: string, document: JsonObject): void;
  /** Returns whether there was a document. */
  delete(id: string): boolean;
  entries(): Iterable<readonly [id: string, document: JsonObject]>;
  readonly size: number;
}

/** Access to the documents of one account and one emulated kind. */
export interface Collections {
  /** Returns the collection with that name; it is empty until a document is put into it. */
  collection(name: string): Collection;
}

/** One verified request. */
export interface EmulatedRequest extends Collections {
  /** Values of the `:name` parts of the path, decoded. */
  readonly params: { readonly [name: string]: string };
  /** Query without the members of the signature, decoded. */
  readonly query: { readonly [name: string]: string };
  /** v4: the JSON body; v3: the `item`; v2: the members of the message; undefined if none was sent. */
  readonly body: unknown;
  /** The account's user ID (`_owner`). */
  readonly owner: string;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** Returns a new ID of 32 hexadecimal characters. */
  newId(): string;
  /** How the emulator behaves where the API documents leave a question open. */
  readonly quirks: ServiceQuirks;
}

/** A response before faults are applied. Routes of v2 and v3 respond without `error`; the emulator adds 0. */
export interface EmulatedResponse {
  readonly status: number;
  /** Undefined = no body. */
  readonly body?: Json;
}

/** Versions of the APIs: they define how requests are signed, where data is sent, and the form of errors. */
export type EmulatedApiVersion = 'v2' | 'v3' | 'v4';

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With the version prefix and `:name` parts, without a trailing slash: `/api/v4/linear-playlist/:id`. */
  readonly path: string;
  readonly apiVersion: EmulatedApiVersion;
  handle(request: EmulatedRequest): EmulatedResponse;
}

/** The emulation of one kind. */
export interface EmulatedKind {
  /** Name of the kind's folder. */
  readonly name: string;
  readonly routes: readonly Route[];
  /** Endpoints of other APIs of the service, which look up whether an object exists (api-notes section 7). */
  readonly lookups?: readonly Route[];
  /** Fills an account from the member of the seed with this kind's name. @throws Error that names the invalid part of the seed */
  seed(value: Json, account: Pick<EmulatedRequest, 'collection' | 'newId' | 'now' | 'owner'>): void;
  /** Returns the account in the form that `seed` takes. */
  dump(account: Collections): Json;
}

/**
 * Thrown by a route to respond with an error. The body is `{"@type":"Error",code,status_code,title}` on v4; on v2 and v3 it has `error` 1
 * and `msg`, with HTTP status 200.
 */
export class RouteError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, title: string) {
    super(title);
    this.status = status;
    this.code = code;
  }
}

/** Rejects a request with status 400. @throws RouteError always */
export function badRequest(title: string): never {
  throw new RouteError(400, 'bad_request', title);
}

/** Returns a reader of integers within limits, also from numeric strings. The reader returns undefined for any other value. */
export function integerReader(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (value: unknown) => number | undefined {
  return (value) => {
    const number = asInteger(value);
    return number === undefined || number < minimum || number > maximum ? undefined : number;
  };
}
