/** Edits of a text by offsets, and the boundaries of its lines. */
import { withoutTrailing } from '../../model/trim.ts';

/** Replaces the characters from `start` to `end` with `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text, and its line break. */
export interface EditedText {
  readonly text: string;
  readonly eol: string;
}

/** Joins edits. Returns null where one of the parts is null, that is not possible. */
export function joinEdits(parts: readonly (readonly TextEdit[] | null)[]): readonly TextEdit[] | null {
  const all: TextEdit[] = [];
  for (const part of parts) {
    if (part === null) return null;
    all.push(...part);
  }
  return all;
}

/** Applies edits to a text. Returns undefined where they overlap. A last line without a line break stays so. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let offset = 0;
  for (const { start, end, text: inserted } of sorted) {
    if (start < offset) return undefined;
    result += text.slice(offset, start) + inserted;
    offset = end;
  }
  result += text.slice(offset);
  return text.endsWith('\n') ? result : withoutTrailing(result, '\r\n');
}

/** Returns the offset of the first character of the line that contains this offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset of the end of the line, before its line break (`\n` or `\r\n`). */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset);
  const end = found < 0 ? text.length : found;
  return text[end - 1] === '\r' && end > offset ? end - 1 : end;
}

function nextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset);
  return found < 0 ? text.length : found + 1;
}

/** Returns the start of the comment lines directly above a line that are indented to this column; of the line itself without them. */
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

/** Removes the lines that contain these offsets, with the comment directly above. */
export function removeLinesAt(text: string, first: number, last: number): TextEdit {
  return { start: commentsAbove(text, first, first - lineStart(text, first)), end: nextLine(text, last), text: '' };
}
