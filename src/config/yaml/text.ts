/** Bytes from outside as text: everything that upkeep reads as text goes through here first. */

/** Largest file that is read at all, in bytes (32 MiB). */
export const MAX_BYTES = 32 * 1024 * 1024;

/** Why bytes are not text: one clause about the content, and the line where it was noticed (from 1). */
export interface NotText {
  readonly reason: string;
  readonly line: number;
}

/** C0 and C1 controls but tab, line feed, carriage return and next line, and the two code points that are no characters: YAML 1.2, 5.1. */
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** The text of UTF-8 bytes without a byte order mark; a fault for anything that no text editor would have written. */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly fault: NotText } {
  const text = decodeUtf8(bytes);
  if (text === null) return { fault: { reason: 'it is not valid UTF-8', line: firstBroken(bytes) } };
  const at = text.search(unprintable);
  if (at < 0) return { text };
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return { fault: { reason: `it holds the binary character U+${code}`, line: text.slice(0, at).split('\n').length } };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The line in which bytes that are not UTF-8 stop being it: a line feed is part of no longer character. */
function firstBroken(bytes: Uint8Array): number {
  let from = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    if (end < 0 || decodeUtf8(bytes.subarray(from, end)) === null) return line;
    from = end + 1;
  }
}

/** Lines of a text, and positions in it; nothing is computed before the first question. */
export interface Lines {
  /** Line and column (from 1, in UTF-16 code units) of an offset. */
  at(offset: number): { readonly line: number; readonly column: number };
  /** The line without its end; empty beyond the text. */
  line(number: number): string;
}

/** The lines of a text, broken at line feeds. */
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

/** Index of the last of the ascending numbers that is not above the limit. */
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
