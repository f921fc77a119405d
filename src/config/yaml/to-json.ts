/** The events of a YAML text as plain values. Objects have no prototype, so that no key can reach what every object inherits. */
import { type Json, nullProtoObject, type Path } from '../../model/json.ts';
import { ambiguousScalar, pastSigns, tabBefore, tabBelow, unclearAnchor } from './ambiguity.ts';
import { EventReader } from './event-reader.ts';
import { REFUSED, tooDeep, type YamlError } from './syntax-errors.ts';
import {
  ABSENT,
  EVENT_ID,
  type Event,
  isBlank,
  isFlow,
  MAX_DEPTH,
  type ScalarEvent,
  scalarStart,
  scalarText,
  scalarValue,
} from './yaml-parser.ts';

/** Values that the aliases of one document may repeat, all told. */
const MAX_ALIASED = 100_000;

/** Most characters of a key, up to its colon. */
const MAX_KEY = 1024;

/** Tells that something is wrong at an offset of the text. */
export type Report = (offset: number, code: string, summary: string, hint?: string) => void;

/** A text and its events. */
interface Source {
  readonly text: string;
  readonly events: readonly Event[];
  readonly report: Report;
  /** Line of an offset, from 1. */
  readonly lineOf: (offset: number) => number;
}

/** What the walk over a document remembers. */
interface Walk extends Source {
  readonly reader: EventReader;
  /** Values by anchor, with how many values they hold; null while the anchored value is still being read. */
  readonly anchors: Map<string, { readonly value: Json; readonly size: number; readonly isRefused: boolean } | null>;
  /** Where the walk is, and where it met what cannot be a value. */
  readonly path: (string | number)[];
  readonly refused: Path[];
  /** Whether there is any tab in the text. */
  readonly hasTabs: boolean;
  /** Values so far, repeated ones included, and how many of them aliases repeated. */
  count: number;
  aliased: number;
  /** Maps and lists that the walk is in, and how many of them are in brackets. */
  depth: number;
  flow: number;
}

/** The values of the documents with content; what cannot be a value is reported, read as null or left out, and its paths are listed. @throws TooDeep */
export function plainValues(source: Source): { readonly documents: readonly Json[]; readonly refused: readonly Path[] } {
  const documents: Json[] = [];
  const refused: Path[] = [];
  const reader = new EventReader(source.text, source.events);
  const hasTabs = source.text.includes('\t');
  while (reader.ahead !== undefined) {
    reader.next();
    const walk: Walk = { ...source, reader, hasTabs, anchors: new Map(), path: [], refused, count: 0, aliased: 0, depth: 0, flow: 0 };
    if (isBlank(reader.ahead)) passBlank(walk);
    else documents.push(toValue(walk));
    reader.next();
  }
  return { documents, refused };
}

/** Passes a document without content. */
function passBlank(walk: Walk): void {
  const { reader, text } = walk;
  if (walk.hasTabs) {
    const end = pastSigns(text, reader.end);
    const tab = tabBelow(text, reader.end, end);
    if (tab !== undefined) refuseAs(tab, walk);
    reader.pass(end);
  }
  const { ahead } = reader;
  reader.next();
  if (ahead?.type === EVENT_ID.SCALAR && ahead.tagStart !== ABSENT) walk.report(ahead.tagStart, 'yaml-syntax', ...REFUSED.tag);
}

/** Maps and lists stand in one another on too many levels: nothing of the file is read. */
export class TooDeep extends Error {
  readonly reason: YamlError;

  constructor(reason: YamlError) {
    super(reason.summary);
    this.reason = reason;
  }
}

/** Remembers that what stands at the walk's place is not what the file says. */
function refuse(walk: Walk): null {
  walk.refused.push([...walk.path]);
  return null;
}

function below(step: string | number, walk: Walk): Json {
  walk.path.push(step);
  const value = toValue(walk);
  walk.path.pop();
  return value;
}

function toValue(walk: Walk): Json {
  const event = walk.reader.next();
  const { type } = event;
  walk.count++;
  if (type === EVENT_ID.ALIAS) return aliased(walk.text.slice(event.anchorStart, event.anchorEnd), event.anchorStart - 1, walk);
  if (type === EVENT_ID.DOCUMENT || type === EVENT_ID.POP) throw new Error('js-yaml gives a node no event');
  if (event.anchorStart === ABSENT) return untagged(event, walk);
  const { count, refused } = walk;
  const known = refused.length;
  const anchor = walk.text.slice(event.anchorStart, event.anchorEnd);
  if (anchor.endsWith(':')) refuseAs(unclearAnchor(event.anchorStart - 1), walk);
  walk.anchors.set(anchor, null);
  const value = untagged(event, walk);
  // The same name within the value is the later one, and counts from then on.
  if (walk.anchors.get(anchor) === null)
    walk.anchors.set(anchor, { value, size: walk.count - count + 1, isRefused: refused.length > known });
  return value;
}

