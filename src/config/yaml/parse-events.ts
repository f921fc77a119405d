/**
 * Parses the documents of a text, also where js-yaml stops too early: at an error in another document, and at two layouts of flow collections
 * that YAML allows, since indentation means nothing inside brackets. These are a closing bracket in the column of its key, as formatters
 * write it, and a tab between two tokens.
 */

import { ABSENT, EVENT_ID, type Event, isFlow, MAX_DEPTH, type ParseAttempt, parseOnce } from './js-yaml-events.ts';
import { INDENTATION, isOpenQuote, type YamlError } from './syntax-errors.ts';
import { linesOf } from './text.ts';

/** Maximum number of documents of one file that are parsed separately where one of them is invalid. */
const MAX_DOCUMENTS_WHEN_INVALID = 1_000;

/** The events of the valid documents, and the errors of the others. */
interface ParsedText {
  readonly events: readonly Event[];
  readonly errors: readonly YamlError[];
}

/**
 * Parses a text. js-yaml stops at the first error, so documents of an invalid text are parsed one by one: each has at most one error. A text
 * that is nested too deep has no events at all; the parser counts levels while it reads, and never goes deeper.
 */
export function parseDocuments(text: string): ParsedText {
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
  const first = parseAnyLayout(part, MAX_DEPTH + 1);
  const isDeep = 'error' in first && first.error.code === 'too-deep';
  // js-yaml counts a scalar as a level, and one more where it looks for a key. `to-json.ts` counts the exact number of levels.
  const again = isDeep ? parseAnyLayout(part, MAX_DEPTH + 2) : first;
  const parsed = 'events' in again ? again : first;
  if ('error' in parsed) return { error: { ...parsed.error, offset: start + parsed.error.offset } };
  return start === 0 ? parsed : { events: parsed.events.map((event) => shiftEvent(event, start)) };
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

/** A part of a text, from its first offset to the offset after its last character. */
type TextRange = readonly [start: number, end: number];

/** Parses a text; where js-yaml rejects the white space of a flow collection, the text is parsed again with spaces instead of it. */
function parseAnyLayout(text: string, maxDepth: number): ParseAttempt {
  const first = parseOnce(text, text, maxDepth);
  if ('events' in first || !first.isFlowLayout) return first;
  const brackets = lineBreaksBeforeBrackets(text);
  const tabs = tabsBetweenTokens(text);
  const again = parseOnce(withSpaces(text, [...brackets, ...tabs]), text, maxDepth);
  if (!('events' in again)) return laterError(first, again);
  const scalars = scalarRanges(again.events);
  const outside = { brackets: outsideOf(scalars, brackets), tabs: outsideOf(scalars, tabs) };
  const ranges = [...outside.brackets, ...outside.tabs];
  const last = ranges.length === brackets.length + tabs.length ? again : parseOnce(withSpaces(text, ranges), text, maxDepth);
  if (!('events' in last)) return laterError(first, last);
  if (outsideOf(scalarRanges(last.events), outside.brackets).length < outside.brackets.length) return first;
  const misplaced = misplacedBracket(last.events, outside.brackets, text);
  if (misplaced === undefined) return last;
  return { error: { offset: misplaced, code: 'yaml-syntax', summary: INDENTATION[0], hint: INDENTATION[1] }, isFlowLayout: true };
}

type FailedAttempt = Extract<ParseAttempt, { readonly error: unknown }>;

/** Returns the error that is closer to the cause: the later one, since the first may be a layout that is allowed; an open quote comes first. */
function laterError(first: FailedAttempt, again: FailedAttempt): FailedAttempt {
  return isOpenQuote(first.error) || again.error.offset < first.error.offset ? first : again;
}

/** Finds the line break before each line that begins with a closing bracket, with a comment before that line break. */
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

/** Returns those ranges that touch no text of a scalar, where white space is content. Both lists are in text order. */
function outsideOf(scalars: readonly TextRange[], ranges: readonly TextRange[]): readonly TextRange[] {
  let next = 0;
  return ranges.filter(([start, end]) => {
    while ((scalars[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (scalars[next]?.[0] ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/**
 * Returns the offset of the first closing bracket after a range that is not indented enough: the last one of a value needs the indentation of
 * the block that the value belongs to, the others need more. Undefined where there is none.
 */
function misplacedBracket(events: readonly Event[], ranges: readonly TextRange[], text: string): number | undefined {
  const lines = linesOf(text);
  const open: { readonly column: number; readonly isFlow: boolean; readonly hasBracket: boolean }[] = [];
  let last = 0;
  let next = 0;
  let closed = 0;
  const isIndented = ([start, end]: TextRange): boolean => {
    const outermost = open.findIndex((collection) => collection.isFlow);
    closed += closingBrackets(text.slice(last, start));
    last = start;
    const isLast = open.filter(({ hasBracket }) => hasBracket).length - closed === 1;
    return spacesAfter(end, text) >= (open[outermost - 1]?.column ?? -1) + (isLast ? 0 : 1);
  };
  const offsetOf = ([, end]: TextRange): number => end + spacesAfter(end, text);
  let pops = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      pops += 1;
      continue;
    }
    const offset = startOf(event);
    if (offset === ABSENT) continue;
    for (let range = ranges[next]; range !== undefined && range[1] <= offset; range = ranges[++next])
      if (!isIndented(range)) return offsetOf(range);
    open.splice(Math.max(open.length - pops, 0));
    pops = 0;
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
      open.push({
        column: lines.at(event.start).column - 1,
        isFlow: isFlow(event),
        // `[a: 1]` holds a map without brackets of its own.
        hasBracket: isFlow(event) && /[[{]/.test(text.charAt(event.start)),
      });
    last = event.type === EVENT_ID.SCALAR ? Math.max(event.valueEnd, last) : Math.max(offset + 1, last);
    closed = 0;
  }
  const range = ranges.slice(next).find((rest) => !isIndented(rest));
  return range && offsetOf(range);
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
