import type { Attempts } from './attempts.ts';

/** A request to the service, before it is signed. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * Path below the base URL, percent-encoded, without a trailing slash: `/api/v4/linear-playlist/<id>`. The prefix `/api2`, `/api/v3` or
   * `/api/v4` chooses the API version.
   */
  readonly path: string;
  /** Filters of a v4 GET, for example `{ desc: "Evening block" }`; not yet encoded. */
  readonly query?: { readonly [name: string]: string };
  /** v4: the JSON body; v3: the `item` (drm-api-v3 section 4); v2: the query, an object. Absent on GET and DELETE, except a GET of v2. */
  readonly body?: unknown;
  /**
   * Whether the request is idempotent: reads, and writes that set values. A create or delete is executed at most once: the caller reads
   * before sending it again (design section 4, rule 4).
   */
  readonly repeatable: boolean;
  /**
   * After a create whose response was lost: `repeat`: the create again, which takes from the budget of retries and counts as one of them;
   * `look-up`: a read for it, which earns none.
   */
  readonly after?: 'repeat' | 'look-up';
  /**
   * Of a write: until when what it rests on is fresh, in milliseconds of the client's clock. No attempt starts later; the error is then
   * `expired`, and the caller reads again (design section 4, rule 3).
   */
  readonly freshUntil?: number;
  /** Of a request that had expired: its attempts so far. Its tries, retries and time to give up go on from there. */
  readonly earlier?: Attempts;
  /** Whether the response to a GET is a list, of which no item may be missing. */
  readonly isList?: true;
}

/** A successful response: a 2xx status, and on v2 and v3 an `error` of 0. */
export interface ApiResponse {
  readonly status: number;
  /** The parsed JSON; undefined where there is no body (204). */
  readonly body: unknown;
}

/** The service, as kinds see it. */
export interface ApiService {
  /**
   * Signs and sends a request, retries it where possible, and returns the response.
   * `addresses` are the resources that it is about, for logs. @throws ApiError otherwise; its `mayHaveWritten` says whether a write may have
   * happened all the same
   */
  send(request: ApiRequest, addresses?: readonly string[]): Promise<ApiResponse>;
}
