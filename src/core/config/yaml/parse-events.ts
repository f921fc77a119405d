/**
 * Parses the documents of a text, even where js-yaml stops too early: at an error in another document, and at two layouts of flow
 * collections that YAML allows because indentation means nothing inside brackets. In one layout, a closing bracket is in the column of its
 * key, as formatters write it; in the other, a tab is between two tokens.
 */

import { ABSENT, EVENT_ID, type Event, isFlow, MAX_DEPTH, type ParseAttempt, parseOnce } from './js-yaml-events.ts';
import { closingBracketTooFarLeft, isOpenQuote, type YamlSyntaxError } from './syntax-errors.ts';
import { type Lines, linesOf } from './text.ts';

/** Maximum number of documents of one file that are parsed separately where one of them is invalid. */
const MAX_DOCUMENTS_WHEN_INVALID = 1_000;

/** The events of the valid documents, and the errors of the others. */
interface ParsedText {
  readonly events: readonly Event[];
  readonly errors: readonly YamlSyntaxError[];
}

/**
 * Parses a text to events. js-yaml stops at the first error, so documents of an invalid text are parsed one by one: each has at most one
 * error. A text that is nested too deep has no events. The parser counts levels while it reads, and stops at the limit.
 */
export function parseToEvents(text: string): ParsedText {
  const whole = parseRange(text, 0, text.length);
  if ('events' in whole) return { events: whole.events, errors: [] };
  const starts = [0, ...[...text.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index).filter((index) => index > 0)];
  if (starts.length === 1 || starts.length > MAX_DOCUMENTS_WHEN_INVALID || whole.error.code === 'too-deep')
    return { events: [], errors: [whole.error] };
  const documents = starts.map((start, index) => parseRange(text, start, starts[index + 1] ?? text.length));
  const errors = documents.flatMap((document) => ('error' in document ? document.error : []));
  if (errors.some(({ code }) => code === 'too-deep'))
    return { events: [], errors: errors.filter(({ code }) => code === 'too-deep').slice(0, 1) };
  // Documents that are valid separately but not together are an error, too.
  if (errors.length === 0) return { events: [], errors: [whole.error] };
  return { events: documents.flatMap((document) => ('events' in document ? document.events : [])), errors };
}

/** Parses a range of a text; offsets are those of the whole text. */
function parseRange(text: string, start: number, end: number): { readonly events: readonly Event[] } | { readonly error: YamlSyntaxError } {
  const result = parseWithDepthLimit(text.slice(start, end));
  if ('error' in result) return { error: { ...result.error, offset: start + result.error.offset } };
  return start === 0 ? result : { events: result.events.map((event) => shiftEvent(event, start)) };
}

/**
 * Parses a text with at most `MAX_DEPTH` levels of maps and lists. In some layouts it accepts one level more, which `to-json.ts` rejects,
 * because that counts the exact number. js-yaml counts a scalar as a level (+ 1), and another level where it looks for a key (+ 2), so a
 * text that exceeds the first limit may still be valid under the second. A text that exceeds both has the error of the first, which points
 * at the value that is nested too deep.
 */
function parseWithDepthLimit(text: string): ParseAttempt {
  const first = parseAnyLayout(text, MAX_DEPTH + 1);
  if ('events' in first || first.error.code !== 'too-deep') return first;
  const second = parseAnyLayout(text, MAX_DEPTH + 2);
  return 'events' in second ? second : first;
}

/** Adds `by` to all offsets of an event. */
function shiftEvent(event: Event, by: number): Event {
  const shift = (offset: number) => (offset === ABSENT ? ABSENT : offset + by);
  const { type } = event;
  if (type === EVENT_ID.DOCUMENT || type === EVENT_ID.POP) return event;
  const anchor = { anchorStart: shift(event.anchorStart), anchorEnd: shift(event.anchorEnd) };
  if (type === EVENT_ID.ALIAS) return { ...event, ...anchor };
  const anchorAndTag = { ...anchor, tagStart: shift(event.tagStart), tagEnd: shift(event.tagEnd) };
  if (type === EVENT_ID.SCALAR) return { ...event, ...anchorAndTag, valueStart: shift(event.valueStart), valueEnd: shift(event.valueEnd) };
  return { ...event, ...anchorAndTag, start: shift(event.start) };
}

