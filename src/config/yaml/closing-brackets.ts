/**
 * Lets js-yaml read a flow collection whose closing bracket stands in the column of its key, as formatters write it. js-yaml rejects that
 * bracket because it is not indented, although indentation means nothing inside brackets.
 */

/** A part of a text, from its first offset to the offset after its last character. */
export type TextRange = readonly [start: number, end: number];

/**
 * Replaces the line break before each line that begins with a closing bracket, and a comment before that line break, by spaces. All offsets
 * stay the same. Ranges that begin at an offset in `except` stay as they are.
 */
export function joinClosingBrackets(
  text: string,
  except: ReadonlySet<number> = new Set(),
): { readonly joined: string; readonly ranges: readonly TextRange[] } {
  const ranges: TextRange[] = [];
  for (const { index } of text.matchAll(/\n(?= *[\]}])/g)) {
    const lineStart = text.lastIndexOf('\n', index - 1) + 1;
    const comment = text.slice(lineStart, index).search(/(?<![^ \t])#/);
    const start = comment < 0 ? index : lineStart + comment;
    if (!except.has(start)) ranges.push([start, index + 1]);
  }
  let joined = '';
  let at = 0;
  for (const [start, end] of ranges) {
    joined += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return { joined: joined + text.slice(at), ranges };
}

/** Returns the starts of those ranges that touch the text of a scalar, where a line break is content. Both lists are in text order. */
export function rangesInScalars(scalars: readonly TextRange[], ranges: readonly TextRange[]): ReadonlySet<number> {
  const found = new Set<number>();
  let next = 0;
  for (const [start, end] of ranges) {
    while ((scalars[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if ((scalars[next]?.[0] ?? Number.POSITIVE_INFINITY) < end) found.add(start);
  }
  return found;
}
