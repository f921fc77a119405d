/** Exchanges for tests of recordings: requests as the client signs them, and responses as the transport returns them. */
import { createProof } from '../../src/core/api-client/proof.ts';
import type { HttpRequest, HttpResponse } from '../../src/core/api-client/transport.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { EmulatedKind } from '../../src/emulator/contract.ts';
import { KIND_WORDS } from '../../src/recording/kind-words.ts';
import { createRecorder, type Recorder, type RecorderOptions } from '../../src/recording/recorder.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { createVocabulary, type Vocabulary } from '../../src/recording/vocabulary.ts';
import { API_KEY, OWNER } from '../support/harness.ts';

export const VOCABULARY = createVocabulary(
  kinds.map(({ schema }) => schema),
  KIND_WORDS,
);

/** Returns what of the paths of a kind a recording would replace, and where to write it; empty where nothing is missing. */
export function missingWords({ name, routes, lookups = [] }: EmulatedKind, { pathSegments }: Vocabulary): readonly string[] {
  return [...routes, ...lookups].flatMap(({ method, path }) => {
    const replaced = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':') && !pathSegments.has(segment));
    if (replaced.length === 0) return [];
    const where = `write src/core/kinds/${name}/recording.ts and list it in src/recording/kind-words.ts`;
    return [`a recording replaces ${replaced.join(' and ')} in ${method} ${path}, and cannot be replayed: ${where}`];
  });
}

/** The time of every exchange, Unix milliseconds. */
export const NOW = Date.UTC(2026, 0, 5, 12);

/** Creates a recorder with a key that is always the same. */
export function recorderOf(options: Partial<RecorderOptions> = {}): Recorder {
  const defaults = { upkeep: '0.1.0', command: 'plan', vocabulary: VOCABULARY, key: Buffer.alloc(32, 7) };
  return createRecorder({ ...defaults, now: () => NOW, elapsed: () => 0, redact: (text) => text, ...options });
}

/** A signed request. `data` is sent as JSON, or in the message of a form. */
export interface SentRequest {
  readonly method?: HttpRequest['method'];
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly data?: Json;
  readonly inForm?: boolean;
  readonly apiKey?: string;
  readonly owner?: string;
}

/** Returns a request as it is on the wire. */
export function wireOf({
  method = 'GET',
  path,
  query = {},
  data,
  inForm = false,
  apiKey = API_KEY,
  owner = OWNER,
}: SentRequest): HttpRequest {
  const members = inForm && data !== undefined ? { item: data } : {};
  const { parameters } = createProof({ owner, apiKey }, NOW, { members, inForm, signatureIn: 'query' });
  if (inForm) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method, path, headers, body: new URLSearchParams(parameters).toString() };
  }
  const whole = `${path}?${new URLSearchParams({ ...query, ...parameters })}`;
  if (data === undefined) return { method, path: whole, headers: {} };
  return { method, path: whole, headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) };
}

/** Returns a response; `body` is JSON, or text as it is. */
export function responseOf(
  body: Json | { readonly text: string } | undefined,
  status = 200,
  headers: { readonly [name: string]: string } = { 'content-type': 'application/json' },
): HttpResponse {
  const text = body === undefined ? '' : isText(body) ? body.text : JSON.stringify(body);
  return { status, bytes: Buffer.from(text), header: (name) => headers[name], headerNames: Object.keys(headers) };
}

function isText(body: Json | { readonly text: string }): body is { readonly text: string } {
  return typeof body === 'object' && body !== null && 'text' in body && Object.keys(body).length === 1;
}

/** Returns the text of a recording. @throws Error where a secret is left */
export function textOf(recorder: Recorder): string {
  const finished = recorder.finish();
  if ('left' in finished) throw new Error(`${finished.left} is left`);
  return finished.text;
}

/** Returns the document of a recording. */
export function documentOf(recorder: Recorder): Recording {
  return JSON.parse(textOf(recorder));
}