/** A part of a text, from its first offset to the offset after its last character. */
type TextRange = readonly [start: number, end: number];

/** Parses a text. Where js-yaml rejects the white space of a flow collection, parses the text again with spaces in its place. */
function parseAnyLayout(text: string, maxDepth: number): ParseAttempt {
  const first = parseOnce(text, text, maxDepth);
  if ('events' in first || !first.mayBeValidLayout) return first;
  const lineBreaks = lineBreaksBeforeBrackets(text);
  const tabs = tabsBetweenTokens(text);
  const second = parseOnce(withSpaces(text, [...lineBreaks, ...tabs]), text, maxDepth);
  if (!('events' in second)) return laterError(first, second);
  // Only the events tell which of the ranges are within a scalar. White space there is content, and stays.
  const scalars = scalarRanges(second.events);
  const lineBreaksOutside = rangesOutside(scalars, lineBreaks);
  const ranges = [...lineBreaksOutside, ...rangesOutside(scalars, tabs)];
  const third = ranges.length === lineBreaks.length + tabs.length ? second : parseOnce(withSpaces(text, ranges), text, maxDepth);
  if (!('events' in third)) return laterError(first, third);
  if (rangesOutside(scalarRanges(third.events), lineBreaksOutside).length < lineBreaksOutside.length) return first;
  const misplaced = misplacedBracket(third.events, lineBreaksOutside, text);
  if (misplaced === undefined) return third;
  return { error: closingBracketTooFarLeft(misplaced), mayBeValidLayout: true };
}

type FailedAttempt = Extract<ParseAttempt, { readonly error: unknown }>;

/**
 * Returns the error that is closer to the cause. This is the later one, because the first may be about a layout that is allowed, unless the
 * first is about an open quote.
 */
function laterError(first: FailedAttempt, second: FailedAttempt): FailedAttempt {
  return isOpenQuote(first.error) || second.error.offset < first.error.offset ? first : second;
}

/** Finds the line break before each line that begins with a closing bracket. The range includes a comment in front of the line break. */
function lineBreaksBeforeBrackets(text: string): readonly TextRange[] {
  return Array.from(text.matchAll(/\n(?= *[\]}])/g), ({ index }): TextRange => {
    const lineStart = text.lastIndexOf('\n', index - 1) + 1;
    const comment = [...text.slice(lineStart, index).matchAll(quotedOrComment)].find(([token]) => token === '#');
    return [comment === undefined ? index : lineStart + comment.index, index + 1];
  });
}

