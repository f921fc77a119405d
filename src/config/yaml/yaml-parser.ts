/** Parses YAML by package js-yaml, which nothing else imports: text to events, which name every node by offsets into the text. */
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
import { syntaxError, type YamlError } from './syntax-errors.ts';

export { EVENT_ID, type Event, getScalarValue as scalarText, type ScalarEvent } from 'js-yaml';

/** Most levels of maps and lists in one another. */
export const MAX_DEPTH = 64;

/** Most documents of one file that are looked at where one of them is broken. */
const MAX_BROKEN = 1_000;

/** Offset of a node that is not written. */
export const ABSENT = -1;

/** The events of the documents that are well formed, and what is wrong with the others. */
export interface ParsedText {
  readonly events: readonly Event[];
  readonly errors: readonly YamlError[];
}

/**
 * Parses a text. js-yaml stops at the first mistake, so documents of a broken text are parsed one by one: each has at most one error. A text
 * that is nested too deep has no events at all; the parser counts levels while it reads, and never goes deeper.
 */
export function parseText(text: string): ParsedText {
  const whole = parsePart(text, 0, text.length);
  if ('events' in whole) return { events: whole.events, errors: [] };
  const starts = [0, ...[...text.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index).filter((index) => index > 0)];
  if (starts.length === 1 || starts.length > MAX_BROKEN || whole.error.code === 'too-deep') return { events: [], errors: [whole.error] };
  const parts = starts.map((start, index) => parsePart(text, start, starts[index + 1] ?? text.length));
  const errors = parts.flatMap((part) => ('error' in part ? part.error : []));
  if (errors.some(({ code }) => code === 'too-deep'))
    return { events: [], errors: errors.filter(({ code }) => code === 'too-deep').slice(0, 1) };
  // Documents that are well formed one by one, and not together, are no YAML either.
  if (errors.length === 0) return { events: [], errors: [whole.error] };
  return { events: parts.flatMap((part) => ('events' in part ? part.events : [])), errors };
}

function parsePart(text: string, start: number, end: number): { readonly events: readonly Event[] } | { readonly error: YamlError } {
  const part = text.slice(start, end);
  const first = attempt(part, MAX_DEPTH + 1);
  const isDeep = 'error' in first && first.error.code === 'too-deep';
  // js-yaml counts a scalar as a level, and one more where it looks for a key. What it lets through is counted again, exactly.
  const again = isDeep ? attempt(part, MAX_DEPTH + 2) : first;
  const parsed = 'events' in again ? again : first;
  if ('error' in parsed) return { error: { ...parsed.error, offset: start + parsed.error.offset } };
  return start === 0 ? parsed : { events: parsed.events.map((event) => shifted(event, start)) };
}

function attempt(text: string, maxDepth: number): { readonly events: readonly Event[] } | { readonly error: YamlError } {
  try {
    return { events: parseEvents(text, { maxDepth }) };
  } catch (error) {
    if (error instanceof YAMLException) return { error: syntaxError(text, error.reason, error.mark?.position ?? 0) };
    throw error;
  }
}

/** The same event in a text that has so many characters more before it. */
function shifted(event: Event, by: number): Event {
  const moved = (offset: number) => (offset === ABSENT ? ABSENT : offset + by);
  const { type } = event;
  if (type === EVENT_ID.DOCUMENT || type === EVENT_ID.POP) return event;
  const anchor = { anchorStart: moved(event.anchorStart), anchorEnd: moved(event.anchorEnd) };
  if (type === EVENT_ID.ALIAS) return { ...event, ...anchor };
  const tagged = { ...anchor, tagStart: moved(event.tagStart), tagEnd: moved(event.tagEnd) };
  if (type === EVENT_ID.SCALAR) return { ...event, ...tagged, valueStart: moved(event.valueStart), valueEnd: moved(event.valueEnd) };
  return { ...event, ...tagged, start: moved(event.start) };
}

/** Whether nothing is written where a node could be. */
export function isBlank(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.SCALAR && event.valueStart === ABSENT && event.style === SCALAR_STYLE.PLAIN;
}

/** Whether a scalar is a literal or folded block. */
export function isBlockScalar({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
}

/** Whether a scalar stands in double quotes, where escapes count. */
export function isDoubleQuoted({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.DOUBLE_QUOTED;
}

/** Whether a scalar is written without quotes, and not as a block. */
export function isPlain({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.PLAIN;
}

/** Whether a map or list is written in brackets. */
export function isFlow(event: Event): boolean {
  return 'start' in event && event.style === COLLECTION_STYLE.FLOW;
}

/** Offset of the first character of a scalar, its quote or the sign of a block included; `from` is an offset before it, behind all that stands before it. */
export function scalarStart(text: string, event: ScalarEvent, from = 0): number {
  const { style, valueStart } = event;
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  const end = text.charAt(valueStart - 1) === '\n' ? valueStart - 1 : valueStart;
  const head = Math.max(text.lastIndexOf('\n', end - 1) + 1, from, event.anchorEnd, event.tagEnd);
  return head + Math.max(text.slice(head, end).search(/[|>]/), 0);
}

/** Offset behind the last character of a scalar. */
export function scalarEnd({ style, valueEnd }: ScalarEvent): number {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? valueEnd + 1 : valueEnd;
}

/** The value of a scalar by the core schema of YAML 1.2; what is quoted or a block is a text. */
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
  // What is too large for a number is a text for js-yaml; for the schema it is a number.
  return /^[-+.0-9]/.test(source) && Math.abs(Number(source)) === Number.POSITIVE_INFINITY ? Number(source) : source;
}
