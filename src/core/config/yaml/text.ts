/** Decodes bytes to text (of upkeep.yaml, the sources and the text files that they name), and finds lines and blank space in it. */

/** Maximum size of a file, in bytes (32 MiB). */
export const MAX_BYTES = 32 * 1024 * 1024;

/** Why bytes are not text: a clause for messages, and the line of the error (from 1). */
export interface NotText {
  readonly reason: string;
  readonly line: number;
}

/** C0 and C1 controls except tab, line feed, carriage return and next line, and two noncharacters: YAML 1.2, 5.1. */
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** Decodes UTF-8 bytes and removes a byte order mark; returns an error for invalid UTF-8 and binary characters. */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly error: NotText } {
  if (isUtf16(bytes)) return { error: { reason: 'it is UTF-16, not UTF-8', line: 1 } };
  const text = decodeUtf8(bytes);
  if (text === null) return { error: { reason: 'it is not valid UTF-8', line: firstInvalidLine(bytes) } };
  const at = text.search(unprintable);
  if (at < 0) return { text };
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return { error: { reason: `it holds the binary character U+${code}`, line: text.slice(0, at).split('\n').length } };
}

/** Decides whether bytes are UTF-16: they begin with its byte order mark, or every other one of the first four is zero. */
export function isUtf16([first, second, third, fourth]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return (first !== 0 && second === 0 && third !== 0 && fourth === 0) || (first === 0 && second !== 0 && third === 0 && fourth !== 0);
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns the first line that is not valid UTF-8. Lines are checked separately, because no multi-byte character contains a line feed. */
function firstInvalidLine(bytes: Uint8Array): number {
  let from = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    if (end < 0 || decodeUtf8(bytes.subarray(from, end)) === null) return line;
    from = end + 1;
  }
}

/** The lines of a text, and positions in it. They are computed at the first call. */
export interface Lines {
  /** Returns line and column (from 1, in UTF-16 code units) of an offset. */
  at(offset: number): { readonly line: number; readonly column: number };
  /** Returns the offset at which a line begins; that of the end of the text after the last line. */
  start(line: number): number;
  /** Returns a line without its line end; empty after the last line. */
  line(number: number): string;
}

/** Splits a text at line feeds. */
export function linesOf(text: string): Lines {
  let known: readonly number[] | undefined;
  const starts = () => {
    known ??= lineStarts(text);
    return known;
  };
  return {
    at: (offset) => {
      const line = lastAtOrBelow(starts(), offset);
      return { line: line + 1, column: offset - (starts()[line] ?? 0) + 1 };
    },
    start: (line) => starts()[line - 1] ?? text.length,
    line: (number) => {
      const start = starts()[number - 1];
      if (start === undefined) return '';
      return text.slice(start, starts()[number] ?? text.length).replace(/\r?\n$/, '');
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** Returns the index of the last of the ascending numbers that is at most `limit`, by binary search. */
function lastAtOrBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns the offset of the first character from `start` that is neither white space nor in a comment. Written without a regular
 * expression, which would need memory for each line of a text that contains nothing else.
 */
export function skipBlank(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === HASH) at = lineEnd(text, at);
    else if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) at += 1;
    else return at;
  }
}

/** Like `skipBlank`, and skips also document marks (`---`, `...`) and the given indicators, which are single characters. */
export function skipBlankAndMarks(text: string, start: number, indicators: string): number {
  let at = start;
  for (;;) {
    at = skipBlank(text, at);
    if (at >= text.length) return at;
    if (indicators.includes(text.charAt(at))) at += 1;
    else if (isDocumentEnd(text, at) || isDocumentStart(text, at)) at += 3;
    else return at;
  }
}

const [TAB, CARRIAGE_RETURN, SPACE, HASH] = [0x09, 0x0d, 0x20, 0x23];

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Decides whether an end-of-document mark (`...`) is at an offset. */
export function isDocumentEnd(text: string, at: number): boolean {
  return isMark(text, at, '...');
}

function isDocumentStart(text: string, at: number): boolean {
  return isMark(text, at, '---');
}

function isMark(text: string, at: number, mark: string): boolean {
  return text.startsWith(mark, at) && (at === 0 || text.charAt(at - 1) === '\n') && /^(?:\s|$)/.test(text.charAt(at + 3));
}
