/** The requests that arrived, decoded, in order: for tests and for the curious. */

/** One request as it was understood; nothing in it could be sent again. */
export interface RecordedRequest {
  readonly method: string;
  /** As received, without the query. */
  readonly path: string;
  /** Without the signature. */
  readonly query: { readonly [name: string]: string };
  /** v4: the JSON body; v3: the `item`; v2: the members of the message; absent where there was none, or where the gate refused the request. */
  readonly body?: unknown;
  /** The account, or null where the gate refused the request. */
  readonly owner: string | null;
  /** HTTP status of the answer; null while there is none, and where the connection was destroyed. */
  readonly status: number | null;
  /** Documents that it has set or removed. */
  readonly changes: number;
  /** Bytes of a `flood` that were handed out. */
  readonly flooded: number;
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** What becomes of a request after its arrival. */
export type RequestOutcome = Pick<RecordedRequest, 'status' | 'changes' | 'flooded'>;

/** Keeps the last requests. */
export interface RequestLog {
  /** Records a request on arrival, and gives the record to be kept up. */
  record(request: Omit<RecordedRequest, keyof RequestOutcome>): { -readonly [member in keyof RequestOutcome]: RequestOutcome[member] };
  list(): readonly RecordedRequest[];
  clear(): void;
}

/** Requests that are kept; the oldest go first. */
const most = 100_000;

/** An empty log. */
export function createRequestLog(): RequestLog {
  let kept: RecordedRequest[] = [];
  return {
    record(request) {
      const entry = { ...request, status: null as number | null, changes: 0, flooded: 0 };
      kept.push(entry);
      // Forgetting in large steps keeps the cost of each request constant.
      if (kept.length > most) kept = kept.slice(most / 10);
      return entry;
    },
    list: () => kept.map((entry) => ({ ...entry })),
    clear() {
      kept = [];
    },
  };
}
