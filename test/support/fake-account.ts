/** An account in memory: the remote side of the fake kinds, with a clock that only requests move, and faults on demand. */
import { ApiError, type ApiRequest, type ApiService } from '../../src/kinds/kind.ts';
import { equal, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';

/** How a request goes wrong: `lost` happens and its answer does not arrive, the others do not happen. */
export interface Mishap {
  readonly kind: ApiError['kind'];
  readonly lost?: true;
  /** `maybe` without `lost`: nobody can tell, and it did not happen. */
  readonly mayHaveWritten?: 'no' | 'maybe';
  /** Milliseconds for which the account asks to be left alone. */
  readonly retryAfterMs?: number;
}

interface Trap {
  readonly matches: (request: ApiRequest) => boolean;
  times: number;
  readonly spring: (request: ApiRequest) => Mishap | { readonly body: Json } | undefined;
}

type Documents = Map<string, JsonObject>;

/** What a fake account starts with. */
export interface Holdings {
  readonly songs?: { readonly [id: string]: JsonObject };
  readonly rules?: { readonly [id: string]: JsonObject };
  readonly dial?: JsonObject;
}

/** One account; `requests` are all that it was sent. */
export class FakeAccount implements ApiService {
  readonly requests: ApiRequest[] = [];
  readonly songs: Documents;
  readonly rules: Documents;
  dial: JsonObject;
  time = 1_000_000;
  /** Milliseconds that each request takes. */
  pace = 0;
  /** The most requests that were under way at once. */
  peak = 0;
  #underWay = 0;
  #born = 0;
  readonly #traps: Trap[] = [];

  constructor({ songs = {}, rules = {}, dial = { list: [], open: false } }: Holdings = {}) {
    this.songs = new Map(Object.entries(songs));
    this.rules = new Map(Object.entries(rules));
    this.dial = dial;
  }

  readonly now = (): number => this.time;
  /** How long whoever waits for the account waits in all, and how long each wait was; waiting takes no time but the clock's. */
  giveUpMs = 0;
  readonly slept: number[] = [];
  readonly #later: { readonly at: number; readonly happen: () => void }[] = [];

  readonly sleep = async (ms: number): Promise<void> => {
    this.slept.push(ms);
    this.time += ms;
    for (const { happen } of this.#later.filter(({ at }) => at <= this.time && at > this.time - ms)) happen();
  };

  /** Does something as soon as somebody has waited until then. */
  later(ms: number, happen: () => void): void {
    this.#later.push({ at: this.time + ms, happen });
  }

  /** Method and path of the writes, or of all requests. */
  log(which: 'writes' | 'reads' | 'all' = 'writes'): string[] {
    const wanted = this.requests.filter(({ method }) => which === 'all' || (method === 'GET') === (which === 'reads'));
    return wanted.map(({ method, path }) => `${method} ${path}`);
  }

  /** Does something when the next `times` requests that begin with `start` (`POST /songs`) arrive; what it gives goes wrong, or is the answer. */
  trap(start: string, spring: Trap['spring'], times = 1): void {
    this.#traps.push({ matches: ({ method, path }) => `${method} ${path}`.startsWith(start), times, spring });
  }

  /** Turns the dial behind everybody's back. */
  turn(dial: JsonObject): void {
    this.dial = dial;
  }

  /** Lets the next `times` requests go wrong. */
  fail(start: string, mishap: Mishap, times = 1): void {
    this.trap(start, () => mishap, times);
  }

  async send(request: ApiRequest): Promise<{ readonly status: number; readonly body: unknown }> {
    this.requests.push(request);
    this.#underWay += 1;
    this.peak = Math.max(this.peak, this.#underWay);
    await new Promise((resolve) => setImmediate(resolve));
    this.#underWay -= 1;
    this.time += this.pace;
    const trap = this.#traps.find(({ matches, times }) => times > 0 && matches(request));
    if (trap) trap.times -= 1;
    const outcome = trap?.spring(request);
    if (outcome && 'body' in outcome) return { status: 200, body: outcome.body };
    if (!outcome) return { status: 200, body: this.#serve(request) };
    if (outcome.lost) this.#serve(request);
    throw mishapError(outcome, `${request.method} ${request.path}`);
  }

  #serve({ method, path, query, body }: ApiRequest): Json {
    const [, room, id] = path.split('/');
    const json = jsonOf(body);
    const sent = isJsonObject(json) ? json : {};
    if (room === 'dial') this.dial = { ...this.dial, ...sent };
    if (room === 'dial') return this.dial;
    if (room === 'bulk') return this.#bulk(sent);
    const documents = room === 'rules' ? this.rules : this.songs;
    if (id === undefined) return method === 'GET' ? list(documents, query) : this.#create(documents, sent);
    const document = documents.get(id);
    if (!document) throw mishapError({ kind: 'not-found' }, `${method} ${path}`);
    if (method === 'DELETE') documents.delete(id);
    if (method === 'PATCH') documents.set(id, { ...document, ...sent });
    return { id, ...documents.get(id) };
  }

  #create(documents: Documents, sent: JsonObject): Json {
    // As on the service, no ID is given twice, whoever used it.
    do this.#born += 1;
    while (documents.has(`born-${this.#born}`));
    const id = `born-${this.#born}`;
    documents.set(id, sent);
    return { id, ...sent };
  }

  #bulk({ assets, ...settings }: JsonObject): Json {
    const wanted = Array.isArray(assets) ? assets.map(String) : [];
    const fresh = wanted.filter((asset) => !this.songs.has(asset));
    for (const asset of fresh) this.songs.set(asset, { ...settings, list: [asset] });
    return { created: fresh, there: wanted.filter((asset) => !fresh.includes(asset)), errored: [] };
  }
}

function list(documents: Documents, query: ApiRequest['query']): Json {
  const items = [...documents].map(([id, document]): JsonObject => ({ id, ...document }));
  return { items: query ? items.filter((item) => Object.entries(query).every(([member, value]) => equal(item[member], value))) : items };
}

/** The error of a request that went wrong. */
export function mishapError({ kind, lost, mayHaveWritten, retryAfterMs }: Mishap, operation = 'GET /songs'): ApiError {
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new ApiError({
    kind,
    operation,
    what: `it was ${kind}`,
    advice: 'look again',
    mayHaveWritten: mayHaveWritten ?? (lost ? 'maybe' : 'no'),
    ...asked,
  });
}

/** A copy of a value as it would travel. */
export function jsonOf(value: unknown): Json {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
