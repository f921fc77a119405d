/** Rejects forms of YAML that parsers read differently. */

import type { ScalarNode } from './nodes.ts';
import { MAX_KEY, YAML_ERRORS, type YamlSyntaxError } from './syntax-errors.ts';
import { isDocumentEnd, skipBlank, skipBlankAndMarks } from './text.ts';

/** Returns an error for each ambiguous form, and the text with other forms of the same length in their place, so that it can be parsed. */
export function withoutAmbiguity(text: string): { readonly parsable: string; readonly errors: readonly YamlSyntaxError[] } {
  const errors: YamlSyntaxError[] = [];
  const first = skipBlank(text, 0);
  if (isDocumentEnd(text, first)) errors.push(syntaxErrorAt(first, YAML_ERRORS.documentEnd));
  // js-yaml reads an indented directive or document mark, other parsers do not.
  const isIndented = first > 0 && text.charAt(first - 1) !== '\n';
  const isDirective = isIndented && text.charAt(first) === '%';
  if (isDirective) errors.push(syntaxErrorAt(first, YAML_ERRORS.reserved));
  if (isIndented && /^---(?:\s|$)/.test(text.slice(first, first + 4))) errors.push(syntaxErrorAt(first, YAML_ERRORS.documentStart));
  const marked = isDirective ? `${text.slice(0, first)}#${text.slice(first + 1)}` : text;
  const parsable = marked.replace(ambiguousMarks, (mark, offset: number) => {
    if (mark !== '...' || offset !== first) errors.push(syntaxErrorAt(offset, YAML_ERRORS[reasonFor(mark, offset, text)]));
    return replacementOf[mark] ?? mark;
  });
  return { parsable, errors };
}

