/**
 * Describes errors of package yaml in other words, at the place where the cause probably is. The messages of the package quote the file,
 * which may contain secrets; these quote nothing but names of variables.
 */

import type { FindingText } from '../../model/finding.ts';
import { pathTo, type YamlNode } from './nodes.ts';
import { skipBlank } from './text.ts';

/** Maximum number of characters of a key, up to its colon. */
export const MAX_KEY = 1024;

/** A syntax error at an offset of the text. */
export interface YamlSyntaxError extends FindingText {
  readonly offset: number;
  readonly code: 'yaml-syntax' | 'too-deep';
  readonly hint?: string;
}

type Message = readonly [summary: string, hint: string];

/** Forms that upkeep rejects although YAML allows them, because parsers read them differently or they have no meaning here. */
export const YAML_ERRORS = {
  tag: ['this tag is not supported', 'Put a text that begins with ! in quotes; a tag has no meaning here.'],
  key: ['a key must be plain text', 'Quote the key, or the text if it begins with a bracket; lists, maps and aliases cannot be keys.'],
  directive: ['this directive is not supported', 'Remove lines that begin with %.'],
  carriageReturn: ['there is a carriage return without a line feed here', 'Save the file with the line ends of Unix or Windows.'],
  byteOrderMark: ['there is an invisible byte order mark here', 'Remove it; it is allowed only at the beginning of the file.'],
  reserved: ['a key or text cannot begin with @, % or a backquote', 'Put it in quotes.'],
  tab: ['a tab is used for indentation', 'YAML is indented with spaces only.'],
  tabBeforeAnchor: ['a tab is in front of an anchor', 'Use spaces; parsers read this tab differently.'],
  escape: ['this escape is not valid in a double-quoted text', 'Use single quotes to take every character as it is.'],
  blockIndicator: ['a document cannot be a block with a number in its first line', 'Write a map of sections.'],
  blankEnd: ['a block text ends with a line of nothing but spaces', 'Remove the spaces, or write the text in quotes.'],
  documentStart: ['this beginning of a document is out of place', 'Put --- at the beginning of its line.'],
  documentEnd: ['this end of a document is out of place', 'Remove lines that begin with `...`.'],
  secondColon: ['a second colon on one line', 'Quote a text that contains a colon and a space.'],
  anchor: ['this alias or anchor is not valid', 'Put a text that begins with * or & in quotes.'],
  longKey: ['a key must not be longer than 1,024 characters', 'Check for a missing quote or line break.'],
} as const satisfies { readonly [form: string]: Message };

const GENERAL: Message = ['this is not valid YAML', 'Check indentation, colons and quotes on this line and the one before it.'];
const INDENTATION: Message = ['the indentation does not fit', 'Keys of one map begin in the same column.'];
const CONFLICT: Message = [
  'this is an unresolved merge conflict',
  'Keep the lines of one side, and remove those that begin with <<<<<<<, |||||||, ======= or >>>>>>>.',
];
const OPEN_QUOTE: Message = [
  'the quote that opens here is not closed',
  "Write the same quote at the end of the text. Within the text, write \\\" in double quotes and '' in single quotes.",
];
const AFTER_QUOTE: Message = [
  'there is text after the closing quote',
  "Put the whole text in quotes. Within it, write \\\" in double quotes and '' in single quotes.",
];
const AFTER_BRACKET: Message = ['there is text after the closing bracket', 'Put a text that begins with a bracket in quotes.'];
const EXTRA_BRACKET: Message = ['no bracket is open that this one could close', 'Remove it, or write the opening bracket.'];
const MISSING_COMMA: Message = ['a comma or a closing bracket is missing here', 'Write it in front of this place.'];
const EXTRA_COMMA: Message = ['nothing is in front of this comma', 'Remove the comma, or write what belongs there.'];
const COMMA_BEFORE_KEY: Message = [
  'a second colon in one entry',
  'Write a comma in front of the second key, or quote a text that contains a colon and a space.',
];
const AFTER_BLOCK_SIGN: Message = [
  'there is text on the line of | or >',
  'Put a text that begins with | or > in quotes; a block text begins on the next line.',
];
const BLOCK_TEXT: Message = [
  'this line of a block text begins too far left',
  'Indent it more than the key, and not less than the first line.',
];
const LIST_BESIDE_KEY: Message = [
  'a list cannot begin on the line of its key',
  'Begin the list on the next line, or put a text that begins with - or ? in quotes.',
];
const MISSING_COLON: Message = [
  'a colon with a space after it is missing on this line',
  'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
];
const MISSING_DASH: Message = [
  'a key is among the items of a list',
  'Write a dash and a space in front of it, or correct its indentation.',
];
const DASH_WITHOUT_SPACE: Message = ['a space after the dash is missing', 'Put a space after the dash.'];
const EXTRA_DASH: Message = ['an item of a list is among the keys of a map', 'Remove its dash, or correct its indentation.'];
const MULTILINE_KEY: Message = ['a key must be on one line', 'Write it on one line, or check for a missing colon or quote.'];

