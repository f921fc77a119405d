/** Fits text into columns of a terminal. Every text here is unpainted: colors come last. */

const ASCII = /^[\x20-\x7e]*$/;

/** Characters without a column of their own: combining marks, and the later parts of a Korean syllable. */
const COMBINING = /[\p{Mn}\p{Me}\u1160-\u11ff]/u;

/** Characters of one column although `WIDE` contains their script or their use as an emoji: half-width forms, and regional indicators. */
const HALF_WIDTH = /[\uff61-\uffdc\u{1f1e6}-\u{1f1ff}\u303f]/u;

/** Characters of two columns: the scripts, symbols and forms that Unicode calls wide (UAX #11), and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\p{Emoji_Presentation}\u2ff0-\u303e\u3190-\u319f\u31c0-\u33ff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]/u;

/** Returns the width of a text in a terminal, columns: ideographs and emoji take two, combining marks none. */
export function columns(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += COMBINING.test(character) ? 0 : WIDE.test(character) && !HALF_WIDTH.test(character) ? 2 : 1;
  return sum;
}

/** Appends spaces up to a number of columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** Indents the lines that are not empty by a number of spaces. */
export function indent(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

/** Returns as much of the beginning of a text as fits into `width` columns. An escape such as `\u{1b}` is never split. */
export function clip(text: string, width: number): string {
  return text.length * 2 <= width ? text : beginning(text, width);
}

/** Returns a text that fits into `width` columns, or else its beginning and the number of omitted characters. No escape is split. */
export function cut(text: string, width: number): string {
  if (text.length * 2 <= width || columns(text) <= width) return text;
  const shown = beginning(text, Math.max(1, width - `… (${text.length} more)`.length));
  return `${shown}… (${characters(text) - characters(shown)} more)`;
}

/** Returns the part of a text around the index `at`, and the column of that index in the part, from 0. */
export function excerptAround(text: string, at: number, width: number): { readonly text: string; readonly column: number } {
  const showsStart = columns(text) <= width || columns(text.slice(0, at)) < width - 20;
  const wanted = showsStart ? 0 : Math.max(0, at - 10);
  // A surrogate pair is not split.
  const start = /^[\udc00-\udfff]/.test(text.slice(wanted, wanted + 1)) ? wanted + 1 : wanted;
  const head = start === 0 ? '' : `(${characters(text.slice(0, start))} more) …`;
  return { text: head + cut(text.slice(start), width - head.length), column: head.length + columns(text.slice(start, at)) };
}

/**
 * Breaks a text at spaces into lines of `width` columns. A longer word keeps a line of its own, whole, so that it can be copied; what is in
 * backticks counts as one word.
 */
export function wrap(text: string, width: number): readonly string[] {
  if (columns(text) <= width) return [text];
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  for (const word of wordsOf(text)) {
    const size = columns(word);
    if (line !== undefined && used + 1 + size > width) {
      lines.push(line);
      line = undefined;
    }
    used = line === undefined ? size : used + 1 + size;
    line = line === undefined ? word : `${line} ${word}`;
  }
  return line === undefined ? lines : [...lines, line];
}

function wordsOf(text: string): readonly string[] {
  const words = [''];
  for (const [part] of text.matchAll(/`[^`]*`|[^` ]+|`| /g)) {
    if (part === ' ') words.push('');
    else words.push(`${words.pop() ?? ''}${part}`);
  }
  return words;
}

/** Breaks a text into full lines of `width` columns, wherever the break falls. */
export function chunks(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const line = beginning(rest, width);
    lines.push(line);
    rest = rest.slice(line.length);
  }
  return lines;
}

/** Returns as many whole characters and escapes from the beginning as fit, at least one character. */
function beginning(text: string, width: number): string {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += columns(character);
    if (used > width && end > 0) break;
    end += character.length;
  }
  const split = /\\(?:u[{0-9a-f]*)?$/.exec(text.slice(Math.max(0, end - 10), end));
  return text.slice(0, split === null || end === text.length || split[0].length === end ? end : end - split[0].length);
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
