/** What a program may use in place of the network; the global `fetch` has this form. */

/** Sends one HTTP request. It rejects where there is no answer. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** One HTTP request, signed. */
export interface FetchInit {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  /** A redirect is an answer like any other. */
  readonly redirect: 'manual';
  /** Aborted when the time for the answer is over. */
  readonly signal: AbortSignal;
}

/** An answer, decompressed: requests accept gzip and brotli. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The body in chunks. Without it `arrayBuffer` gives the body, however large it is. */
  readonly body?: AsyncIterable<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBufferLike>;
}
