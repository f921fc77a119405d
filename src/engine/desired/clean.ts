/**
 * A faster road to the values of YAML that is written plainly, as most of it is: maps and lists in block style, scalars on one line.
 * It reads only what can mean one thing. Everything else is left to package `yaml`, which has the last word on what a file says;
 * test/engine/desired/clean.test.ts holds both roads against each other.
 */
import { bareFields, type Json, pointer } from '../../model/json.ts';
import { inlineValue, isComment, keyOf, Unclear } from './clean-inline.ts';

/** Deeper nesting is left to `yaml`. */
const MAX_DEPTH = 32;

/** Where sections and their members begin: the offsets of their keys, by JSON Pointer; only of those whose value stands below. */
export type Heads = Map<string, number>;

/** The documents of a clean text: one, or none where it holds only comments. Undefined where the text is not clean. Notes the `heads` if asked. */
export function cleanDocuments(text: string, heads?: Heads): readonly Json[] | undefined {
  if (!isOrdinary(text)) return undefined;
  const here: Line = { text, heads, at: 0, next: 0, indent: 0, dash: 0, key: undefined, rest: '' };
  try {
    advance(here);
    if (isBeginning(here)) advance(here);
    if (here.indent === END) return [];
    const value = block(here, 1, []);
    // A line that fits no block, because it is deeper than its neighbours, ends them all.
    return here.indent === END ? [value] : undefined;
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}

/** Neither tabs and carriage returns nor characters that the eye does not see. */
function isOrdinary(text: string): boolean {
  return !/[^\n -~]/.test(text) || !/[^\n -~\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(text);
}

/** The line that is to be read; comments and blank lines never come up. */
interface Line {
  readonly text: string;
  readonly heads: Heads | undefined;
  /** Where it begins. */
  at: number;
  /** Where the line after it begins. */
  next: number;
  /** Spaces before its content; `END` beyond the last line. */
  indent: number;
  /** Length of the dash that makes it an item, with the spaces behind it; 0 = none. */
  dash: number;
  key: string | undefined;
  /** What stands behind dash and key, without the spaces before it. */
  rest: string;
}

const END = -1;

/** Up to the colon: a key without escapes that is not too long to be one. It gives no groups, whose texts would cost more than all else here. */
const keyBeforeColon = /(?:\w[\w./%@+~-]{0,199}|"[^"\\\n]{0,199}"|'[^'\n]{0,199}')(?=:(?: |$))/my;

/** Goes to the next line that says something. */
function advance(line: Line): void {
  const { text } = line;
  while (line.next < text.length) {
    line.at = line.next;
    const newline = text.indexOf('\n', line.at);
    const end = newline < 0 ? text.length : newline;
    line.next = end + 1;
    const dash = pastSpaces(text, line.at);
    const key = pastDash(text, dash, end);
    line.indent = dash - line.at;
    line.dash = key - dash;
    keyBeforeColon.lastIndex = key;
    line.key = keyBeforeColon.test(text) ? text.slice(key, keyBeforeColon.lastIndex) : undefined;
    const rest = line.key === undefined ? key : pastSpaces(text, keyBeforeColon.lastIndex + 1);
    line.rest = text.slice(rest, end);
    if (line.dash > 0 || line.key !== undefined || !isComment(line.rest)) return;
  }
  line.indent = END;
}

function pastSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}

/** Where the content of an item begins; the same place where no dash stands there. */
function pastDash(text: string, start: number, end: number): number {
  if (text.charCodeAt(start) !== DASH) return start;
  return start + 1 === end || text.charCodeAt(start + 1) === SPACE ? pastSpaces(text, start + 1) : start;
}

const SPACE = ' '.charCodeAt(0);
const DASH = '-'.charCodeAt(0);

/** Whether the line is the mark before the first document. */
function isBeginning({ indent, dash, key, rest }: Line): boolean {
  return indent === 0 && dash === 0 && key === undefined && rest.trimEnd() === '---';
}

/** `within` are the keys that lead here, as long as a head may be below. */
function block(line: Line, depth: number, within?: readonly string[]): Json {
  if (depth > MAX_DEPTH) throw new Unclear();
  return line.dash > 0 ? list(line, depth) : map(line, depth, within);
}

function list(line: Line, depth: number): Json {
  const { indent } = line;
  const items: Json[] = [];
  while (line.indent === indent && line.dash > 0) items.push(item(line, indent, depth));
  return items;
}

/** Behind a dash stands a value, the first member of a map, or nothing but what is below. */
function item(line: Line, indent: number, depth: number): Json {
  if (line.key !== undefined) {
    line.indent += line.dash;
    line.dash = 0;
    return block(line, depth + 1);
  }
  const written = line.rest;
  advance(line);
  if (!isComment(written)) return inlineValue(written);
  return line.indent > indent ? block(line, depth + 1) : null;
}

function map(line: Line, depth: number, within?: readonly string[]): Json {
  const { indent } = line;
  const members = bareFields();
  while (line.indent === indent && line.dash === 0) {
    const key = keyOf(line.key);
    if (members[key] !== undefined) throw new Unclear();
    members[key] = within && line.heads ? headed(line, indent, depth, [...within, key]) : member(line, indent, depth);
  }
  return members;
}

/** A member that may be a head: of the document, or of a section. */
function headed(line: Line, indent: number, depth: number, path: readonly string[]): Json {
  const [offset, isBelow] = [line.at + indent, isComment(line.rest)];
  const value = member(line, indent, depth, path.length < 2 ? path : undefined);
  if (isBelow && value !== null) line.heads?.set(pointer(path), offset);
  return value;
}

/** A list may stand in the column of its key. */
function member(line: Line, indent: number, depth: number, within?: readonly string[]): Json {
  const written = line.rest;
  advance(line);
  if (!isComment(written)) return inlineValue(written);
  return line.indent > indent || (line.indent === indent && line.dash > 0) ? block(line, depth + 1, within) : null;
}
