/** Changes of a text by its offsets, and what its lines are made of. */

/** Puts `text` in the place of what stands from `start` to `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text, and its own line break. */
export interface EditedText {
  readonly text: string;
  readonly eol: string;
}

/** All edits, or null where one of the parts could not be done. */
export function joined(parts: readonly (readonly TextEdit[] | null)[]): readonly TextEdit[] | null {
  const all: TextEdit[] = [];
  for (const part of parts) {
    if (part === null) return null;
    all.push(...part);
  }
  return all;
}

/** The text with all edits made, which do not overlap; undefined where they do. A last line without a break stays one. */
export function edited(text: string, edits: readonly TextEdit[]): string | undefined {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let made = '';
  let at = 0;
  for (const { start, end, text: put } of sorted) {
    if (start < at) return undefined;
    made += text.slice(at, start) + put;
    at = end;
  }
  made += text.slice(at);
  return text.endsWith('\n') ? made : made.replace(/[\r\n]+$/, '');
}

/** Offset of the first character of the line that holds this offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Offset of the line's end: before its line break, `\r\n` included. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset);
  const end = found < 0 ? text.length : found;
  return text[end - 1] === '\r' && end > offset ? end - 1 : end;
}

/** Offset behind the line's break. */
function nextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset);
  return found < 0 ? text.length : found + 1;
}

/** Begin of the comment lines right above a line that begin in this column; of the line itself where there are none. */
export function commentsAbove(text: string, offset: number, column: number): number {
  let start = lineStart(text, offset);
  while (start > 0) {
    const above = lineStart(text, start - 1);
    const line = text.slice(above, start);
    if (line.search(/\S/) !== column || line[column] !== '#') break;
    start = above;
  }
  return start;
}

/** Takes the lines away that hold these offsets, with their own comment above. */
export function withoutLines(text: string, first: number, last: number): TextEdit {
  return { start: commentsAbove(text, first, first - lineStart(text, first)), end: nextLine(text, last), text: '' };
}
