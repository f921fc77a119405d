/** An account in memory: the service behind the fake kinds, with a clock that only requests and waits advance, and faults on demand. */

import type { Attempts } from '../../src/core/api-client/attempts.ts';
import { ApiError, type ApiRequest, type ApiService } from '../../src/core/kinds/kind.ts';
import { equal, isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { createSettling, type Settling } from '../../src/core/model/pauses.ts';

/** A fault of a request. With `lost`, the request takes effect and its response does not arrive; without, it has no effect. */
export interface Fault {
  readonly category: ApiError['category'];
  readonly lost?: true;
  /** What the error says. `maybe` without `lost`: the client cannot know that the request had no effect. */
  readonly mayHaveWritten?: 'no' | 'maybe';
  /** Milliseconds to wait before the next request, as the response asks. */
  readonly retryAfterMs?: number;
  readonly status?: number;
  /** Of a request that expired: its attempts so far. */
  readonly attempts?: Attempts;
}

/** Takes the place of the account for the next `times` requests that match. */
interface Interception {
  readonly matches: (request: ApiRequest) => boolean;
  times: number;
  /** Returns a fault, or the body of the response; undefined lets the account respond. */
  readonly respond: (request: ApiRequest) => Fault | { readonly body: Json } | undefined;
}

type Documents = Map<string, JsonObject>;

/** The data with which a fake account starts, by ID. */
export interface AccountData {
  readonly songs?: { readonly [id: string]: JsonObject };
  readonly rules?: { readonly [id: string]: JsonObject };
  readonly dial?: JsonObject;
}

/** One account; `requests` are all requests that it received. */
export class FakeAccount implements ApiService {
  readonly requests: ApiRequest[] = [];
  readonly songs: Documents;
  readonly rules: Documents;
  dial: JsonObject;
  time = 1_000_000;
  /** Milliseconds that each request takes. */
  msPerRequest = 0;
  /** The largest number of requests in flight at once. */
  maxConcurrent = 0;
  #inFlight = 0;
  #created = 0;
  readonly #interceptions: Interception[] = [];

  constructor({ songs = {}, rules = {}, dial = { list: [], open: false } }: AccountData = {}) {
    this.songs = new Map(Object.entries(songs));
    this.rules = new Map(Object.entries(rules));
    this.dial = dial;
  }

  /** How long after a write reads show it, milliseconds. */
  lagMs = 0;
  /** What reads show, and from when. */
  readonly #states: { readonly at: number; readonly songs: Documents; readonly rules: Documents; readonly dial: JsonObject }[] = [];

  #state(at: number) {
    return { at, songs: new Map(this.songs), rules: new Map(this.rules), dial: this.dial };
  }

  /** Waits until reads show what was written, on the clock of this account. */
  settling(budgetMs = 0): Settling {
    return createSettling(budgetMs, { elapsed: () => this.time, sleep: (ms) => this.sleep(ms) });
  }

  readonly now = (): number => this.time;
  /** The limit of all waits together, as part of a wait policy. */
  giveUpMs = 0;
  /** The length of each wait in milliseconds. A wait only advances the clock. */
  readonly slept: number[] = [];
  readonly #later: { readonly at: number; readonly happen: () => void }[] = [];

  readonly sleep = async (ms: number): Promise<void> => {
    this.slept.push(ms);
    this.time += ms;
    for (const { happen } of this.#later.filter(({ at }) => at <= this.time && at > this.time - ms)) happen();
  };

  /** Calls `happen` once a wait reaches this many milliseconds from now. */
  later(ms: number, happen: () => void): void {
    this.#later.push({ at: this.time + ms, happen });
  }

  /** Method and path of the writes, or of all requests. */
  log(which: 'writes' | 'reads' | 'all' = 'writes'): string[] {
    const wanted = this.requests.filter(({ method }) => which === 'all' || (method === 'GET') === (which === 'reads'));
    return wanted.map(({ method, path }) => `${method} ${path}`);
  }

  /** Calls `respond` for the next `times` requests whose method and path begin with `start` (`POST /songs`). */
  intercept(start: string, respond: Interception['respond'], times = 1): void {
    this.#interceptions.push({ matches: ({ method, path }) => `${method} ${path}`.startsWith(start), times, respond });
  }

  /** Sets the dial, as another client would. */
  setDial(dial: JsonObject): void {
    this.dial = dial;
  }

  /** Lets the next `times` requests fail. */
  fail(start: string, fault: Fault, times = 1): void {
    this.intercept(start, () => fault, times);
  }

  async send(request: ApiRequest): Promise<{ readonly status: number; readonly body: unknown }> {
    this.requests.push(request);
    this.#inFlight += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    this.#inFlight -= 1;
    this.time += this.msPerRequest;
    const interception = this.#interceptions.find(({ matches, times }) => times > 0 && matches(request));
    if (interception) interception.times -= 1;
    const outcome = interception?.respond(request);
    if (outcome && 'body' in outcome) return { status: 200, body: outcome.body };
    if (!outcome) return { status: 200, body: this.#serve(request) };
    if (outcome.lost) this.#serve(request);
    throw faultError(outcome, `${request.method} ${request.path}`);
  }

  #serve(request: ApiRequest): Json {
    if (this.lagMs === 0) return this.#serveFrom(request, this);
    if (this.#states.length === 0) this.#states.push(this.#state(0));
    if (request.method === 'GET') return this.#serveFrom(request, this.#states.findLast(({ at }) => at <= this.time) ?? this);
    const response = this.#serveFrom(request, this);
    this.#states.push(this.#state(this.time + this.lagMs));
    return response;
  }

  #serveFrom({ method, path, query, body }: ApiRequest, shown: Pick<FakeAccount, 'songs' | 'rules' | 'dial'>): Json {
    const [, resource, id] = path.split('/');
    const json = jsonOf(body);
    const sent = isJsonObject(json) ? json : {};
    if (resource === 'dial') this.dial = { ...this.dial, ...sent };
    if (resource === 'dial') return method === 'GET' ? shown.dial : this.dial;
    if (resource === 'bulk') return this.#bulk(sent);
    const from = method === 'GET' ? shown : this;
    const documents = resource === 'rules' ? from.rules : from.songs;
    if (id === undefined) return method === 'GET' ? list(documents, query) : this.#create(documents, sent);
    const document = documents.get(id);
    if (!document) throw faultError({ category: 'not-found' }, `${method} ${path}`);
    if (method === 'DELETE') documents.delete(id);
    if (method === 'PATCH') documents.set(id, { ...document, ...sent });
    return { id, ...documents.get(id) };
  }

  #create(documents: Documents, sent: JsonObject): Json {
    // As on the service, no ID is used twice.
    do this.#created += 1;
    while (documents.has(`born-${this.#created}`));
    const id = `born-${this.#created}`;
    documents.set(id, sent);
    return { id, ...sent };
  }

  #bulk({ assets, ...settings }: JsonObject): Json {
    const wanted = Array.isArray(assets) ? assets.map(String) : [];
    const missing = wanted.filter((asset) => !this.songs.has(asset));
    for (const asset of missing) this.songs.set(asset, { ...settings, list: [asset] });
    return { created: missing, there: wanted.filter((asset) => !missing.includes(asset)), errored: [] };
  }
}

function list(documents: Documents, query: ApiRequest['query']): Json {
  const items = [...documents].map(([id, document]): JsonObject => ({ id, ...document }));
  return { items: query ? items.filter((item) => Object.entries(query).every(([member, value]) => equal(item[member], value))) : items };
}

/** Builds the error that reports a fault. */
export function faultError({ category, lost, mayHaveWritten, retryAfterMs, status, attempts }: Fault, operation = 'GET /songs'): ApiError {
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new ApiError({
    category,
    operation,
    what: `it was ${category}`,
    advice: 'look again',
    mayHaveWritten: mayHaveWritten ?? (lost ? 'maybe' : 'no'),
    ...retryAfter,
    ...(status === undefined ? {} : { status }),
    ...(attempts === undefined ? {} : { attempts }),
  });
}

/** Copies a value as JSON; undefined becomes null. */
export function jsonOf(value: unknown): Json {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