/** An error of package yaml. */
interface ParserError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [start: number, end: number];
}

/** Returns the first of the errors that package yaml has for a document with the root node `root`; undefined where it has none. */
export function syntaxError(text: string, root: YamlNode, all: readonly ParserError[]): YamlSyntaxError | undefined {
  // `to-json.ts` reports keys that are no text.
  const errors = all.filter(({ code }) => code !== 'NON_STRING_KEY').sort((a, b) => a.pos[0] - b.pos[0]);
  const [first] = errors;
  if (first === undefined) return undefined;
  const conflict = /^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/m.exec(text);
  if (conflict !== null) return errorOf([conflict.index, CONFLICT]);
  const [at] = first.pos;
  const place: Place = { text, root, errors, at };
  const name = `${first.code} ${first.message}`;
  for (const [pattern, explain] of EXPLANATIONS) {
    const cause = pattern.test(name) ? (typeof explain === 'function' ? explain(place) : ([at, explain] as const)) : undefined;
    if (cause !== undefined) return errorOf(cause);
  }
  return unexplainedError(at);
}

/** Builds the error for a place about which nothing else is known. */
export function unexplainedError(offset: number): YamlSyntaxError {
  return errorOf([offset, GENERAL]);
}

/** Builds the error for maps and lists that are nested too deep. */
export function tooDeep(offset: number): YamlSyntaxError {
  return { offset, code: 'too-deep', summary: 'nested more than 64 levels deep' };
}

/** Builds the error for a placeholder such as `{{ name }}` whose second bracket is at an offset; undefined at any other offset. */
export function placeholderAt(text: string, offset: number): YamlSyntaxError | undefined {
  const start = offset - 1;
  const name = /^\{\{ *([A-Za-z_][\w.-]*) *\}\}/.exec(text.slice(start, start + MAX_VARIABLE))?.[1];
  return name === undefined ? undefined : errorOf([start, placeholderMessage(name)]);
}

function placeholderMessage(name: string): Message {
  return ['double brackets make no variable', `Write \${${name}} for a variable.`];
}

/** Locates a variable between brackets whose bracket is at an offset: its text needs quotes there. */
function unquotedVariable(text: string, bracket: number): Cause | undefined {
  const start = bracket - 1;
  const variable = /^\$\{[A-Za-z_][\w.-]*\}/.exec(text.slice(start, start + MAX_VARIABLE))?.[0];
  if (variable === undefined) return undefined;
  const hint = `Within { } and [ ], put ${variable} in quotes: "${variable}". The quotes also go around the text beside it.`;
  return [start, ['a variable is without quotes between brackets', hint]];
}

/** Maximum number of characters of a variable that a message shows. */
const MAX_VARIABLE = 80;

/** The offset and the message of an error. */
type Cause = readonly [offset: number, message: Message];

function errorOf([offset, [summary, hint]]: Cause): YamlSyntaxError {
  return { offset, code: 'yaml-syntax', summary, hint };
}

/** The place `at` of the first of the errors of a document. */
interface Place {
  readonly text: string;
  readonly root: YamlNode;
  readonly errors: readonly ParserError[];
  readonly at: number;
}

