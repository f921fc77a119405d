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
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** Keeps the last requests. */
export interface RequestLog {
  /** Records a request on arrival, and gives the function that notes the status of its answer. */
  record(request: Omit<RecordedRequest, 'status'>): (status: number | null) => void;
  list(): readonly RecordedRequest[];
  clear(): void;
}

/** Requests that are kept; the oldest go first. */
const most = 100_000;

/** An empty log. */
export function createLog(): RequestLog {
  let kept: RecordedRequest[] = [];
  return {
    record(request) {
      const entry = { ...request, status: null as number | null };
      kept.push(entry);
      // Forgetting in large steps keeps the cost of each request constant.
      if (kept.length > most) kept = kept.slice(most / 10);
      return (status) => {
        entry.status = status;
      };
    },
    list: () => kept.map((entry) => ({ ...entry })),
    clear() {
      kept = [];
    },
  };
}
