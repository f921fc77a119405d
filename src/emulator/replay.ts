/**
 * Finds the recorded answer to a request. A text that was asked about before any answer showed it, such as a random name, was chosen by who
 * asked, and is not compared: another one of the same shape stands for it, from then on in every request and answer (design section 14,
 * rule 6).
 */
import { isList, isObject, type Json, stableJson } from '../core/model/json.ts';
import { HEXADECIMAL_RUN, RECORDED_OWNER, type RecordedExchange, type Recording } from '../recording/recording.ts';

/** A request as it is compared; path and query are decoded. */
export interface ReplayedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly body: Json | undefined;
}

/** A recorded exchange, with the body of its answer in the texts of this run. */
export interface ReplayedExchange {
  readonly exchange: RecordedExchange;
  /** Undefined = no body. */
  readonly text: string | undefined;
}

/** The recorded exchanges, and how far they were replayed. */
export interface Replay {
  /** Returns the answer that is next for a request; undefined where the request was not recorded. */
  answer(request: ReplayedRequest): ReplayedExchange | undefined;
}

/** Shortest text that can stand for another one, characters: shorter ones are often words. */
export const MIN_UNCOMPARED_LENGTH = 8;

/** The exchanges of equal requests, in recorded order. */
interface Queue {
  readonly texts: readonly string[];
  readonly exchanges: RecordedExchange[];
  next: number;
}

/** Decides whether a text looks like a word of the API documents, such as a VMP status. An ID in capitals does not. */
function isConstant(text: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(text) && !/^[0-9A-F]{16,}$/.test(text);
}

/** Creates the replay of a recording; `owner` takes the place of the owner of the recorded account. */
export function createReplay({ exchanges }: Recording, owner: string): Replay {
  const queues = new Map<string, Queue>();
  const byShape = new Map<string, Queue[]>();
  const learned = textsLearned(exchanges);
  const isCompared = (text: string): boolean => text.length < MIN_UNCOMPARED_LENGTH || learned.has(text.trim()) || isConstant(text);
  const substitutes = createSubstitutes(isCompared);

  for (const exchange of exchanges) {
    const request = requestOf(exchange);
    const key = keyOf(request);
    const queue = queues.get(key) ?? { texts: textsOf(request), exchanges: [], next: 0 };
    queue.exchanges.push(exchange);
    if (queues.has(key)) continue;
    queues.set(key, queue);
    const shape = shapeOfRequest(request, isCompared);
    const alike = byShape.get(shape) ?? [];
    alike.push(queue);
    byShape.set(shape, alike);
  }

  function queueOf(request: ReplayedRequest): Queue | undefined {
    const recorded = mapTexts(request, substitutes.recordedFor);
    const queue = queues.get(keyOf(recorded));
    if (queue) return queue;
    const texts = textsOf(recorded);
    return byShape.get(shapeOfRequest(recorded, isCompared))?.find((each) => substitutes.add(texts, each.texts));
  }

  return {
    answer(request) {
      const queue = queueOf(request);
      const exchange = queue?.exchanges[Math.min(queue.next, queue.exchanges.length - 1)];
      if (!queue || !exchange) return undefined;
      queue.next += 1;
      const { body, text } = exchange.response ?? {};
      if (body === undefined) return { exchange, text };
      const json = JSON.stringify(body).replaceAll(JSON.stringify(RECORDED_OWNER), () => JSON.stringify(owner));
      return { exchange, text: substitutes.ofRun(json) };
    },
  };
}

/** The texts of this run that stand for recorded ones. */
interface Substitutes {
  /** Returns the recorded text for which a text of this run stands, or the text itself. */
  recordedFor(text: string): string;
  /** Lets the texts of a request stand for those of a recorded one; false where they cannot. */
  add(texts: readonly string[], recorded: readonly string[]): boolean;
  /** Returns recorded JSON with the texts of this run. */
  ofRun(json: string): string;
}

function createSubstitutes(isCompared: (text: string) => boolean): Substitutes {
  let ofRun: ReadonlyMap<string, string> = new Map();
  let ofRecording: ReadonlyMap<string, string> = new Map();
  return {
    recordedFor: (text) => text.replace(trimmed(text), (core) => ofRecording.get(core) ?? core),
    add(texts, recorded) {
      const [run, back] = [new Map(ofRun), new Map(ofRecording)];
      for (const [index, text] of texts.map(trimmed).entries()) {
        const other = trimmed(recorded[index] ?? '');
        if (text === other) continue;
        const isFree = (run.get(other) ?? text) === text && (back.get(text) ?? other) === other && !run.has(text);
        if (!isFree || isCompared(text) || isCompared(other) || !isLike(text, other)) return false;
        run.set(other, text);
        back.set(text, other);
      }
      [ofRun, ofRecording] = [run, back];
      return true;
    },
    ofRun: (json) => [...ofRun].reduce((rest, [recorded, text]) => rest.replaceAll(innerJson(recorded), () => innerJson(text)), json),
  };
}