/** The causes of errors of package yaml, by code and message. The first that fits and is not undefined counts. */
const EXPLANATIONS: readonly (readonly [error: RegExp, explain: Message | ((place: Place) => Cause | undefined)])[] = [
  [/^TAB_AS_INDENT|a tab character/, ({ text, at }) => [text.indexOf('\t', at), YAML_ERRORS.tab]],
  [/^BAD_DQ_ESCAPE/, YAML_ERRORS.escape],
  [/^BAD_SCALAR_START.*(?:reserved|directive)/, YAML_ERRORS.reserved],
  [/^ALIAS_PROPS/, ({ text, at }) => [lastIndexOf(text, /[&!]/g, at), YAML_ERRORS.anchor]],
  [/^(?:BAD_ALIAS|MULTIPLE_ANCHORS|BAD_PROP_ORDER)/, YAML_ERRORS.anchor],
  [/^(?:MULTIPLE_TAGS|TAG_RESOLVE_FAILED)/, YAML_ERRORS.tag],
  [/^KEY_OVER_1024_CHARS/, YAML_ERRORS.longKey],
  [/Missing closing/, causeInQuotes],
  [/ end with a [\]}]$/, causeInBrackets],
  [/Unexpected (?:,|empty item) in/, EXTRA_COMMA],
  [/on same line with key/, LIST_BESIDE_KEY],
  [/Not a YAML token|Block scalar header/, ({ text, at }) => [lastIndexOf(text, /[|>]/g, at), AFTER_BLOCK_SIGN]],
  [/^BLOCK_IN_FLOW/, ({ text, at }) => [at + text.slice(at).search(/:\s/), COMMA_BEFORE_KEY]],
  [/Missing , |at node end|Unexpected .* token/, causeAfterNode],
  [/Nested mappings/, causeOfSecondColon],
  [/^MULTILINE_IMPLICIT_KEY|followed by map values/, causeWithoutColon],
  [/start at the same column|A block sequence may not|Sequence item without/, causeOfIndentation],
];

/** Locates the error of a quoted text: it is not closed, or its next line begins too far left. */
function causeInQuotes({ text, root, at }: Place): Cause {
  const { start } = lastNode(root, at);
  return isUnclosed(text, start) ? [start, OPEN_QUOTE] : continuation(text, root, at);
}

/** Decides whether a quoted text is not closed where it should be: no quote closes it, or the one that opens another text. */
function isUnclosed(text: string, start: number): boolean {
  const end = endOfQuoted(text, start);
  return end > text.length || (/[^\s,:\]}]/.test(text.charAt(end)) && text.slice(start, end).includes('\n'));
}

function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const mark = text.charAt(at);
    const isEscape = quote === '"' ? mark === '\\' : mark === quote && text.charAt(at + 1) === quote;
    if (isEscape) at += 1;
    else if (mark === quote) return at + 1;
  }
  return text.length + 1;
}

/** Locates the error of a map or list in brackets that does not end. */
function causeInBrackets({ text, root, at }: Place): Cause | undefined {
  const opening = openBrackets(text, root, at).at(-1);
  if (opening === undefined) return undefined;
  const mark = text.charAt(at);
  if (/[\]}]/.test(mark)) return [at, wrongBracket(mark, text.charAt(opening))];
  return closesBracket(text, at) ? continuation(text, root, at) : [opening, openBracket(text, opening)];
}

/** Decides whether a text has, from an offset on, a closing bracket without an opening one. */
function closesBracket(text: string, at: number): boolean {
  let open = 0;
  for (const [mark] of text.slice(at).matchAll(/[[\]{}]/g)) {
    open += '[{'.includes(mark) ? 1 : -1;
    if (open < 0) return true;
  }
  return false;
}

/** Returns the offsets of the brackets that are open at an offset. */
function openBrackets(text: string, root: YamlNode, at: number): readonly number[] {
  const path = pathTo(root, at);
  const brackets = path.filter(({ type, start }) => (type === 'map' || type === 'list') && /[[{]/.test(text.charAt(start)));
  const last = lastNode(root, at);
  const rest = text.slice('end' in last ? last.end : last.start + 1, at).replace(/#[^\n]*/g, '');
  return brackets.slice(0, brackets.length - (rest.match(/[\]}]/g)?.length ?? 0)).map(({ start }) => start);
}

function lastNode(root: YamlNode, offset: number): YamlNode {
  return pathTo(root, offset).at(-1) ?? root;
}

/** Returns the offset of the last match in front of an offset, on its line. */
function lastIndexOf(text: string, pattern: RegExp, at: number): number {
  const { start, before } = lineOf(text, at + 1);
  return start + ([...before.matchAll(pattern)].at(-1)?.index ?? 0);
}

/** Locates the error of a text, bracket or comma after a node that has ended. */
function causeAfterNode({ text, root, at }: Place): Cause {
  const mark = text.charAt(at);
  const { before } = lineOf(text, at);
  const [placeholder, name] = /\{\{ *([A-Za-z_][\w.-]*) *\}\}\s*$/.exec(before.slice(-MAX_VARIABLE)) ?? [];
  if (placeholder !== undefined && name !== undefined) return [at - placeholder.length, placeholderMessage(name)];
  const variable = unquotedVariable(text, at);
  if (variable !== undefined) return variable;
  const last = lastNode(root, at);
  const isInBrackets = openBrackets(text, root, at).length > 0;
  if (!isInBrackets && /[\]}]/.test(mark)) return [at, EXTRA_BRACKET];
  if (!isInBrackets && before.trim() === '') return causeOfFirst(text, root, at);
  if (last.type === 'alias') return [last.start, YAML_ERRORS.anchor];
  if (/["']\s*$/.test(before)) return [at, AFTER_QUOTE];
  if (isInBrackets) return [at, MISSING_COMMA];
  return [at, /[\]}]\s*$/.test(before) ? AFTER_BRACKET : GENERAL];
}

