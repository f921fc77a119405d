/** Records the exchanges of a run, under pseudonyms, as one document (design section 14). */
import { randomBytes } from 'node:crypto';
import type { HttpRequest, ObserveExchange } from '../core/api-client/transport.ts';
import { isObject } from '../core/model/json.ts';
import { HIDDEN } from '../core/model/visible-text.ts';
import { credentialFormsIn } from './credential-forms.ts';
import { createPseudonyms } from './pseudonyms.ts';
import { createExchangeWriter } from './record-exchange.ts';
import type { RecordedExchange, RecordedRequest, Recording } from './recording.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The recording of a run. */
export interface Recorder {
  readonly observe: ObserveExchange;
  /** Number of exchanges so far. */
  readonly count: number;
  /** Returns the document, or what of a secret is left in it. Requests that are still without an answer are left out. */
  finish(): { readonly text: string } | { readonly left: string };
}

/** What a recorder depends on. */
export interface RecorderOptions extends Pick<Recording, 'upkeep' | 'command'> {
  readonly vocabulary: Vocabulary;
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
  /** Replaces the secrets of the run in a text. */
  redact(text: string): string;
  /** Of the pseudonyms; by default random, and known to nobody. */
  readonly key?: Uint8Array;
}

/** Creates a recorder. It keeps what will be written, and of the originals only what the pseudonyms need. */
export function createRecorder({ vocabulary, now, elapsed, redact, key = randomBytes(32), ...head }: RecorderOptions): Recorder {
  const pseudonyms = createPseudonyms(key, vocabulary.members.keys());
  const writer = createExchangeWriter(pseudonyms, vocabulary);
  const entries: string[] = [];
  const proofs = new Set<string>();
  let startedAt: number | undefined;
  return {
    get count() {
      return entries.filter((entry) => entry !== '').length;
    },
    observe(wire) {
      for (const proof of proofsOf(wire)) proofs.add(proof);
      const request: RecordedRequest = writer.request(wire);
      const started = elapsed();
      startedAt ??= started;
      const startMs = Math.round(started - startedAt);
      const index = entries.push('') - 1;
      return (result) => {
        const tookMs = Math.round(elapsed() - started);
        const answered = 'category' in result ? { failure: failureOf(result.category) } : { response: writer.response(result, now()) };
        const exchange: RecordedExchange = { request, startMs, tookMs, ...answered };
        entries[index] = jsonOf(exchange, 2);
      };
    },
    finish() {
      const exchanges = entries.filter((entry) => entry !== '');
      const left = [...new Set(exchanges.flatMap((entry) => secretsLeft(entry, proofs, redact)))];
      if (left.length > 0) return { left: left.join(', ') };
      const start = `{\n  "schemaVersion": 1,\n  "upkeep": ${JSON.stringify(head.upkeep)},\n  "command": ${JSON.stringify(head.command)},\n`;
      return { text: `${start}  "exchanges": [\n    ${exchanges.join(',\n    ')}\n  ]\n}\n` };
    },
  };
}

function failureOf(kind: string): NonNullable<RecordedExchange['failure']> {
  return kind === 'timeout' || kind === 'malformed' ? kind : 'unreachable';
}

/** Shortest part of a proof that is searched for, characters. */
const MIN_PROOF_LENGTH = 20;

/** Returns the words of what proves who sent a request. */
function proofsOf({ path, headers, body = '' }: HttpRequest): readonly string[] {
  const query = path.slice(path.indexOf('?') + 1);
  const members = [query, body.startsWith('{') ? '' : body].flatMap((text) => {
    const parameters = new URLSearchParams(text);
    return [parameters.get('msg') ?? '', parameters.get('sig') ?? ''];
  });
  const texts = [...members, headers.authorization ?? '', headers['x-auth-uplynk-jwt'] ?? ''];
  return texts.flatMap(wordsOf);
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Za-z0-9+/_-]+/g) ?? []).filter((word) => word.length >= MIN_PROOF_LENGTH);
}

/** Returns what of a secret is left in a text; empty where there is none. */
function secretsLeft(text: string, proofs: ReadonlySet<string>, redact: RecorderOptions['redact']): readonly string[] {
  const isProof = wordsOf(text).some((word) => proofs.has(word));
  return [...credentialFormsIn(text), ...(isProof ? ['a signature'] : []), ...(redact(text) === text ? [] : ['a credential of this run'])];
}

/** How many characters a list or an object on one line may have. */
const LINE = 110;

/** Writes JSON for reading: what is short stands on one line. `depth` is the number of levels around it. */
function jsonOf(value: unknown, depth: number): string {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return escaped(value);
  const parts = isList
    ? value.map((item) => jsonOf(item, depth + 1))
    : Object.entries(value).map(([name, part]) => `${escaped(name)}: ${jsonOf(part, depth + 1)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const length = parts.reduce((sum, part) => sum + part.length + 2, 4);
  const space = isList ? '' : ' ';
  if (length <= LINE && parts.every((part) => !part.includes('\n'))) return `${open}${space}${parts.join(', ')}${space}${close}`;
  const indent = '  '.repeat(depth + 1);
  return `${open}\n${indent}${parts.join(`,\n${indent}`)}\n${'  '.repeat(depth)}${close}`;
}

/** Writes a text or another simple value, with invisible characters escaped. */
function escaped(value: unknown): string {
  const text = JSON.stringify(value);
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
