/** Parses YAML to events with offsets; the only module that imports package js-yaml. */
import {
  boolCoreTag,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { joinClosingBrackets, rangesInScalars, type TextRange } from './closing-brackets.ts';
import { syntaxError, type YamlError } from './syntax-errors.ts';

export { EVENT_ID, type Event, getScalarValue as scalarText, type ScalarEvent } from 'js-yaml';

/** Maximum nesting depth of maps and lists. */
export const MAX_DEPTH = 64;

/** Maximum number of documents of one file that are parsed separately where one of them is invalid. */
const MAX_DOCUMENTS_WHEN_INVALID = 1_000;

/** Offset of an absent node. */
export const ABSENT = -1;

/** The events of the valid documents, and the errors of the others. */
export interface ParsedText {
  readonly events: readonly Event[];
  readonly errors: readonly YamlError[];
}

/**
 * Parses a text. js-yaml stops at the first error, so documents of an invalid text are parsed one by one: each has at most one error. A text
 * that is nested too deep has no events at all; the parser counts levels while it reads, and never goes deeper.
 */
export function parseText(text: string): ParsedText {
  const whole = parsePart(text, 0, text.length);
  if ('events' in whole) return { events: whole.events, errors: [] };
  const starts = [0, ...[...text.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index).filter((index) => index > 0)];
  if (starts.length === 1 || starts.length > MAX_DOCUMENTS_WHEN_INVALID || whole.error.code === 'too-deep')
    return { events: [], errors: [whole.error] };
  const parts = starts.map((start, index) => parsePart(text, start, starts[index + 1] ?? text.length));
  const errors = parts.flatMap((part) => ('error' in part ? part.error : []));
  if (errors.some(({ code }) => code === 'too-deep'))
    return { events: [], errors: errors.filter(({ code }) => code === 'too-deep').slice(0, 1) };
  // Documents that are valid separately but not together are an error, too.
  if (errors.length === 0) return { events: [], errors: [whole.error] };
  return { events: parts.flatMap((part) => ('events' in part ? part.events : [])), errors };
}

function parsePart(text: string, start: number, end: number): { readonly events: readonly Event[] } | { readonly error: YamlError } {
  const part = text.slice(start, end);
  const first = tryParse(part, MAX_DEPTH + 1);
  const isDeep = 'error' in first && first.error.code === 'too-deep';
  // js-yaml counts a scalar as a level, and one more where it looks for a key. `to-json.ts` counts the exact number of levels.
  const again = isDeep ? tryParse(part, MAX_DEPTH + 2) : first;
  const parsed = 'events' in again ? again : first;
  if ('error' in parsed) return { error: { ...parsed.error, offset: start + parsed.error.offset } };
  return start === 0 ? parsed : { events: parsed.events.map((event) => shiftEvent(event, start)) };
}

type ParseAttempt = { readonly events: readonly Event[] } | { readonly error: YamlError; readonly isClosingBracket: boolean };

/** Parses a text; a closing bracket in the column of its key, which js-yaml rejects, is accepted as other parsers do. */
function tryParse(text: string, maxDepth: number): ParseAttempt {
  const first = parseOnce(text, text, maxDepth);
  if ('events' in first || !first.isClosingBracket) return first;
  const all = joinClosingBrackets(text);
  const again = parseOnce(all.joined, text, maxDepth);
  if (!('events' in again)) return first;
  const inScalars = rangesInScalars(scalarRanges(again.events), all.ranges);
  if (inScalars.size === 0) return areIndented(again.events, all.ranges, text) ? again : first;
  const rest = joinClosingBrackets(text, inScalars);
  const last = parseOnce(rest.joined, text, maxDepth);
  const isRead = 'events' in last && rangesInScalars(scalarRanges(last.events), rest.ranges).size === 0;
  return isRead && areIndented(last.events, rest.ranges, text) ? last : first;
}

/**
 * Decides whether each closing bracket after a range is indented enough: the last one of a value at least as far as the block that the value
 * belongs to, the others further.
 */
function areIndented(events: readonly Event[], ranges: readonly TextRange[], text: string): boolean {
  const open: { readonly column: number; readonly isFlow: boolean }[] = [];
  let last = 0;
  let next = 0;
  const isIndented = ([start, end]: TextRange): boolean => {
    const outermost = open.findIndex(({ isFlow }) => isFlow);
    const closed =
      text
        .slice(last, start)
        .replace(/#[^\n]*/g, '')
        .match(/[\]}]/g)?.length ?? 0;
    const isLast = open.length - outermost - closed === 1;
    return columnAfter(end, text) >= (open[outermost - 1]?.column ?? -1) + (isLast ? 0 : 1);
  };
  let pops = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      pops += 1;
      continue;
    }
    const offset = startOf(event);
    if (offset === ABSENT) continue;
    for (let range = ranges[next]; range !== undefined && range[1] <= offset; range = ranges[++next]) if (!isIndented(range)) return false;
    open.splice(Math.max(open.length - pops, 0));
    pops = 0;
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
      open.push({ column: event.start - text.lastIndexOf('\n', event.start - 1) - 1, isFlow: isFlow(event) });
    last = event.type === EVENT_ID.SCALAR ? Math.max(event.valueEnd, last) : Math.max(offset + 1, last);
  }
  return ranges.slice(next).every(isIndented);
}

