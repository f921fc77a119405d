/** Converts the events of a YAML text to plain values. Objects have no prototype, so that no key can access inherited members. */
import type { FindingText } from '../../model/finding.ts';
import { type Json, nullProtoObject, type Path } from '../../model/json.ts';
import { ambiguousScalar, anchorWithColon, skipIndicators, TabSearch, tabAtLineStart, tabBefore, tabBeforeBlock } from './ambiguity.ts';
import {
  ABSENT,
  EVENT_ID,
  type Event,
  EventReader,
  isAbsent,
  isFlow,
  isPlain,
  isSimpleScalar,
  MAX_DEPTH,
  type ScalarEvent,
  scalarStart,
  scalarText,
  scalarValue,
} from './js-yaml-events.ts';
import { MAX_KEY, placeholderAt, tooDeep, YAML_ERRORS, type YamlSyntaxError } from './syntax-errors.ts';

/** Maximum number of values that the aliases of one document may repeat in total. */
const MAX_ALIASED = 100_000;

/** Reports an error at an offset of the text. */
export type Report = (offset: number, code: string, summary: string, hint?: string, otherPlace?: FindingText['otherPlace']) => void;

/** A text and its events. */
interface EventInput {
  readonly text: string;
  readonly events: readonly Event[];
  readonly report: Report;
  /** Line of an offset, from 1. */
  readonly lineOf: (offset: number) => number;
}

/** The state of the traversal of a document. */
interface Traversal extends Omit<EventInput, 'events'> {
  readonly reader: EventReader;
  /** Values by anchor, with the number of values in them; null while the anchored value is being read. */
  readonly anchors: Map<string, { readonly value: Json; readonly size: number; readonly isInvalid: boolean } | null>;
  /** The current path. */
  readonly path: (string | number)[];
  /** The paths that `readDocuments` returns. */
  readonly invalidPaths: Path[];
  /** Whether the text contains a tab. */
  readonly hasTabs: boolean;
  readonly tabSearch: TabSearch;
  /** Number of values so far, including those that aliases repeated. */
  valueCount: number;
  /** Number of values that aliases repeated. */
  aliasedCount: number;
  /** Number of enclosing maps and lists. */
  depth: number;
  /** How many of them are in brackets. */
  flowDepth: number;
}

/**
 * Returns the values of the documents with content, and reports every error. `invalidPaths` are the paths of values that must not be used
 * because of an error:
 * - a null that stands for a value that could not be read
 * - a number, or a value after a tab, which is returned as it was read
 * - a map with an invalid key
 *
 * Errors without such a path: a key that cannot be used or is repeated (it is left out with its value), a key with a tag, and half a
 * surrogate pair in a value.
 *
 * @throws TooDeepError
 */
export function readDocuments(input: EventInput): { readonly documents: readonly Json[]; readonly invalidPaths: readonly Path[] } {
  const documents: Json[] = [];
  const invalidPaths: Path[] = [];
  const { text, report, lineOf } = input;
  const reader = new EventReader(text, input.events);
  const hasTabs = text.includes('\t');
  const tabSearch = new TabSearch(text);
  while (reader.peek !== undefined) {
    reader.next();
    const traversal: Traversal = {
      text,
      report,
      lineOf,
      reader,
      hasTabs,
      tabSearch,
      anchors: new Map(),
      path: [],
      invalidPaths,
      valueCount: 0,
      aliasedCount: 0,
      depth: 0,
      flowDepth: 0,
    };
    if (isAbsent(reader.peek)) skipEmptyDocument(traversal);
    else documents.push(readValue(traversal));
    reader.next();
  }
  return { documents, invalidPaths };
}

/** Skips a document without content. */
function skipEmptyDocument(traversal: Traversal): void {
  const { reader, text } = traversal;
  if (traversal.hasTabs) {
    const end = skipIndicators(text, reader.offset);
    const tab = tabAtLineStart(text, reader.offset, end);
    if (tab !== undefined) reportInvalid(tab, traversal);
    reader.advanceTo(end);
  }
  const { peek: ahead } = reader;
  reader.next();
  if (ahead?.type === EVENT_ID.SCALAR && ahead.tagStart !== ABSENT) traversal.report(ahead.tagStart, 'yaml-syntax', ...YAML_ERRORS.tag);
}