type NodeEvent = Extract<Event, { readonly tagStart: number }>;

/** Every tag is refused: parsers differ in what they make of them, and none has a meaning here. */
function untagged(event: NodeEvent, walk: Walk): Json {
  if (event.tagStart === ABSENT) return contentOf(event, walk);
  walk.report(event.tagStart, 'yaml-syntax', ...REFUSED.tag);
  contentOf(event, walk);
  return refuse(walk);
}

function contentOf(event: NodeEvent, walk: Walk): Json {
  if (walk.hasTabs && walk.flow === 0) refuseTab(event, walk);
  if (event.type === EVENT_ID.SCALAR) return scalar(event, walk);
  const flow = isFlow(event) ? 1 : 0;
  walk.depth += 1;
  walk.flow += flow;
  if (walk.depth > MAX_DEPTH) throw new TooDeep(tooDeep(event.start + 1));
  const value = event.type === EVENT_ID.MAPPING ? mapValue(walk) : listValue(walk);
  walk.depth -= 1;
  walk.flow -= flow;
  return value;
}

/** Blocks are indented with spaces; some parsers let tabs pass where a node is one line. */
function refuseTab(event: NodeEvent, walk: Walk): void {
  const { anchorStart } = event;
  const content = 'start' in event ? event.start : event.valueStart === ABSENT ? ABSENT : scalarStart(walk.text, event);
  const start = anchorStart === ABSENT ? content : anchorStart - 1;
  const tab = start < 0 ? undefined : tabBefore(walk.text, start);
  if (tab !== undefined) refuseAs(tab, walk);
}

/** The anchored value itself, not a copy. Its size counts, so that a few lines cannot stand for millions of values. */
function aliased(source: string, offset: number, walk: Walk): Json {
  const target = walk.anchors.get(source);
  if (target === undefined)
    walk.report(offset, 'alias', 'no anchor of this name stands before the alias', 'Quote the text if it was not meant as an alias.');
  if (target === null) walk.report(offset, 'alias', 'this alias stands inside the value that it repeats');
  if (!target || walk.aliased > MAX_ALIASED) return refuse(walk);
  walk.aliased += target.size;
  walk.count += target.size;
  if (target.isRefused) refuse(walk);
  if (walk.aliased <= MAX_ALIASED) return target.value;
  walk.report(
    offset,
    'alias',
    `the aliases of this document repeat more than ${MAX_ALIASED} values`,
    'Write the values out, or in fewer levels of aliases.',
  );
  return refuse(walk);
}

function scalar(event: ScalarEvent, walk: Walk): Json {
  if (event.valueStart === ABSENT) {
    if (walk.hasTabs && !isMember(walk)) refuseTabBelow(walk);
    return null;
  }
  const ambiguity = ambiguousScalar(walk.text, event, walk.path.length === 0);
  if (ambiguity !== undefined) return refuseAs(ambiguity, walk);
  const value = scalarValue(walk.text, event);
  if (typeof value === 'number') return numberValue(value, event, walk);
  if (typeof value === 'string' && hasSurrogate(value, event))
    walk.report(scalarStart(walk.text, event), 'not-text', 'half a surrogate pair is not a character');
  return value;
}

/** Whether the walk is at a member of a map, and not at an item or a root. */
function isMember({ path }: Walk): boolean {
  return typeof path.at(-1) === 'string';
}

function refuseAs({ offset, code, summary, hint }: YamlError, walk: Walk): null {
  walk.report(offset, code, summary, hint);
  return refuse(walk);
}

/** A line that begins with a tab, between a key and its value or where nothing is written, is an error for some parsers, and none for others. */
function refuseTabBelow(walk: Walk): void {
  const tab = tabBelow(walk.text, walk.reader.end);
  if (tab !== undefined) refuseAs(tab, walk);
}

/** Whether a text holds half a surrogate pair: only escapes can bring one in, because UTF-8 holds none. */
function hasSurrogate(text: string, { fast }: ScalarEvent): boolean {
  return !fast && /\p{Surrogate}/u.test(text);
}

/** Two notations are refused although YAML reads them, because the number would not be the one that is written. */
function numberValue(value: number, event: ScalarEvent, walk: Walk): Json {
  const hint = 'If it is an ID or a text, put it in quotes.';
  const offset = event.valueStart;
  const isInexact = !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  const hasLeadingZero = /^[-+]?0[0-9]/.test(scalarText(walk.text, event));
  if (isInexact) walk.report(offset, 'ambiguous-number', 'this number cannot be read exactly', hint);
  if (hasLeadingZero) walk.report(offset, 'ambiguous-number', 'a leading zero means different things in different versions of YAML', hint);
  if (isInexact || hasLeadingZero) refuse(walk);
  return value;
}