/** Returns a text without spaces at its ends, which a service may leave out. */
function trimmed(text: string): string {
  return text.trim();
}

/** Returns a text as it stands between the quotes of JSON. */
function innerJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the texts that were answered before they were asked about: those of the account. The others were chosen by who asked. */
function textsLearned(exchanges: readonly RecordedExchange[]): ReadonlySet<string> {
  const [learned, chosen] = [new Set<string>(), new Set<string>()];
  for (const exchange of exchanges) {
    for (const text of textsOf(requestOf(exchange)).map(trimmed)) if (!learned.has(text)) chosen.add(text);
    for (const text of textsIn(exchange.response?.body).map(trimmed)) if (!chosen.has(text)) learned.add(text);
  }
  return learned;
}

function requestOf({ request: { method, path, query = {}, body } }: RecordedExchange): ReplayedRequest {
  return { method, path: decodedPath(path), query, body };
}

/** Returns a path with its segments decoded, so that two encodings of one ID are equal. One slash at the end is ignored. */
export function decodedPath(path: string): string {
  const segments = path.replace(/(?<=.)\/$/, '').split('/');
  return segments.map((segment) => encodeURIComponent(decoded(segment))).join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function keyOf({ method, path, query, body }: ReplayedRequest): string {
  return stableJson([method, path, query, body ?? null]);
}

/** Returns what of a request is compared where its other texts are not: these are replaced by their shapes. */
function shapeOfRequest(request: ReplayedRequest, isCompared: (text: string) => boolean): string {
  return keyOf(mapTexts(request, (text) => (isCompared(text) ? text : shapeOf(text))));
}

/** Returns the rough shape of a text, which its pseudonym has, too. */
function shapeOf(text: string): string {
  return text.replace(/[A-Za-z0-9]/g, 'x').replace(/[^\x20-\x7e]/g, '?');
}

/**
 * Decides whether a recorded text may be the pseudonym of a text like this one: a digit for a digit, and hexadecimal digits in a row for
 * such.
 */
function isLike(text: string, recorded: string): boolean {
  const classes = text
    .replace(HEXADECIMAL_RUN, (run) => '#'.repeat(run.length))
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'A')
    .replace(/[0-9]/g, '0');
  const forms: { readonly [each: string]: RegExp } = { '#': /[0-9A-Fa-f#]/, a: /[a-z]/, A: /[A-Z]/, '0': /[0-9]/ };
  return text.length === recorded.length && classes.split('').every((each, at) => forms[each]?.test(recorded.charAt(at)) !== false);
}

/** Replaces the texts of a request: the segments of its path, the values of its query, and the strings of its body. */
function mapTexts(request: ReplayedRequest, map: (text: string) => string): ReplayedRequest {
  const mapJson = (value: Json): Json => {
    if (typeof value === 'string') return map(value);
    if (isList(value)) return value.map(mapJson);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapJson(part)])) : value;
  };
  return {
    method: request.method,
    path: request.path
      .split('/')
      .map((segment) => encodeURIComponent(map(decoded(segment))))
      .join('/'),
    query: Object.fromEntries(Object.entries(request.query).map(([name, value]) => [name, map(value)])),
    body: request.body === undefined ? undefined : mapJson(request.body),
  };
}

/** Returns the texts of a request in a fixed order. */
function textsOf(request: ReplayedRequest): readonly string[] {
  const texts: string[] = [];
  const sorted: ReplayedRequest = {
    ...request,
    query: Object.fromEntries(Object.entries(request.query).sort(([a], [b]) => (a < b ? -1 : 1))),
    body: request.body === undefined ? undefined : JSON.parse(stableJson(request.body)),
  };
  mapTexts(sorted, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Returns the texts of a body and the names of its members. */
function textsIn(value: Json | undefined): readonly string[] {
  const texts: string[] = [];
  const walk = (part: Json): void => {
    if (typeof part === 'string') texts.push(part);
    else if (isList(part)) part.forEach(walk);
    else if (isObject(part)) {
      for (const [name, inner] of Object.entries(part)) {
        texts.push(name);
        walk(inner);
      }
    }
  };
  if (value !== undefined) walk(value);
  return texts;
}
