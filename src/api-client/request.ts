/** A request to the service, before it is signed. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the base URL, percent-encoded, without a trailing slash: `/api/v4/linear-playlist/<id>`. The prefix `/api2`, `/api/v3` or `/api/v4` chooses the dialect. */
  readonly path: string;
  /** Filters of a v4 GET, for example `{ desc: "Evening block" }`; not yet encoded. */
  readonly query?: { readonly [name: string]: string };
  /** v4: the JSON body; v3: the `item` (drm-api-v3 section 4); v2: what is asked, an object. Absent on GET and DELETE, but for a GET of v2. */
  readonly body?: unknown;
  /** Whether sending it twice does no harm: reads and writes that set values. A create or delete arrives once at most: it is for the caller to look before sending it again (design section 4, rule 4). */
  readonly repeatable: boolean;
}

/** A successful answer: any 2xx, and on v2 and v3 an `error` of 0. */
export interface ApiResponse {
  readonly status: number;
  /** The parsed JSON; undefined where there is no body (204). */
  readonly body: unknown;
}

/** The remote side. */
export interface ApiService {
  /**
   * Signs and sends a request, retries what may be retried, and gives the answer.
   * @throws ServiceError for everything else; its `written` says whether a write may have happened all the same.
   */
  send(request: ApiRequest): Promise<ApiResponse>;
}