function listValue(walk: Walk): Json {
  const items: Json[] = [];
  while (!walk.reader.ends()) items.push(below(items.length, walk));
  return items;
}

function mapValue(walk: Walk): Json {
  const { reader } = walk;
  const value = nullProtoObject();
  const first = reader.index;
  let offsets: ReadonlyMap<string, number> | undefined;
  while (!reader.ends()) {
    const key = readKey(walk);
    if (walk.hasTabs && walk.flow === 0) refuseTabBelow(walk);
    if (key === undefined) skip(walk);
    else if (key.name in value) {
      offsets ??= keyOffsets(reader.from(first));
      reportDuplicate(key, offsets.get(key.name) ?? 0, walk);
      skip(walk);
    } else if (isUsable(key, walk) && !isCrowded(walk)) value[key.name] = below(key.name, walk);
    else skip(walk);
  }
  return value;
}

/** Whether a map in block style begins in the line of its key, which is reported. */
function isCrowded({ reader, text, report }: Walk): boolean {
  const { ahead, end } = reader;
  if (ahead?.type !== EVENT_ID.MAPPING || isFlow(ahead) || text.slice(end, ahead.start).includes('\n')) return false;
  report(ahead.start, 'yaml-syntax', ...REFUSED.secondColon);
  return true;
}

/** A key, as a text. */
interface Key {
  readonly name: string;
  readonly event: ScalarEvent;
  readonly start: number;
}

/** Reads a key; undefined where it is no text, which is reported. */
function readKey(walk: Walk): Key | undefined {
  const event = walk.reader.ahead;
  if (event?.type === EVENT_ID.SCALAR) {
    walk.reader.next();
    if (event.tagStart !== ABSENT) walk.report(event.tagStart, 'yaml-syntax', ...REFUSED.tag);
    const ambiguity = ambiguousScalar(walk.text, event, false);
    if (ambiguity !== undefined) refuseAs(ambiguity, walk);
    if (event.valueStart === ABSENT) walk.reader.pass(walk.reader.gap);
    const start = event.valueStart === ABSENT ? walk.reader.end : scalarStart(walk.text, event);
    return { event, start, name: scalarText(walk.text, event) };
  }
  const offset = event?.type === EVENT_ID.ALIAS ? event.anchorStart - 1 : event && 'start' in event ? event.start : 0;
  walk.report(offset, 'yaml-syntax', ...REFUSED.key);
  refuse(walk);
  skip(walk);
  return undefined;
}

/** Passes a node of which nothing is told. */
function skip(walk: Walk): void {
  const start = walk.reader.end;
  if (isBlank(walk.reader.ahead) && walk.text.charAt(walk.reader.gap) === ':') walk.reader.pass(walk.reader.gap + 1);
  if (walk.depth + walk.reader.skip() > MAX_DEPTH) throw new TooDeep(tooDeep(start));
}

function reportDuplicate({ name, start }: Key, first: number, walk: Walk): void {
  const hint = `It stands first in line ${walk.lineOf(first)}; keep one of them.`;
  walk.report(start, 'duplicate-key', `\`${name}\` is written twice in one map`, hint);
}

/** Offsets of the first keys of their names in the map that the reader is in. */
function keyOffsets(reader: EventReader): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  while (!reader.ends()) {
    const { ahead } = reader;
    const name = ahead?.type === EVENT_ID.SCALAR ? scalarText(reader.text, ahead) : undefined;
    if (ahead?.type === EVENT_ID.SCALAR && name !== undefined && !offsets.has(name)) offsets.set(name, scalarStart(reader.text, ahead));
    reader.skip();
    reader.skip();
  }
  return offsets;
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

function isUsable(key: Key, walk: Walk): boolean {
  const { name, start } = key;
  const report = (code: string, summary: string, hint?: string) => walk.report(start, code, summary, hint);
  if (name === '') report('unsupported-key', 'a key must not be empty');
  else if (name === '<<')
    report('unsupported-key', 'merge keys (`<<`) are not supported', 'Repeat the lines, or overlay them in a later source.');
  else if (forbidden.has(name)) report('unsupported-key', `\`${name}\` cannot be used as a key`);
  else if (hasSurrogate(name, key.event)) report('not-text', 'half a surrogate pair is not a character');
  else if (isTooLong(key, walk)) report('yaml-syntax', ...REFUSED.longKey);
  else return true;
  if (name === '<<') refuse(walk);
  return false;
}

/** Whether the colon stands further from the beginning of its key than YAML allows; js-yaml does not mind. */
function isTooLong({ start }: Key, { reader, text }: Walk): boolean {
  const colon = text.charAt(reader.end) === ':' ? reader.end : reader.gap;
  return colon - start > MAX_KEY;
}