/** Locates the error of a text with a colon: a second one on its line, or one on the line after it, which is meant as a key. */
function causeOfSecondColon({ text, root, at, errors }: Place): Cause {
  const [, second] = errors;
  const isOneLine = second?.code !== 'MULTILINE_IMPLICIT_KEY' || text.slice(at, second.pos[0]).includes('\n');
  if (isOneLine) return [at, text.charAt(at) === '?' ? LIST_BESIDE_KEY : YAML_ERRORS.secondColon];
  const next = firstOfLine(text, second.pos[1]);
  const above = firstOfLine(text, lineOf(text, next).start - 1);
  if (above > at) return [above, MISSING_COLON];
  const tooFarLeft = keyTooFarLeft(text, root, at, next);
  if (tooFarLeft !== undefined) return tooFarLeft;
  const [offset, [summary, hint]] = causeOfFirst(text, root, next);
  return [offset, [summary, `${hint} A text of several lines needs quotes.`]];
}

/** Locates the error of a text in the place of a key. */
function causeWithoutColon({ text, root, at }: Place): Cause {
  if (isBlockText(lastNode(root, at))) return [at, BLOCK_TEXT];
  const mark = text.charAt(at);
  if (/["']/.test(mark)) return [at, isUnclosed(text, at) ? OPEN_QUOTE : MULTILINE_KEY];
  if (/[*&]/.test(mark)) return [at, YAML_ERRORS.anchor];
  if (/[[{]/.test(mark)) return [at, closesBracket(text, at + 1) ? YAML_ERRORS.key : openBracket(text, at)];
  return [at, /[|>]/.test(mark) ? AFTER_BLOCK_SIGN : MISSING_COLON];
}

/** Locates the error of a line that begins in another column than the lines before it. */
function causeOfIndentation({ text, root, at }: Place): Cause {
  const next = skipBlank(text, at);
  const { start, before } = lineOf(text, next);
  if (/^ *\t/.test(before)) return [start + before.indexOf('\t'), YAML_ERRORS.tab];
  return keyTooFarLeft(text, root, lastNode(root, next).start, next) ?? causeOfFirst(text, root, next);
}

function isBlockText(node: YamlNode): boolean {
  return node.type === 'scalar' && node.style === 'block';
}

function closingOf(opening: string): string {
  return opening === '[' ? ']' : '}';
}

function openBracket(text: string, opening: number): Message {
  return [
    'the bracket that opens here is not closed',
    `Write ${closingOf(text.charAt(opening))} at its end, or put a text that begins with a bracket in quotes.`,
  ];
}

function wrongBracket(mark: string, opening: string): Message {
  return [`${mark} cannot close a bracket that ${opening} opens`, `Write ${closingOf(opening)} in front of it or in its place.`];
}

/** Locates a line that begins too far left within quotes or brackets. */
function continuation(text: string, root: YamlNode, at: number): Cause {
  const offset = at + Math.max(text.slice(at).search(/\S/), 0);
  const column = blocksAt(text, root, at).at(-1)?.column ?? 0;
  return [
    offset,
    [
      `this line is within quotes or brackets, and begins in column ${columnOf(text, offset)}`,
      `Begin it in column ${column + 1} or further right, or close the quote or bracket on a line before it.`,
    ],
  ];
}

/** Returns the maps and lists in block style that are open at an offset, outermost first, with the column of their keys or dashes. */
function blocksAt(text: string, root: YamlNode, at: number): readonly { readonly type: 'map' | 'list'; readonly column: number }[] {
  // A map on the line of a key is an error itself: two colons, or a text of several lines with a colon.
  return pathTo(root, at).flatMap((node) =>
    (node.type === 'map' || node.type === 'list') && !node.isFlow && /^[ ?-]*$/.test(lineOf(text, node.start).before)
      ? [{ type: node.type, column: columnOf(text, node.start) }]
      : [],
  );
}

/**
 * Locates the error of a key that ends a map although the next line, which begins with a key at `next`, goes on with this map: the lines
 * before and after it begin in one column. `value` is the offset of its value.
 */
function keyTooFarLeft(text: string, root: YamlNode, value: number, next: number): Cause | undefined {
  const key = firstOfLine(text, value);
  const column = columnOf(text, next);
  const isFirst = firstOfLine(text, next) === next && !isDash(text, next) && !isDash(text, key);
  const isOpen = blocksAt(text, root, lineOf(text, key).start).some((block) => block.type === 'map' && block.column === column);
  if (!isFirst || !isOpen || column <= columnOf(text, key)) return undefined;
  const hint = `Begin it in column ${column}, or the next line in column ${columnOf(text, key)}.`;
  return [key, [`this line begins in column ${columnOf(text, key)}, the lines before and after it in column ${column}`, hint]];
}

/** Locates the error of the first key, item or text of a line: it begins in the wrong column. */
function causeOfFirst(text: string, root: YamlNode, position: number): Cause {
  const { start } = lineOf(text, position);
  const blocks = blocksAt(text, root, start);
  const column = columnOf(text, position);
  const isItem = isDash(text, position);
  const isKey = /^[^\n]*:\s/.test(text.slice(position, position + MAX_KEY));
  if (isBlockText(lastNode(root, start)) && !isItem && !isKey) return [position, BLOCK_TEXT];
  const isSibling = ({ type }: { readonly type: string }) => type === (isItem ? 'list' : 'map');
  if (blocks.some((block) => block.column === column && !isSibling(block))) return causeAmongOthers(text, position, isItem);
  const columns = blocks.filter(isSibling).map((block) => block.column);
  const nearest = [columns.find((each) => each > column), columns.findLast((each) => each < column)].filter((each) => each !== undefined);
  if (nearest.length === 0) return [position, INDENTATION];
  const where = nearest.join(' or ');
  const hint = `Begin it in column ${where}: ${isItem ? 'the dashes of one list' : 'the keys of one map'} begin in the same column.`;
  return [position, [`this line begins in column ${column}, its siblings in column ${where}`, hint]];
}

/** Locates the error where keys and items of a list are in one column: a line that has no dash, or one too many. */
function causeAmongOthers(text: string, position: number, isItem: boolean): Cause {
  const siblings = siblingsOf(text, position);
  const withoutSpace = siblings.find((start) => /^-[^\s-]/.test(text.slice(start, start + 2)));
  if (withoutSpace !== undefined) return [withoutSpace, DASH_WITHOUT_SPACE];
  if (!isItem) return [position, MISSING_DASH];
  const keys = siblings.filter((start) => !isDash(text, start));
  // Fewer lines are probably wrong than right.
  return keys[0] !== undefined && keys.length * 2 <= siblings.length ? [keys[0], MISSING_DASH] : [position, EXTRA_DASH];
}

/** Returns the offsets of the lines that begin in the column of `position`, as far as no line beside them begins further left. */
function siblingsOf(text: string, position: number): readonly number[] {
  const column = columnOf(text, position);
  let siblings: number[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const indentation = line.search(/[^ \r]/);
    const isText = indentation >= 0 && line.charAt(indentation) !== '#';
    if (isText && indentation < column - 1) {
      if (start > position) break;
      siblings = [];
    }
    if (isText && indentation === column - 1) siblings.push(start + indentation);
    start += line.length + 1;
  }
  return siblings;
}

/** Decides whether the dash of a list item is at an offset. */
function isDash(text: string, at: number): boolean {
  return /^-(?:\s|$)/.test(text.slice(at, at + 2));
}

/** Returns the offset of the first character of a line that is no space. */
function firstOfLine(text: string, at: number): number {
  const { start, before } = lineOf(text, at);
  const spaces = before.search(/[^ ]/);
  return spaces < 0 ? at : start + spaces;
}

function columnOf(text: string, position: number): number {
  return lineOf(text, position).before.length + 1;
}

function lineOf(text: string, position: number): { readonly start: number; readonly before: string } {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return { start, before: text.slice(start, position) };
}