/** A directive, a byte order mark, a lone carriage return, an end-of-document mark followed by text. */
const ambiguousMarks = /[%\ufeff](?<![^\n][^\n])|\.\.\.(?=[ \t]+[^\s#])(?<![^\n]\.\.\.)|\r(?!\n)/g;
const replacementOf: { readonly [mark: string]: string } = { '%': '#', '\r': '\n', '...': '---' };

/** A line with `%` that is meant as a key of a map, not as a directive. */
const isKey = /^%(?!YAML\b|TAG\b)[^\n]*:(?:\s|$)/;

function reasonFor(mark: string, offset: number, text: string): keyof typeof YAML_ERRORS {
  if (mark === '%') return isKey.test(text.slice(offset, offset + MAX_KEY)) ? 'reserved' : 'directive';
  if (mark === '\ufeff') return 'byteOrderMark';
  return mark === '\r' ? 'carriageReturn' : 'documentEnd';
}

/** Escapes in double quotes. Code points above U+10FFFF are ambiguous, and an escaped line break unless a line with text follows. */
const escapes = /\\(?:(?<ambiguous>U(?!000[0-9a-fA-F]|0010)|\r?\n[ \t]*[\t\r\n])|[\s\S])/g;

/**
 * Returns an error for a scalar with several lines or escapes that is ambiguous; undefined for any other scalar. `isRoot` is true for a
 * scalar that is a whole document.
 */
export function ambiguousScalar(text: string, scalar: ScalarNode, isRoot: boolean): YamlSyntaxError | undefined {
  if (scalar.isSimple) return undefined;
  const { style, start, contentStart, contentEnd } = scalar;
  const content = text.slice(contentStart, contentEnd);
  if (style === 'block') {
    const hasIndicator = /^.[-+]?[1-9]/.test(text.slice(start, start + 3));
    if (hasIndicator && isRoot) return syntaxErrorAt(start, YAML_ERRORS.blockIndicator);
    return endsInSpace(text, scalar) ? syntaxErrorAt(start, YAML_ERRORS.blankEnd) : tabAtLineStart(text, contentEnd);
  }
  // A tab at the beginning of a line of a plain scalar, or an ambiguous escape.
  const tab = style === 'plain' ? content.search(/\t(?<=\n *\t)/) : -1;
  if (tab >= 0) return syntaxErrorAt(contentStart + tab, YAML_ERRORS.tab);
  if (style !== 'double-quoted') return undefined;
  const { index } = [...content.matchAll(escapes)].find(({ groups }) => groups?.ambiguous !== undefined) ?? {};
  return index === undefined ? undefined : syntaxErrorAt(contentStart + index, YAML_ERRORS.escape);
}

/** Decides whether the last line of a block scalar contains only spaces, more than its indentation or without a line feed. */
function endsInSpace(text: string, { contentStart, contentEnd, value }: ScalarNode): boolean {
  const isLast = contentEnd === text.length;
  return /(?:^|\n)[ \t]+\n*$/.test(value) || (isLast && /(?:^|\n)[ \t]+$/.test(text.slice(contentStart, contentEnd)));
}

/** Builds the error for an anchor whose name ends in a colon, which was meant as a key. */
export function anchorWithColon(offset: number): YamlSyntaxError {
  return syntaxErrorAt(offset, YAML_ERRORS.anchor);
}

/** Returns an error for a tab that indents a node, or is between a dash or question mark and an anchor; undefined where there is none. */
export function tabBefore(text: string, start: number): YamlSyntaxError | undefined {
  const { line, before } = lineBefore(text, start);
  if (/^ *\t/.test(before)) return syntaxErrorAt(line + before.indexOf('\t'), YAML_ERRORS.tab);
  const token = before.trimEnd();
  const tab = before.indexOf('\t', token.length);
  if (text.charAt(start) !== '&' || tab < 0 || !/(?:^|[ \t])[-?]$/.test(token)) return undefined;
  return syntaxErrorAt(line + tab, YAML_ERRORS.tabBeforeAnchor);
}

/**
 * Returns an error for a tab in front of a map or list in block style, on the same line, where every tab is indentation; undefined where
 * there is none.
 */
export function tabBeforeBlock(text: string, start: number): YamlSyntaxError | undefined {
  const { line, before } = lineBefore(text, start);
  const tab = before.indexOf('\t');
  return tab < 0 ? undefined : syntaxErrorAt(line + tab, YAML_ERRORS.tab);
}

function lineBefore(text: string, offset: number): { readonly line: number; readonly before: string } {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return { line, before: text.slice(line, offset) };
}

/** Returns an error for a tab at the beginning of a line between the offsets `start` and `end`; undefined where there is none. */
export function tabAtLineStart(text: string, start: number, end = skipIndicators(text, start)): YamlSyntaxError | undefined {
  const isLineStart = start > 0 && text.charAt(start - 1) === '\n';
  const tab = text.slice(start, end).search(isLineStart ? /\t(?<=(?:^|\n) *\t)/ : /\t(?<=\n *\t)/);
  return tab < 0 ? undefined : syntaxErrorAt(start + tab, YAML_ERRORS.tab);
}

/**
 * Searches the text between two tokens for a line that begins with a tab. Remembers the last search, because many absent nodes may be
 * between the two tokens, and each would search the same text.
 */
export class TabSearch {
  readonly #text: string;
  #start = 0;
  #end = -1;
  #found: YamlSyntaxError | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns an error for the first such tab between the offset `start` and the next token; undefined where there is none. */
  after(start: number): YamlSyntaxError | undefined {
    const isWithin = this.#start <= start && start <= this.#end;
    if (isWithin && (this.#found === undefined || start <= this.#found.offset)) return this.#found;
    this.#end = isWithin ? this.#end : skipIndicators(this.#text, start);
    this.#start = start;
    this.#found = tabAtLineStart(this.#text, start, this.#end);
    return this.#found;
  }
}

/** Returns the offset after white space, comments, document marks and the indicators `: ? , ] } -`. */
export function skipIndicators(text: string, start: number): number {
  return skipBlankAndMarks(text, start, ':?,]}-');
}

function syntaxErrorAt(offset: number, [summary, hint]: readonly [string, string]): YamlSyntaxError {
  return { offset, code: 'yaml-syntax', summary, hint };
}