/** Reports that maps and lists are nested too deep, so that the whole file is rejected. */
export class TooDeepError extends Error {
  readonly reason: YamlSyntaxError;

  constructor(reason: YamlSyntaxError) {
    super(reason.summary);
    this.reason = reason;
  }
}

/** Adds the current path to the invalid ones. Returns null, for a caller that does not keep the value. */
function markInvalid(traversal: Traversal): null {
  traversal.invalidPaths.push([...traversal.path]);
  return null;
}

function readMember(step: string | number, traversal: Traversal): Json {
  traversal.path.push(step);
  const value = readValue(traversal);
  traversal.path.pop();
  return value;
}

function readValue(traversal: Traversal): Json {
  const event = traversal.reader.next();
  const { type } = event;
  traversal.valueCount++;
  if (type === EVENT_ID.ALIAS)
    return resolveAlias(traversal.text.slice(event.anchorStart, event.anchorEnd), event.anchorStart - 1, traversal);
  if (type === EVENT_ID.DOCUMENT || type === EVENT_ID.POP) throw new Error('js-yaml gives a node no event');
  if (event.anchorStart === ABSENT) return readRejectingTags(event, traversal);
  const { valueCount, invalidPaths } = traversal;
  const known = invalidPaths.length;
  const anchor = traversal.text.slice(event.anchorStart, event.anchorEnd);
  if (anchor.endsWith(':')) reportInvalid(anchorWithColon(event.anchorStart - 1), traversal);
  traversal.anchors.set(anchor, null);
  const value = readRejectingTags(event, traversal);
  // A nested anchor of the same name was defined later, and stays in effect.
  if (traversal.anchors.get(anchor) === null)
    traversal.anchors.set(anchor, { value, size: traversal.valueCount - valueCount + 1, isInvalid: invalidPaths.length > known });
  return value;
}

type NodeEvent = Extract<Event, { readonly tagStart: number }>;

/** Reads a node without its anchor. Rejects every tag: parsers interpret tags differently, and none has a meaning here. */
function readRejectingTags(event: NodeEvent, traversal: Traversal): Json {
  if (event.tagStart === ABSENT) return readContent(event, traversal);
  traversal.report(event.tagStart, 'yaml-syntax', ...YAML_ERRORS.tag);
  readContent(event, traversal);
  return markInvalid(traversal);
}

function readContent(event: NodeEvent, traversal: Traversal): Json {
  if (traversal.hasTabs && traversal.flowDepth === 0) rejectTab(event, traversal);
  if (event.type === EVENT_ID.SCALAR) return readScalar(event, traversal);
  const flow = isFlow(event) ? 1 : 0;
  traversal.depth += 1;
  traversal.flowDepth += flow;
  if (traversal.depth > MAX_DEPTH) throw new TooDeepError(tooDeep(event.start + 1));
  const value = event.type === EVENT_ID.MAPPING ? readMap(traversal) : readList(traversal);
  traversal.depth -= 1;
  traversal.flowDepth -= flow;
  return value;
}

/** Rejects tabs as indentation, which some parsers accept before a node of one line. */
function rejectTab(event: NodeEvent, traversal: Traversal): void {
  const isScalar = event.type === EVENT_ID.SCALAR;
  const content = isScalar ? (event.valueStart === ABSENT ? ABSENT : scalarStart(traversal.text, event)) : event.start;
  const anchor = event.anchorStart === ABSENT ? ABSENT : event.anchorStart - 1;
  const tabs = [
    anchor === ABSENT ? undefined : tabBefore(traversal.text, anchor),
    content === ABSENT
      ? undefined
      : isScalar || isFlow(event)
        ? tabBefore(traversal.text, content)
        : tabBeforeBlock(traversal.text, content),
  ];
  const tab = tabs.find((error) => error !== undefined);
  if (tab !== undefined) reportInvalid(tab, traversal);
}