function startOf(event: Exclude<Event, { readonly type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start;
}

/** Returns how many spaces follow an offset. */
function columnAfter(offset: number, text: string): number {
  let at = offset;
  while (text.charAt(at) === ' ') at += 1;
  return at - offset;
}

function scalarRanges(events: readonly Event[]): readonly TextRange[] {
  return events.flatMap((event): TextRange[] =>
    event.type === EVENT_ID.SCALAR && event.valueStart !== ABSENT ? [[event.valueStart, event.valueEnd]] : [],
  );
}

function parseOnce(parsed: string, text: string, maxDepth: number): ParseAttempt {
  try {
    return { events: parseEvents(parsed, { maxDepth }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const position = error.mark?.position ?? 0;
    const isClosingBracket = error.reason === 'deficient indentation' && /[\]}]/.test(text.charAt(position));
    return { error: syntaxError(text, error.reason, position), isClosingBracket };
  }
}

/** Adds `by` to all offsets of an event. */
function shiftEvent(event: Event, by: number): Event {
  const moved = (offset: number) => (offset === ABSENT ? ABSENT : offset + by);
  const { type } = event;
  if (type === EVENT_ID.DOCUMENT || type === EVENT_ID.POP) return event;
  const anchor = { anchorStart: moved(event.anchorStart), anchorEnd: moved(event.anchorEnd) };
  if (type === EVENT_ID.ALIAS) return { ...event, ...anchor };
  const tagged = { ...anchor, tagStart: moved(event.tagStart), tagEnd: moved(event.tagEnd) };
  if (type === EVENT_ID.SCALAR) return { ...event, ...tagged, valueStart: moved(event.valueStart), valueEnd: moved(event.valueEnd) };
  return { ...event, ...tagged, start: moved(event.start) };
}

/** Decides whether the node of an event is absent. */
export function isBlank(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.SCALAR && event.valueStart === ABSENT && event.style === SCALAR_STYLE.PLAIN;
}

/** Decides whether a scalar is a literal or folded block. */
export function isBlockScalar({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
}

/** Decides whether a scalar is double-quoted, so that escapes have a meaning. */
export function isDoubleQuoted({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.DOUBLE_QUOTED;
}

/** Decides whether a scalar is plain, neither quoted nor a block. */
export function isPlain({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.PLAIN;
}

/** Decides whether a map or list is in flow style (brackets). */
export function isFlow(event: Event): boolean {
  return 'start' in event && event.style === COLLECTION_STYLE.FLOW;
}

/**
 * Returns the offset of the first character of a scalar, including its quote or block indicator; `from` is an offset between the previous
 * token and the scalar.
 */
export function scalarStart(text: string, event: ScalarEvent, from = 0): number {
  const { style, valueStart } = event;
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  const end = text.charAt(valueStart - 1) === '\n' ? valueStart - 1 : valueStart;
  const head = Math.max(text.lastIndexOf('\n', end - 1) + 1, from, event.anchorEnd, event.tagEnd);
  return head + Math.max(text.slice(head, end).search(/[|>]/), 0);
}

/** Returns the offset after the last character of a scalar. */
export function scalarEnd({ style, valueEnd }: ScalarEvent): number {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? valueEnd + 1 : valueEnd;
}

/** Returns the value of a scalar by the core schema of YAML 1.2; quoted and block scalars are texts. */
export function scalarValue(text: string, event: ScalarEvent): string | number | boolean | null {
  const source = getScalarValue(text, event);
  return event.style === SCALAR_STYLE.PLAIN ? plainValue(source) : source;
}

function plainValue(source: string): string | number | boolean | null {
  if (source !== '' && !/^[-+.0-9~nNtTfF]/.test(source)) return source;
  for (const { resolve, tagName } of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value = resolve(source, false, tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  // js-yaml reads a number that is too large as a text; by the schema it is a number.
  return /^[-+.0-9]/.test(source) && Math.abs(Number(source)) === Number.POSITIVE_INFINITY ? Number(source) : source;
}
