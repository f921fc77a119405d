/** Forms of YAML that parsers read differently, and that a text can do without: they are refused. */
import { isDocumentEnd, pastBlank } from './blank-space.ts';
import { REFUSED, type YamlError } from './syntax-errors.ts';
import { ABSENT, isBlockScalar, isDoubleQuoted, isPlain, type ScalarEvent, scalarStart, scalarText } from './yaml-parser.ts';

/** The text with such forms replaced by what is harmless, character by character, so that the rest can be looked at too. */
export function withoutAmbiguity(text: string): { readonly parsable: string; readonly refusals: readonly YamlError[] } {
  const refusals: YamlError[] = [];
  const first = pastBlank(text, 0);
  if (isDocumentEnd(text, first)) refusals.push(refusal(first, REFUSED.documentEnd));
  const parsable = text.replace(odd, (mark, offset: number) => {
    if (mark !== '...' || offset !== first) refusals.push(refusal(offset, REFUSED[wordsFor[mark] ?? 'documentEnd']));
    return harmless[mark] ?? mark;
  });
  return { parsable, refusals };
}

/** A directive, a byte order mark, a carriage return on its own, a mark of the end of a document with something behind it. */
const odd = /[%\ufeff](?<![^\n][^\n])|\.\.\.(?=[ \t]+[^\s#])(?<![^\n]\.\.\.)|\r(?!\n)/g;
const wordsFor: { readonly [mark: string]: keyof typeof REFUSED } = { '%': 'directive', '\ufeff': 'byteOrderMark', '\r': 'carriageReturn' };
const harmless: { readonly [mark: string]: string } = { '%': '#', '\r': '\n', '...': '---' };

/** Escapes in double quotes. A character above U+10FFFF is none, and a line break is read in one way only where a line with text follows. */
const escapes = /\\(?:(?<unclear>U(?!000[0-9a-fA-F]|0010)|\r?\n[ \t]*[\t\r\n])|[\s\S])/g;

/** What is ambiguous about a scalar of more than one line, or with escapes; undefined where nothing is. `isRoot`: whether it is all that its document holds. */
export function ambiguousScalar(text: string, event: ScalarEvent, isRoot: boolean): YamlError | undefined {
  if (event.fast || event.valueStart === ABSENT) return undefined;
  const { valueStart, valueEnd } = event;
  if (isBlockScalar(event)) {
    const offset = scalarStart(text, event);
    const hasIndicator = /^.[-+]?[1-9]/.test(text.slice(offset, offset + 3));
    if (hasIndicator && isRoot) return refusal(offset, REFUSED.blockIndicator);
    return endsInSpace(text, event) ? refusal(offset, REFUSED.blankEnd) : tabBelow(text, valueEnd);
  }
  if (!isDoubleQuoted(event)) return isPlain(event) ? tabWithin(text, event) : undefined;
  const { index } = [...text.slice(valueStart, valueEnd).matchAll(escapes)].find(({ groups }) => groups?.unclear !== undefined) ?? {};
  return index === undefined ? undefined : refusal(valueStart + index, REFUSED.escape);
}

/** A tab at the beginning of a line of a plain text. */
function tabWithin(text: string, { valueStart, valueEnd }: ScalarEvent): YamlError | undefined {
  const tab = text.slice(valueStart, valueEnd).search(/(?<=\n *)\t/);
  return tab < 0 ? undefined : refusal(valueStart + tab, REFUSED.tab);
}

/** Whether the last line of a block holds nothing but spaces, and more than its indentation, or has no end. */
function endsInSpace(text: string, event: ScalarEvent): boolean {
  const raw = text.slice(event.valueStart, event.valueEnd);
  return /(?:^|\n)[ \t]+\n*$/.test(scalarText(text, event)) || (event.valueEnd === text.length && /(?:^|\n)[ \t]+$/.test(raw));
}

/** What is wrong with an anchor whose name ends in a colon, which was meant as a key. */
export function unclearAnchor(offset: number): YamlError {
  return refusal(offset, REFUSED.anchor);
}

/** The tab by which a node is indented, or which stands between a dash or colon and an anchor; undefined where there is none. */
export function tabBefore(text: string, start: number): YamlError | undefined {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(line, start);
  const tab = before.search(text.charAt(start) === '&' ? /\t(?=\s*$)|^ *\t/ : /^ *\t/);
  return tab < 0 ? undefined : refusal(line + before.indexOf('\t', tab), REFUSED.tab);
}

/** The tab that begins a line of what stands from `start` to `end`; undefined where there is none. */
export function tabBelow(text: string, start: number, end = pastSigns(text, start)): YamlError | undefined {
  const isLineStart = start > 0 && text.charAt(start - 1) === '\n';
  const tab = text.slice(start, end).search(isLineStart ? /(?<=(?:^|\n) *)\t/ : /(?<=\n *)\t/);
  return tab < 0 ? undefined : refusal(start + tab, REFUSED.tab);
}

/** Offset behind all spaces, comments, colons and dashes. */
export function pastSigns(text: string, start: number): number {
  return pastBlank(text, start, ':?,]}-');
}

function refusal(offset: number, [summary, hint]: readonly [string, string]): YamlError {
  return { offset, code: 'yaml-syntax', summary, hint };
}
