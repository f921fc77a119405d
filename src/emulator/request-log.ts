/** Records the requests that arrive, decoded and in order, for tests and for `GET /__requests`. */

/** One request as the emulator understood it. It holds no signature, so it cannot be sent again. */
export interface RecordedRequest {
  readonly method: string;
  /** As received, without the query. */
  readonly path: string;
  /** Without the signature. */
  readonly query: { readonly [name: string]: string };
  /** v4: the JSON body; v3: the `item`; v2: the members of the message; absent if there was none, or the request was not authenticated. */
  readonly body?: unknown;
  /** The account; null if the request was not authenticated. */
  readonly owner: string | null;
  /** HTTP status of the response; null while there is none, or if the connection was destroyed. */
  readonly status: number | null;
  /** Number of documents that the request set or deleted. */
  readonly changes: number;
  /** Bytes of a `flood` that were sent. */
  readonly flooded: number;
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** The members of a recorded request that are known only after its arrival. */
export type RequestOutcome = Pick<RecordedRequest, 'status' | 'changes' | 'flooded'>;

/** The log of the last requests. */
export interface RequestLog {
  /** Records a request on arrival, and returns the part of the record that is to be updated. */
  record(request: Omit<RecordedRequest, keyof RequestOutcome>): { -readonly [member in keyof RequestOutcome]: RequestOutcome[member] };
  list(): readonly RecordedRequest[];
  clear(): void;
}

/** Number of requests that are kept; the oldest are dropped first. */
const MAX_REQUESTS = 100_000;

/** Creates an empty log. */
export function createRequestLog(): RequestLog {
  let requests: RecordedRequest[] = [];
  return {
    record(request) {
      const recorded = { ...request, status: null as number | null, changes: 0, flooded: 0 };
      requests.push(recorded);
      // Dropping many at once keeps the cost of each request constant.
      if (requests.length > MAX_REQUESTS) requests = requests.slice(MAX_REQUESTS / 10);
      return recorded;
    },
    list: () => requests.map((recorded) => ({ ...recorded })),
    clear() {
      requests = [];
    },
  };
}
