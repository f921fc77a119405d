/** Fitting text into columns. All of it is plain text: colour comes last. */

const ASCII = /^[\x20-\x7e]*$/;

/** What takes no column of its own: marks that are drawn over the character before them, and the later parts of a Korean syllable. */
const COMBINING = /[\p{Mn}\p{Me}\u1160-\u11ff]/u;

/** What takes one column although its script, or its use as an emoji, is wide: half-width forms, and the letters of which flags are made. */
const HALF = /[\uff61-\uffdc\u{1f1e6}-\u{1f1ff}\u303f]/u;

/** What takes two: the scripts, symbols and forms that Unicode calls wide (UAX #11), and what is drawn as an emoji by itself. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\p{Emoji_Presentation}\u2ff0-\u303e\u3190-\u319f\u31c0-\u33ff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]/u;

/** Columns that a text takes in a terminal; ideographs and emoji take two, combining marks none. */
export function columns(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += COMBINING.test(character) ? 0 : WIDE.test(character) && !HALF.test(character) ? 2 : 1;
  return sum;
}

/** The text followed by spaces up to a number of columns. */
export function pad(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - columns(text)));
}

/** The lines, moved right. */
export function indent(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

/** As much of the text's beginning as fits. No escape is cut in two. */
export function clip(text: string, room: number): string {
  return text.length * 2 <= room ? text : beginning(text, room);
}

/** The text, or as much of its beginning as fits, with the number of characters left out. No escape such as `\u{1b}` is cut in two. */
export function cut(text: string, room: number): string {
  if (text.length * 2 <= room || columns(text) <= room) return text;
  const kept = beginning(text, Math.max(1, room - `… (${text.length} more)`.length));
  return `${kept}… (${characters(text) - characters(kept)} more)`;
}

/** A part of the text around the index `at`, and the column at which that index now stands, from 0. */
export function excerptAround(text: string, at: number, room: number): { readonly text: string; readonly at: number } {
  const near = columns(text) <= room || columns(text.slice(0, at)) < room - 20;
  const wanted = near ? 0 : Math.max(0, at - 10);
  const start = /^[\udc00-\udfff]/.test(text.slice(wanted, wanted + 1)) ? wanted + 1 : wanted;
  const head = start === 0 ? '' : `(${characters(text.slice(0, start))} more) …`;
  return { text: head + cut(text.slice(start), room - head.length), at: head.length + columns(text.slice(start, at)) };
}

/** The text over several lines, broken at spaces; a word that is too long keeps a line of its own, whole, so that it can be copied. */
export function wrap(text: string, room: number): readonly string[] {
  if (columns(text) <= room) return [text];
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  for (const word of text.split(' ')) {
    const size = columns(word);
    if (line !== undefined && used + 1 + size > room) {
      lines.push(line);
      line = undefined;
    }
    used = line === undefined ? size : used + 1 + size;
    line = line === undefined ? word : `${line} ${word}`;
  }
  return line === undefined ? lines : [...lines, line];
}

/** The text over several lines, broken wherever a line is full. */
export function chunks(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const line = beginning(rest, room);
    lines.push(line);
    rest = rest.slice(line.length);
  }
  return lines;
}

/** As many whole characters and escapes from the beginning as fit, at least one character. */
function beginning(text: string, room: number): string {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += columns(character);
    if (used > room && end > 0) break;
    end += character.length;
  }
  const open = /\\(?:u[{0-9a-f]*)?$/.exec(text.slice(Math.max(0, end - 10), end));
  return text.slice(0, open === null || end === text.length || open[0].length === end ? end : end - open[0].length);
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
