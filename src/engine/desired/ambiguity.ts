/** Forms of YAML that parsers read differently, and that a text can do without: they are refused. */
import { isDocumentEnd, pastBlank } from './blank-space.ts';
import { REFUSED, type YamlError } from './syntax-errors.ts';
import { ABSENT, isBlockScalar, isDoubleQuoted, type ScalarEvent, scalarStart, scalarText } from './yaml-parser.ts';

/** The text with such forms replaced by what is harmless, character by character, so that the rest can be looked at too. */
export function withoutAmbiguity(text: string): { readonly parsable: string; readonly refusals: readonly YamlError[] } {
  const refusals = [...text.matchAll(strayEnd)].map(({ index }) => refusal(index, REFUSED.documentEnd));
  const first = pastBlank(text, 0);
  if (isDocumentEnd(text, first)) refusals.push(refusal(first, REFUSED.documentEnd));
  if (!/[\r%\ufeff]/.test(text)) return { parsable: text, refusals };
  const parsable = text.replace(/\r(?!\n)|(?<![^\n])[%\ufeff]/g, (mark, offset: number) => {
    refusals.push(refusal(offset, mark === '%' ? REFUSED.directive : mark === '\r' ? REFUSED.carriageReturn : REFUSED.byteOrderMark));
    return mark === '%' ? '#' : ' ';
  });
  return { parsable, refusals };
}

/** Escapes in double quotes. A character above U+10FFFF is none, and a line break is read in one way only where a line with text follows. */
const escapes = /\\(?:(?<unclear>U(?!000[0-9a-fA-F]|0010)|\r?\n[ \t]*[\t\r\n])|[\s\S])/g;

/** A mark of the end of a document with something behind it. */
const strayEnd = /(?<![^\n])\.\.\.(?=[ \t]+[^\s#])/g;

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
  if (!isDoubleQuoted(event)) return undefined;
  const { index } = [...text.slice(valueStart, valueEnd).matchAll(escapes)].find(({ groups }) => groups?.unclear !== undefined) ?? {};
  return index === undefined ? undefined : refusal(valueStart + index, REFUSED.escape);
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

/** The tab that begins a line below, where nothing but spaces, comments, colons and dashes stands before it; undefined where there is none. */
export function tabBelow(text: string, end: number): YamlError | undefined {
  const below = text.slice(end, pastBlank(text, end, ':?,]}-'));
  const tab = below.search(end > 0 && text.charAt(end - 1) !== '\n' ? /(?<=\n *)\t/ : /(?<=(?:^|\n) *)\t/);
  return tab < 0 ? undefined : refusal(end + tab, REFUSED.tab);
}

function refusal(offset: number, [summary, hint]: readonly [string, string]): YamlError {
  return { offset, code: 'yaml-syntax', summary, hint };
}