/** A quoted text of one line, or the beginning of a comment. */
const quotedOrComment = /(?<![^\s[{,:])(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')|(?<![^ \t])#/g;

/** Finds white space with a tab that follows another character on its line, so that it is not indentation. */
function tabsBetweenTokens(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (const { 0: blank, index } of text.matchAll(/[ \t]+/g))
    if (blank.includes('\t') && index > 0 && text.charAt(index - 1) !== '\n') ranges.push([index, index + blank.length]);
  return ranges;
}

/** Replaces ranges of a text, in any order, by as many spaces. */
function withSpaces(text: string, ranges: readonly TextRange[]): string {
  let replaced = '';
  let at = 0;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (end <= at) continue;
    replaced += text.slice(at, start) + ' '.repeat(end - Math.max(start, at));
    at = end;
  }
  return replaced + text.slice(at);
}

function scalarRanges(events: readonly Event[]): readonly TextRange[] {
  return events.flatMap((event): TextRange[] =>
    event.type === EVENT_ID.SCALAR && event.valueStart !== ABSENT ? [[event.valueStart, event.valueEnd]] : [],
  );
}

/** Returns the ranges that do not touch a scalar, in which white space is content. Both lists are in text order. */
function rangesOutside(scalars: readonly TextRange[], ranges: readonly TextRange[]): readonly TextRange[] {
  let next = 0;
  return ranges.filter(([start, end]) => {
    while ((scalars[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (scalars[next]?.[0] ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/**
 * Returns the offset of the first closing bracket after a range (a line break, see `lineBreaksBeforeBrackets`) that is not indented enough:
 * the last bracket of a value needs the indentation of the block map or list that the value belongs to, the others need one space more.
 * Undefined where there is none. In
 *
 *     a:
 *       b: [
 *         { c: 1
 *         },
 *       ]
 *
 * the value of `b` belongs to the block map in column 2. The two ranges end before `}` and `]`. At `}` two brackets are open, so it is not
 * the last one, and needs 3 spaces. At `]` one bracket is open, so it is the last one, and needs 2 spaces.
 */
function misplacedBracket(events: readonly Event[], ranges: readonly TextRange[], text: string): number | undefined {
  const collections = new OpenCollections(text);
  const offsetOf = ([, end]: TextRange): number => end + spacesAfter(end, text);
  let next = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      collections.close();
      continue;
    }
    const offset = startOf(event);
    if (offset === ABSENT) continue;
    for (let range = ranges[next]; range !== undefined && range[1] <= offset; range = ranges[++next])
      if (!collections.isIndentedEnough(range)) return offsetOf(range);
    collections.read(event, offset);
  }
  const range = ranges.slice(next).find((rest) => !collections.isIndentedEnough(rest));
  return range && offsetOf(range);
}

/** The maps and lists that are open while a text is read from its beginning. */
class OpenCollections {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #open: { readonly column: number; readonly isFlow: boolean; readonly hasBracket: boolean }[] = [];
  /** Number of collections that end before the next token. The event of an end has no offset, so they count as open until that token. */
  #ending = 0;
  /** Offset up to which the text is read, and number of closing brackets between the last token and that offset. */
  #offset = 0;
  #closedBrackets = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = linesOf(text);
  }

  /** Ends the innermost collection. */
  close(): void {
    this.#ending += 1;
  }

  /** Reads the event of a token at an offset. */
  read(event: Event, offset: number): void {
    this.#open.splice(Math.max(this.#open.length - this.#ending, 0));
    this.#ending = 0;
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
      this.#open.push({
        column: this.#lines.at(event.start).column - 1,
        isFlow: isFlow(event),
        // `[a: 1]` holds a map without brackets of its own.
        hasBracket: isFlow(event) && /[[{]/.test(this.#text.charAt(event.start)),
      });
    this.#offset = Math.max(event.type === EVENT_ID.SCALAR ? event.valueEnd : offset + 1, this.#offset);
    this.#closedBrackets = 0;
  }

  /** Reads up to a range, and decides whether the closing bracket after it is indented enough. */
  isIndentedEnough([start, end]: TextRange): boolean {
    this.#closedBrackets += closingBrackets(this.#text.slice(this.#offset, start));
    this.#offset = start;
    const isLast = this.#open.filter(({ hasBracket }) => hasBracket).length - this.#closedBrackets === 1;
    const outermostFlow = this.#open.findIndex((collection) => collection.isFlow);
    const blockColumn = this.#open[outermostFlow - 1]?.column ?? -1;
    return spacesAfter(end, this.#text) >= blockColumn + (isLast ? 0 : 1);
  }
}

/** Counts the closing brackets of a text between two tokens, apart from those in comments. */
function closingBrackets(text: string): number {
  return text.replace(/#[^\n]*/g, '').match(/[\]}]/g)?.length ?? 0;
}

function startOf(event: Exclude<Event, { readonly type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start;
}

/** Returns how many spaces follow an offset. */
function spacesAfter(offset: number, text: string): number {
  let at = offset;
  while (text.charAt(at) === ' ') at += 1;
  return at - offset;
}