/** Returns the anchored value itself, not a copy. Counts its size, so that a few lines cannot expand to millions of values. */
function resolveAlias(anchor: string, offset: number, traversal: Traversal): Json {
  const anchored = traversal.anchors.get(anchor);
  if (anchored === undefined)
    traversal.report(
      offset,
      'alias',
      'there is no anchor of this name before the alias',
      'Quote the text if it was not meant as an alias.',
    );
  if (anchored === null) traversal.report(offset, 'alias', 'this alias is inside the value that it repeats');
  if (!anchored || traversal.aliasedCount > MAX_ALIASED) return markInvalid(traversal);
  traversal.aliasedCount += anchored.size;
  traversal.valueCount += anchored.size;
  if (anchored.isInvalid) markInvalid(traversal);
  if (traversal.aliasedCount <= MAX_ALIASED) return anchored.value;
  traversal.report(
    offset,
    'alias',
    `the aliases of this document repeat more than ${MAX_ALIASED} values`,
    'Write the values out, or in fewer levels of aliases.',
  );
  return markInvalid(traversal);
}

function readScalar(event: ScalarEvent, traversal: Traversal): Json {
  if (event.valueStart === ABSENT) {
    if (traversal.hasTabs && !isMember(traversal)) rejectTabAtLineStart(traversal);
    return null;
  }
  const ambiguity = ambiguousScalar(traversal.text, event, traversal.path.length === 0);
  if (ambiguity !== undefined) return reportInvalid(ambiguity, traversal);
  const value = scalarValue(traversal.text, event);
  if (typeof value === 'number') return numberValue(value, event, traversal);
  if (typeof value === 'string' && hasSurrogate(value, event))
    traversal.report(scalarStart(traversal.text, event), 'not-text', 'half a surrogate pair is not a character');
  return value;
}

/** Decides whether the current value is a member of a map, not an item or a root. */
function isMember({ path }: Traversal): boolean {
  return typeof path.at(-1) === 'string';
}

function reportInvalid({ offset, code, summary, hint }: YamlSyntaxError, traversal: Traversal): null {
  traversal.report(offset, code, summary, hint);
  return markInvalid(traversal);
}

/** Rejects a line that begins with a tab, between a key and its value or where a value is absent: only some parsers accept it. */
function rejectTabAtLineStart(traversal: Traversal): void {
  const tab = traversal.tabSearch.after(traversal.reader.offset);
  if (tab !== undefined) reportInvalid(tab, traversal);
}

/** Decides whether a text contains half a surrogate pair, which only escapes can produce, since UTF-8 cannot contain one. */
function hasSurrogate(text: string, event: ScalarEvent): boolean {
  return !isSimpleScalar(event) && /\p{Surrogate}/u.test(text);
}

/** Rejects two notations that YAML allows, because the number would differ from the written one. */
function numberValue(value: number, event: ScalarEvent, traversal: Traversal): Json {
  const hint = 'If it is an ID or a text, put it in quotes.';
  const offset = event.valueStart;
  const isInexact = !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  const hasLeadingZero = /^[-+]?0[0-9]/.test(scalarText(traversal.text, event));
  if (isInexact) traversal.report(offset, 'ambiguous-number', 'this number cannot be read exactly', hint);
  if (hasLeadingZero)
    traversal.report(
      offset,
      'ambiguous-number',
      'a leading zero means different things in different versions of YAML',
      'Write the number without it. If it is an ID or a text, put it in quotes.',
    );
  if (isInexact || hasLeadingZero) markInvalid(traversal);
  return value;
}

function readList(traversal: Traversal): Json {
  const items: Json[] = [];
  while (!traversal.reader.consumeEnd()) items.push(readMember(items.length, traversal));
  return items;
}

function readMap(traversal: Traversal): Json {
  const { reader } = traversal;
  const value = nullProtoObject();
  const first = reader.index;
  let offsets: ReadonlyMap<string, number> | undefined;
  while (!reader.consumeEnd()) {
    const key = readKey(traversal);
    if (traversal.hasTabs && traversal.flowDepth === 0) rejectTabAtLineStart(traversal);
    if (key === undefined) skipNode(traversal);
    else if (key.name in value) {
      offsets ??= keyOffsets(reader.from(first));
      reportDuplicate(key, offsets.get(key.name) ?? 0, traversal);
      skipNode(traversal);
    } else if (rejectUnusableKey(key, traversal) || rejectMapOnKeyLine(traversal)) skipNode(traversal);
    else value[key.name] = readMember(key.name, traversal);
  }
  return value;
}

/** Reports a map in block style that begins on the line of its key. Returns whether it does. */
function rejectMapOnKeyLine({ reader, text, report }: Traversal): boolean {
  const { peek: ahead, offset } = reader;
  if (ahead?.type !== EVENT_ID.MAPPING || isFlow(ahead) || text.slice(offset, ahead.start).includes('\n')) return false;
  report(ahead.start, 'yaml-syntax', ...YAML_ERRORS.secondColon);
  return true;
}

