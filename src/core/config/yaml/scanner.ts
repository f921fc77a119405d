/** Reads the tokens of a text that the parser rejects, up to the place of the error, so that a message can name what is open there. */

/** A map or list in block style. */
interface Block {
  readonly type: 'map' | 'list';
  /** Column of its keys or dashes, from 1. */
  readonly column: number;
}

/** A token of YAML. Plain text of several lines is one token for each line. */
export interface Token {
  readonly type: 'quoted' | 'plain' | 'block-text' | 'mark';
  readonly start: number;
  /** Offset after the token; after the end of the text for a quote that is never closed. */
  readonly end: number;
  readonly isKey: boolean;
  /** Whether nothing but spaces and dashes is in front of it on its line. */
  readonly isFirst: boolean;
}

/** What a text has in front of an offset. */
interface Scan {
  /** The open maps and lists in block style, outermost first. */
  readonly blocks: readonly Block[];
  /** The offsets of the open brackets, outermost first. */
  readonly brackets: readonly number[];
  /** The last token that begins before the offset, and may reach beyond it. */
  readonly last: Token | undefined;
  readonly beforeLast: Token | undefined;
}

/**
 * Scans a text from its beginning to the first token that begins at `limit` or later. Reads each character a fixed number of times. The
 * result is exact for the texts that people write, and need not be for others: only messages depend on it.
 */
export function scan(text: string, limit: number): Scan {
  const blocks: Block[] = [];
  const brackets: number[] = [];
  let last: Token | undefined;
  let beforeLast: Token | undefined;
  let lineStart = 0;
  let isFirst = true;
  const open = (type: Block['type'], start: number) => {
    const column = start - lineStart + 1;
    while ((blocks.at(-1)?.column ?? 0) > column || (type === 'map' && isListAt(blocks.at(-1), column))) blocks.pop();
    const top = blocks.at(-1);
    if (top?.column !== column || top.type !== type) blocks.push({ type, column });
  };
  for (let at = 0; at < text.length && at < limit; ) {
    const mark = text.charAt(at);
    if (isSpace(mark)) {
      at += 1;
      if (mark === '\n') [lineStart, isFirst] = [at, true];
    } else if (mark === '#') at = endOfLine(text, at);
    else {
      const isFlow = brackets.length > 0;
      const token = readToken(text, at, isFlow, isFirst, blocks.at(-1)?.column ?? 0);
      if (isDash(text, at) && isFirst && !isFlow) open('list', at);
      else isFirst = false;
      if (token.isKey && !isFlow) open('map', at);
      if (token.type === 'mark' && '[{'.includes(mark)) brackets.push(at);
      if (token.type === 'mark' && ']}'.includes(mark)) brackets.pop();
      [last, beforeLast] = [token, last];
      at = token.end;
      const lastBreak = text.slice(token.start, at).lastIndexOf('\n');
      if (lastBreak >= 0) lineStart = token.start + lastBreak + 1;
      if (lineStart === at) isFirst = true;
    }
  }
  return { blocks, brackets, last, beforeLast };
}

function isListAt(block: Block | undefined, column: number): boolean {
  return block?.type === 'list' && block.column === column;
}

/** Decides whether the dash of a list item is at an offset. */
export function isDash(text: string, at: number): boolean {
  return text.charAt(at) === '-' && isSpaceOrEnd(text, at + 1);
}

function isSpaceOrEnd(text: string, at: number): boolean {
  return at >= text.length || isSpace(text.charAt(at));
}

/** Decides whether a character is white space of YAML. A no-break space is text. */
function isSpace(mark: string): boolean {
  return ' \t\r\n'.includes(mark);
}

/** Reads a token in flow style (between brackets) or in block style, where `column` is that of the innermost open map or list. */
function readToken(text: string, start: number, isFlow: boolean, isFirst: boolean, column: number): Token {
  const mark = text.charAt(start);
  const tokenTo = (type: Token['type'], end: number): Token => ({ type, start, end, isFirst, isKey: isKeyEnd(text, end, type) });
  if (mark === '"' || mark === "'") return tokenTo('quoted', endOfQuoted(text, start));
  if (isMark(text, start, isFlow)) return tokenTo('mark', start + 1);
  if (!isFlow && isBlockHeader(text, start)) return tokenTo('block-text', endOfBlockText(text, start, column));
  return tokenTo('plain', endOfPlain(text, start, isFlow));
}

function isKeyEnd(text: string, end: number, type: Token['type']): boolean {
  if (type !== 'plain' && type !== 'quoted') return false;
  const colon = end + text.slice(end, end + MAX_SPACES_BEFORE_COLON).search(/[^ \t]|$/);
  return text.charAt(colon) === ':' && (type === 'quoted' || isSpaceOrEnd(text, colon + 1));
}

/** Few spaces are in front of a colon. With a limit, many tokens cannot make the scan slow. */
const MAX_SPACES_BEFORE_COLON = 8;

/** Decides whether the sign of a block text is at an offset, with nothing but its indicators and a comment behind it. */
function isBlockHeader(text: string, start: number): boolean {
  const header = /[|>][-+\d]*[ \t\r]*(?:(?<=[ \t])#[^\n]*)?(?:\n|$)/y;
  header.lastIndex = start;
  return header.test(text);
}

function isMark(text: string, at: number, isFlow: boolean): boolean {
  const mark = text.charAt(at);
  if (isFlow && ',[]{}:'.includes(mark)) return true;
  return '[]{}'.includes(mark) || (':-?'.includes(mark) && isSpaceOrEnd(text, at + 1));
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
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

function endOfPlain(text: string, start: number, isFlow: boolean): number {
  const ends = isFlow ? /:(?=[ \t\r\n,[\]{}]|$)|(?<=[ \t])#|[\n,[\]{}]|$/g : /:(?=[ \t\r\n]|$)|(?<=[ \t])#|\n|$/g;
  ends.lastIndex = start + 1;
  let end = ends.exec(text)?.index ?? text.length;
  while (end > start + 1 && isSpace(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Returns the offset after the lines of a block text: empty lines, and those that begin to the right of a column. */
function endOfBlockText(text: string, start: number, column: number): number {
  for (let at = endOfLine(text, start) + 1; ; ) {
    if (at >= text.length) return text.length;
    const end = endOfLine(text, at);
    const indent = text.slice(at, end).search(/\S/);
    if (indent >= 0 && indent < column) return at;
    at = end + 1;
  }
}
