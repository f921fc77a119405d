/**
 * Describes errors of js-yaml in other words, because the messages of js-yaml quote the file, which may contain secrets. These messages
 * quote nothing but names of variables.
 */

import type { FindingText } from '../../model/finding.ts';
import { isDash, scan, type Token } from './scanner.ts';

/** Maximum number of characters of a key, up to its colon. */
export const MAX_KEY = 1024;

/** A syntax error at an offset of the text. */
export interface YamlSyntaxError extends FindingText {
  readonly offset: number;
  readonly code: 'yaml-syntax' | 'too-deep';
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
const CLOSING_BRACKET: Message = [
  'this closing bracket begins too far left',
  'Begin it in the column of the line with its opening bracket.',
];
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

/** Converts an error message of js-yaml to a syntax error at the offset where the cause probably is. */
export function syntaxError(text: string, reason: string, position: number): YamlSyntaxError {
  if (reason.startsWith('nesting exceeded')) return tooDeep(position);
  return errorOf(locateCause(text, reason, position));
}

/** Decides whether an error is a quote that is not closed. */
export function isOpenQuote({ summary }: YamlSyntaxError): boolean {
  return summary === OPEN_QUOTE[0];
}

/** Builds the error for maps and lists that are nested too deep. */
export function tooDeep(offset: number): YamlSyntaxError {
  return { offset, code: 'too-deep', summary: 'nested more than 64 levels deep' };
}

/** Builds the error for a closing bracket that begins too far left. */
export function closingBracketTooFarLeft(offset: number): YamlSyntaxError {
  return errorOf([offset, CLOSING_BRACKET]);
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

/** Locates the cause of an error by the tokens in front of its position. */
function locateCause(text: string, reason: string, position: number): Cause {
  if (reason.startsWith('tab ')) return [position, YAML_ERRORS.tab];
  const conflict = /^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/m.exec(text);
  if (conflict !== null) return [conflict.index, CONFLICT];
  if (/escape sequence|hexadecimal/.test(reason)) return [Math.max(text.lastIndexOf('\\', position), 0), YAML_ERRORS.escape];
  const { brackets, last } = scan(text, position);
  if (last !== undefined && isUnclosed(text, last, position)) return [last.start, OPEN_QUOTE];
  if (isReserved(text, position)) return [position, YAML_ERRORS.reserved];
  if (/\btag\b/.test(reason)) return [Math.max(text.lastIndexOf('!', position), 0), YAML_ERRORS.tag];
  if (reason.startsWith('name of an a')) return [position, YAML_ERRORS.anchor];
  const { start, before } = lineOf(text, position);
  const isFirst = before.trim() === '';
  if (before.includes('\t') && (isFirst || reason === 'deficient indentation')) return [start + before.indexOf('\t'), YAML_ERRORS.tab];
  const [placeholder, name] = /\{\{ *([A-Za-z_][\w.-]*) *\}\}\s*$/.exec(before.slice(-MAX_VARIABLE)) ?? [];
  if (placeholder !== undefined && name !== undefined) return [position - placeholder.length, placeholderMessage(name)];
  const opening = brackets.at(-1);
  if (opening !== undefined) return causeInBrackets(text, reason, position, opening, last);
  if (reason === 'deficient indentation') return [position, continuation(text, position)];
  if (last === undefined) return causeOfFirst(text, position);
  if (isFirst || last.start < start) return keyTooFarLeft(text, last.start, position) ?? causeOfFirst(text, position);
  return causeAfter(text, position, last) ?? causeOfLine(text, reason, position, last);
}

/** Decides whether a character that YAML reserves is where a key or a value begins. */
function isReserved(text: string, position: number): boolean {
  return /[@`%]/.test(text.charAt(position)) && /(?:^|[[{,]|(?:^|\s)[-?]|:|&\S+)$/.test(lineOf(text, position).before.trimEnd());
}

/** Decides whether a quoted text is not closed where it should be: no quote closes it, or the one that opens another text. */
function isUnclosed(text: string, { type, start, end }: Token, position: number): boolean {
  if (type !== 'quoted' || end < position) return false;
  return end > text.length || (/[^\s,:\]}]/.test(text.charAt(end)) && text.slice(start, end).includes('\n'));
}

/** Locates an error between brackets. `opening` is the offset of the innermost open bracket. */
function causeInBrackets(text: string, reason: string, position: number, opening: number, last: Token | undefined): Cause {
  const mark = text.charAt(position);
  if (/^unexpected end|^deficient/.test(reason)) {
    const isClosed = !scan(text, text.length).brackets.includes(opening);
    return isClosed ? [position, continuation(text, position)] : [opening, openBracket(text, opening)];
  }
  if (reason.startsWith('expected the node content')) return [position, EXTRA_COMMA];
  if (!reason.startsWith('missed comma')) return [position, GENERAL];
  const variable = unquotedVariable(text, position);
  if (variable !== undefined) return variable;
  if (last?.type === 'quoted' && last.end === position) return [position, AFTER_QUOTE];
  if (mark === ':') return [position, COMMA_BEFORE_KEY];
  return [position, /[\]}]/.test(mark) ? wrongBracket(mark, text.charAt(opening)) : MISSING_COMMA];
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

/** Describes a line that begins too far left within quotes or brackets. */
function continuation(text: string, position: number): Message {
  const column = scan(text, position).blocks.at(-1)?.column ?? 0;
  return [
    `this line is within quotes or brackets, and begins in column ${columnOf(text, position)}`,
    `Begin it in column ${column + 1} or further right, or close the quote or bracket on a line before it.`,
  ];
}

/** Locates the error of a text after the token `last` on the same line, or within it. */
function causeAfter(text: string, position: number, last: Token): Cause | undefined {
  const mark = text.charAt(position);
  const first = text.charAt(last.start);
  if (/[\]}]/.test(mark)) return [position, EXTRA_BRACKET];
  if (last.type === 'mark')
    return /[\]}]/.test(first) ? [position, AFTER_BRACKET] : [position, /[-?]/.test(mark) ? LIST_BESIDE_KEY : GENERAL];
  if (/[*&]/.test(first)) return [last.start, YAML_ERRORS.anchor];
  if (/[|>]/.test(first)) return [last.start, AFTER_BLOCK_SIGN];
  if (mark === ':' && !last.isFirst) return [last.start, YAML_ERRORS.secondColon];
  return last.type === 'quoted' && mark !== ':' ? [position, AFTER_QUOTE] : undefined;
}

/** Locates the error of a line without a colon, or of a line with a colon that continues a text of the line before it. */
function causeOfLine(text: string, reason: string, position: number, last: Token): Cause {
  if (reason.startsWith("expected ':'")) return [last.start, MISSING_COLON];
  const { last: above, beforeLast } = scan(text, lineOf(text, position).start);
  if (above === undefined || above.isKey) return [position, GENERAL];
  if (above.type !== 'plain') return [last.start, MULTILINE_KEY];
  const tooFarLeft = keyTooFarLeft(text, above.start, last.start);
  if (tooFarLeft !== undefined) return tooFarLeft;
  if (!above.isFirst) return withHint(causeOfFirst(text, last.start), ' A text of several lines needs quotes.');
  return [above.start, beforeLast?.type === 'block-text' ? BLOCK_TEXT : MISSING_COLON];
}

/**
 * Locates the error of a key that ends a map although the next line, which begins with a key at `next`, goes on with this map: the lines
 * before and after it begin in one column. `value` is the offset of its value.
 */
function keyTooFarLeft(text: string, value: number, next: number): Cause | undefined {
  const { start, before } = lineOf(text, value);
  const key = start + before.search(/[^ ]/);
  const column = columnOf(text, next);
  const isFirst = lineOf(text, next).before.trim() === '' && !isDash(text, next) && !isDash(text, key);
  const isOpen = scan(text, start).blocks.some((block) => block.type === 'map' && block.column === column);
  if (!isFirst || !isOpen || column <= columnOf(text, key)) return undefined;
  const hint = `Begin it in column ${column}, or the next line in column ${columnOf(text, key)}.`;
  return [key, [`this line begins in column ${columnOf(text, key)}, the lines before and after it in column ${column}`, hint]];
}

function withHint([offset, [summary, hint]]: Cause, more: string): Cause {
  return [offset, [summary, hint + more]];
}

/** Locates the error of the first key, item or text of a line: it begins in the wrong column. */
function causeOfFirst(text: string, position: number): Cause {
  const { blocks, last } = scan(text, lineOf(text, position).start);
  const column = columnOf(text, position);
  const isItem = isDash(text, position);
  const isKey = scan(text, position + 1).last?.isKey === true;
  if (last?.type === 'block-text' && !isItem && !isKey) return [position, BLOCK_TEXT];
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

function columnOf(text: string, position: number): number {
  return lineOf(text, position).before.length + 1;
}

function lineOf(text: string, position: number): { readonly start: number; readonly before: string } {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return { start, before: text.slice(start, position) };
}