/** A key of a map. */
interface Key {
  readonly name: string;
  readonly event: ScalarEvent;
  readonly start: number;
}

/** Reads a key. Reports a key that is not text, and returns undefined for it. */
function readKey(traversal: Traversal): Key | undefined {
  const event = traversal.reader.peek;
  if (event?.type === EVENT_ID.SCALAR) {
    traversal.reader.next();
    if (traversal.hasTabs && traversal.flowDepth === 0) rejectTab(event, traversal);
    if (event.tagStart !== ABSENT) traversal.report(event.tagStart, 'yaml-syntax', ...YAML_ERRORS.tag);
    const ambiguity = ambiguousScalar(traversal.text, event, false);
    if (ambiguity !== undefined) reportInvalid(ambiguity, traversal);
    if (event.valueStart === ABSENT) traversal.reader.advanceTo(traversal.reader.nextTokenOffset);
    const start = event.valueStart === ABSENT ? traversal.reader.offset : scalarStart(traversal.text, event);
    return { event, start, name: scalarText(traversal.text, event) };
  }
  const offset = event?.type === EVENT_ID.ALIAS ? event.anchorStart - 1 : event && 'start' in event ? event.start : 0;
  const placeholder = placeholderAt(traversal.text, offset);
  if (placeholder === undefined) traversal.report(offset, 'yaml-syntax', ...YAML_ERRORS.key);
  else traversal.report(placeholder.offset, placeholder.code, placeholder.summary, placeholder.hint);
  markInvalid(traversal);
  skipNode(traversal);
  return undefined;
}

/** Skips a node without reporting anything in it. */
function skipNode(traversal: Traversal): void {
  const start = traversal.reader.offset;
  if (isAbsent(traversal.reader.peek) && traversal.text.charAt(traversal.reader.nextTokenOffset) === ':')
    traversal.reader.advanceTo(traversal.reader.nextTokenOffset + 1);
  if (traversal.depth + traversal.reader.skip() > MAX_DEPTH) throw new TooDeepError(tooDeep(start));
}

function reportDuplicate({ name, start }: Key, first: number, traversal: Traversal): void {
  const otherPlace = { line: traversal.lineOf(first) };
  traversal.report(start, 'duplicate-key', `\`${name}\` is defined twice in one map`, 'Keep one of them.', otherPlace);
}

/** Returns the offset of the first key of each name in the current map of the reader. */
function keyOffsets(reader: EventReader): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  while (!reader.consumeEnd()) {
    const { peek: ahead } = reader;
    const name = ahead?.type === EVENT_ID.SCALAR ? scalarText(reader.text, ahead) : undefined;
    if (ahead?.type === EVENT_ID.SCALAR && name !== undefined && !offsets.has(name)) offsets.set(name, scalarStart(reader.text, ahead));
    reader.skip();
    reader.skip();
  }
  return offsets;
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Reports a key that cannot be used. Returns whether it was rejected. */
function rejectUnusableKey(key: Key, traversal: Traversal): boolean {
  const { name, start } = key;
  const report = (code: string, summary: string, hint?: string) => traversal.report(start, code, summary, hint);
  if (name === '') report('unsupported-key', 'a key must not be empty');
  else if (name === '<<' && isPlain(key.event))
    report('unsupported-key', 'merge keys (`<<`) are not supported', 'Repeat the lines, or overlay them in a later source.');
  else if (forbidden.has(name)) report('unsupported-key', `\`${name}\` cannot be used as a key`);
  else if (hasSurrogate(name, key.event)) report('not-text', 'half a surrogate pair is not a character');
  else if (isTooLong(key, traversal)) report('yaml-syntax', ...YAML_ERRORS.longKey);
  else return false;
  // A merge may bring any key, so it is not certain that a key of this map is missing.
  if (name === '<<') markInvalid(traversal);
  return true;
}

/** Decides whether a key is longer than YAML allows, which js-yaml does not check. */
function isTooLong({ start }: Key, { reader, text }: Traversal): boolean {
  const colon = text.charAt(reader.offset) === ':' ? reader.offset : reader.nextTokenOffset;
  return colon - start > MAX_KEY;
}
