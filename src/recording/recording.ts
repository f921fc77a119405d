/** A recording: what upkeep and the service said to each other, under pseudonyms (design section 14). */
import type { Json } from '../core/model/json.ts';

/** Hexadecimal digits in a row, of one case. Only those with a letter among them are an ID, and not a number. */
export const HEXADECIMAL_RUN = /(?=[0-9]*[A-F])[0-9A-F]{16,}|[0-9a-f]{16,}/g;

/** The document that `--record` writes and `emulate --replay` reads. */
export interface Recording {
  readonly schemaVersion: 1;
  /** Version of upkeep. */
  readonly upkeep: string;
  readonly command: string;
  /** In the order in which the requests were sent. */
  readonly exchanges: readonly RecordedExchange[];
}

/** One attempt, and its answer or why there is none. */
export interface RecordedExchange {
  readonly request: RecordedRequest;
  /** Milliseconds from the first request of the recording. */
  readonly startMs: number;
  readonly tookMs: number;
  readonly response?: RecordedResponse;
  /** Why there is no answer that could be read to its end. */
  readonly failure?: 'unreachable' | 'timeout' | 'malformed';
}

/** A request without what proves who sends it. */
export interface RecordedRequest {
  readonly method: string;
  /** Below the base URL, percent-encoded. */
  readonly path: string;
  /** Decoded. */
  readonly query?: { readonly [name: string]: string };
  /** Where the signature was; `token` is that of a scoped key. */
  readonly signed: 'query' | 'form' | 'header' | 'token' | 'nowhere';
  /** How the data was sent. Absent = there was none. */
  readonly sentAs?: 'form' | 'json';
  /** v4: the JSON body; v3: the `item`; v2: the members of the message. */
  readonly body?: Json;
}

/** A response, decompressed. Without `body` and `text` it had no body. */
export interface RecordedResponse {
  readonly status: number;
  /** The headers that upkeep reads. */
  readonly headers: { readonly [name: string]: string };
  /** Whole seconds by which the clock of the service was ahead of that of this machine. Absent = it did not say. */
  readonly clockSeconds?: number;
  readonly body?: Json;
  /** The beginning of a body that is not JSON. */
  readonly text?: string;
  /** Whether the body could not be decompressed. */
  readonly unreadable?: true;
}

/** Stands for the owner of the account in a recording. */
export const RECORDED_OWNER = '(owner)';
