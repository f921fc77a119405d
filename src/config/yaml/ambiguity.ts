/** Rejects forms of YAML that parsers read differently. */
import { isDocumentEnd, pastBlank } from './blank-space.ts';
import { REFUSED, type YamlError } from './syntax-errors.ts';
import { ABSENT, isBlockScalar, isDoubleQuoted, isPlain, type ScalarEvent, scalarStart, scalarText } from './yaml-parser.ts';

/** Reports such forms, and replaces them with harmless characters of the same length, so that the rest can be parsed. */
export function withoutAmbiguity(text: string): { readonly parsable: string; readonly refusals: readonly YamlError[] } {
  const refusals: YamlError[] = [];
  const first = pastBlank(text, 0);
  if (isDocumentEnd(text, first)) refusals.push(refusal(first, REFUSED.documentEnd));
  const parsable = text.replace(ambiguousMarks, (mark, offset: number) => {
    if (mark !== '...' || offset !== first) refusals.push(refusal(offset, REFUSED[reasonFor[mark] ?? 'documentEnd']));
    return replacementOf[mark] ?? mark;
  });
  return { parsable, refusals };
}

/** A directive, a byte order mark, a lone carriage return, an end-of-document mark followed by text. */
const ambiguousMarks = /[%\ufeff](?<![^\n][^\n])|\.\.\.(?=[ \t]+[^\s#])(?<![^\n]\.\.\.)|\r(?!\n)/g;
const reasonFor: { readonly [mark: string]: keyof typeof REFUSED } = {
  '%': 'directive',
  '\ufeff': 'byteOrderMark',
  '\r': 'carriageReturn',
};
const replacementOf: { readonly [mark: string]: string } = { '%': '#', '\r': '\n', '...': '---' };

/** Escapes in double quotes. Ambiguous are code points above U+10FFFF, and an escaped line break unless a line with text follows. */
const escapes = /\\(?:(?<unclear>U(?!000[0-9a-fA-F]|0010)|\r?\n[ \t]*[\t\r\n])|[\s\S])/g;

/**
 * Returns the ambiguity of a scalar with several lines or escapes; undefined where there is none. `isRoot`: whether the scalar is the whole
 * document.
 */
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

/** Returns an error for a tab at the beginning of a line of a plain scalar. */
function tabWithin(text: string, { valueStart, valueEnd }: ScalarEvent): YamlError | undefined {
  const tab = text.slice(valueStart, valueEnd).search(/\t(?<=\n *\t)/);
  return tab < 0 ? undefined : refusal(valueStart + tab, REFUSED.tab);
}

/** Decides whether the last line of a block scalar consists of more spaces than its indentation, or has no line feed. */
function endsInSpace(text: string, event: ScalarEvent): boolean {
  const raw = text.slice(event.valueStart, event.valueEnd);
  return /(?:^|\n)[ \t]+\n*$/.test(scalarText(text, event)) || (event.valueEnd === text.length && /(?:^|\n)[ \t]+$/.test(raw));
}

/** Builds the error for an anchor whose name ends in a colon, which was meant as a key. */
export function unclearAnchor(offset: number): YamlError {
  return refusal(offset, REFUSED.anchor);
}

/** Returns an error for a tab that indents a node, or is between a dash or colon and an anchor; undefined where there is none. */
export function tabBefore(text: string, start: number): YamlError | undefined {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(line, start);
  const isIndented = /^ *\t/.test(before);
  const isBeforeAnchor = text.charAt(start) === '&' && before.indexOf('\t', before.trimEnd().length) >= 0;
  if (!isIndented && !isBeforeAnchor) return undefined;
  return refusal(line + before.indexOf('\t', isIndented ? 0 : before.trimEnd().length), REFUSED.tab);
}

/** Returns an error for a tab at the beginning of a line between the offsets `start` and `end`; undefined where there is none. */
export function tabBelow(text: string, start: number, end = pastSigns(text, start)): YamlError | undefined {
  const isLineStart = start > 0 && text.charAt(start - 1) === '\n';
  const tab = text.slice(start, end).search(isLineStart ? /\t(?<=(?:^|\n) *\t)/ : /\t(?<=\n *\t)/);
  return tab < 0 ? undefined : refusal(start + tab, REFUSED.tab);
}

/** Returns the offset after all white space, comments, colons and dashes. */
export function pastSigns(text: string, start: number): number {
  return pastBlank(text, start, ':?,]}-');
}

function refusal(offset: number, [summary, hint]: readonly [string, string]): YamlError {
  return { offset, code: 'yaml-syntax', summary, hint };
}
