/** Parses YAML to events with offsets, and reads their values; the only module that imports package js-yaml. */
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
import { syntaxError, type YamlSyntaxError } from './syntax-errors.ts';
import { skipBlankAndMarks } from './text.ts';

export { EVENT_ID, type Event, getScalarValue as scalarText, type ScalarEvent } from 'js-yaml';

/** Maximum nesting depth of maps and lists. */
export const MAX_DEPTH = 64;

/** Offset of an absent node. */
export const ABSENT = -1;

/** The events of a text, or its first error. `mayBeValidLayout` is true where YAML may allow the white space that js-yaml rejects. */
export type ParseAttempt = { readonly events: readonly Event[] } | { readonly error: YamlSyntaxError; readonly mayBeValidLayout: boolean };

/**
 * Parses a text: `originalText`, or the same with some of its white space replaced by as many spaces. Describes an error with the original
 * text.
 */
export function parseOnce(patchedText: string, originalText: string, maxDepth: number): ParseAttempt {
  try {
    return { events: parseEvents(patchedText, { maxDepth }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const position = error.mark?.position ?? 0;
    const before = originalText.slice(originalText.lastIndexOf('\n', position - 1) + 1, position);
    const mayBeValidLayout =
      error.reason === 'deficient indentation' && (/[\]}]/.test(originalText.charAt(position)) || before.trimStart().includes('\t'));
    return { error: syntaxError(originalText, error.reason, position), mayBeValidLayout };
  }
}

/** Decides whether the node of an event is absent. */
export function isAbsent(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.SCALAR && event.valueStart === ABSENT && event.style === SCALAR_STYLE.PLAIN;
}

/**
 * Decides whether the value of a scalar is its source text without the quotes: it is on one line, has no escapes, and is no block.
 * js-yaml marks such scalars as `fast`, and copies their values from the text itself.
 */
export function isSimpleScalar({ fast }: ScalarEvent): boolean {
  return fast;
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

/** Reads events in order. */
export class EventReader {
  readonly text: string;
  readonly #events: readonly Event[];
  #index = 0;
  #offset = 0;

  constructor(text: string, events: readonly Event[]) {
    this.text = text;
    this.#events = events;
  }

  /** The next event, without consuming it; undefined after the last one. */
  get peek(): Event | undefined {
    return this.#events[this.#index];
  }

  /** Index of the next event. */
  get index(): number {
    return this.#index;
  }

  /** Returns a new reader of the same events, starting at an earlier one. */
  from(index: number): EventReader {
    const reader = new EventReader(this.text, this.#events);
    reader.#index = index;
    return reader;
  }

  /** Consumes and returns the next event. */
  next(): Event {
    const event = this.#events[this.#index];
    if (event === undefined) throw new Error('the events of js-yaml end within a document');
    this.#index += 1;
    this.#offset = offsetAfter(event, this);
    return event;
  }

  /** Sets `offset`, because the event of an absent node has none. */
  advanceTo(offset: number): void {
    this.#offset = offset;
  }

  /** Decides whether the current map or list ends here; consumes its end. */
  consumeEnd(): boolean {
    if (this.#events[this.#index]?.type !== EVENT_ID.POP) return false;
    this.#index += 1;
    return true;
  }

  /** Consumes a node with its descendants, and returns its number of levels. */
  skip(): number {
    let open = 0;
    let deepest = 0;
    do {
      const { type } = this.next();
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) deepest = Math.max(deepest, ++open);
      if (type === EVENT_ID.POP) open -= 1;
    } while (open > 0);
    return deepest;
  }

  /** Offset up to which the text is read: after the last event that has a position. */
  get offset(): number {
    return this.#offset;
  }

  /** Offset of the next token. Before an absent node, this is the colon, question mark or dash in front of it. */
  get nextTokenOffset(): number {
    return skipBlankAndMarks(this.text, this.#offset, ']},');
  }
}

function offsetAfter(event: Event, reader: EventReader): number {
  if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return reader.offset;
  if ('start' in event) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorEnd;
  if (event.valueStart !== ABSENT) return scalarEnd(event);
  return Math.max(event.anchorEnd, event.tagEnd, reader.offset);
}
