/** Describes errors of js-yaml in other words, because the messages of js-yaml quote the file, which may contain secrets. */

import type { FindingText } from '../../model/finding.ts';
import { skipBlankAndMarks } from './text.ts';

/** Maximum number of characters of a key, up to its colon. */
export const MAX_KEY = 1024;

/** A syntax error at an offset of the text. */
export interface YamlSyntaxError extends FindingText {
  readonly offset: number;
  readonly code: 'yaml-syntax' | 'too-deep';
}

type Message = readonly [summary: string, hint: string];

/** Forms that upkeep rejects although YAML allows them, because parsers read them differently or they have no meaning here. */
export const YAML_ERRORS = {
  tag: ['this tag is not supported', 'Write plain values; tags beginning with ! have no meaning here.'],
  key: ['a key must be plain text', 'Quote the key; lists, maps and aliases cannot be keys.'],
  directive: ['this directive is not supported', 'Remove lines that begin with %.'],
  carriageReturn: ['there is a carriage return without a line feed here', 'Save the file with the line ends of Unix or Windows.'],
  byteOrderMark: ['there is an invisible byte order mark here', 'Remove it; it is allowed only at the beginning of the file.'],
  reserved: ['a key or text cannot begin with @, % or a backquote', 'Put it in quotes.'],
  tab: ['a tab is used for indentation', 'YAML is indented with spaces only.'],
  tabBeforeAnchor: ['a tab is in front of an anchor', 'Use spaces; parsers read this tab differently.'],
  escape: ['this escape is not valid in a double-quoted text', 'Use single quotes to take every character as it is.'],
  blockIndicator: ['a document cannot be a block with a number in its first line', 'Write a map of sections.'],
  blankEnd: ['a block text ends with a line of nothing but spaces', 'Remove the spaces, or write the text in quotes.'],
  documentStart: ['this beginning of a document is out of place', 'Put --- at the beginning of its line.'],
  documentEnd: ['this end of a document is out of place', 'Remove lines that begin with `...`.'],
  secondColon: ['a second colon on one line', 'Quote a text that contains a colon and a space.'],
  anchor: ['this alias or anchor is not valid', 'Quote the text if it was not meant as an alias.'],
  longKey: ['a key must not be longer than 1,024 characters', 'Check for a missing quote or line break.'],
} as const satisfies { readonly [form: string]: Message };

const GENERAL: Message = ['this is not valid YAML', 'Check indentation, colons and quotes on this line and the one before it.'];
/** The error of a line that begins in the wrong column. */
export const INDENTATION: Message = ['the indentation does not fit', 'Keys of one map begin in the same column.'];
const MISSING: Message = ['a character is missing here', 'Check for a missing quote, bracket or comma.'];
const MULTILINE_KEY: Message = ['a key must be on one line', 'Check for a missing colon on this line or the one before it.'];

/** Converts an error message of js-yaml to a syntax error at the offset where the cause probably is. */
export function syntaxError(text: string, reason: string, position: number): YamlSyntaxError {
  if (reason.startsWith('nesting exceeded')) return tooDeep(position);
  const [offset, [summary, hint]] = locateCause(text, reason, position);
  return { offset, code: 'yaml-syntax', summary, hint };
}

/** Decides whether an error is a missing character, most often the second one of two quotes. */
export function isOpenQuote({ summary }: YamlSyntaxError): boolean {
  return summary === MISSING[0];
}

/** Builds the error for maps and lists that are nested too deep. */
export function tooDeep(offset: number): YamlSyntaxError {
  return { offset, code: 'too-deep', summary: 'nested more than 64 levels deep' };
}

function locateCause(text: string, reason: string, position: number): readonly [offset: number, message: Message] {
  if (reason.startsWith('tab ')) return [position, YAML_ERRORS.tab];
  if (isReserved(text, position)) return [position, YAML_ERRORS.reserved];
  if (/\btag\b/.test(reason)) return [Math.max(text.lastIndexOf('!', position), 0), YAML_ERRORS.tag];
  if (reason.startsWith('name of an a')) return [position, YAML_ERRORS.anchor];
  if (/escape sequence|hexadecimal/.test(reason)) return [Math.max(text.lastIndexOf('\\', position), 0), YAML_ERRORS.escape];
  if (/^unexpected end|^missed comma/.test(reason)) return [position, MISSING];
  if (reason === 'deficient indentation') return [position, insufficientIndentation(text, position)];
  if (reason.includes('multiline key')) return [lineOf(text, position).start, MULTILINE_KEY];
  if (reason.startsWith("expected ':'")) return [position, MISSING];
  if (reason.startsWith('end of the stream') && text[position] === ':') return rootAsKey(text, position);
  return /^bad indentation|^end of the stream/.test(reason) ? misplacedText(text, position) : [position, GENERAL];
}

/** Decides whether a reserved character is where a key or a value begins. */
function isReserved(text: string, position: number): boolean {
  return /[@`%]/.test(text.charAt(position)) && /(?:^|[[{,]|(?:^|\s)[-?]|:|&\S+)$/.test(lineOf(text, position).before.trimEnd());
}

/** Describes a line that begins too far left within quotes or brackets. The cause is most often a quote before it that is not closed. */
function insufficientIndentation(text: string, position: number): Message {
  const { start, before } = lineOf(text, position);
  if (before.includes('\t')) return YAML_ERRORS.tab;
  const { before: lineBefore } = lineOf(text, Math.max(start - 1, 0));
  return /(?:^|[\s,[{])(?:"[^"]*|'[^']*)$/.test(lineBefore) ? MISSING : INDENTATION;
}

/** Locates the error of a colon after the root of a document: the lines of the root were meant as a key. */
function rootAsKey(text: string, position: number): readonly [offset: number, message: Message] {
  const root = skipBlankAndMarks(text, 0, '');
  return text.slice(root, position).includes('\n') ? [root, MULTILINE_KEY] : [position, GENERAL];
}

/** Locates the error of a text with wrong indentation, or of a text after the end of a value on the same line. */
function misplacedText(text: string, position: number): readonly [offset: number, message: Message] {
  const { start, before } = lineOf(text, position);
  const mark = text.charAt(position);
  if (/^ *$/.test(before)) return [start, INDENTATION];
  if (/^[ \t]*$/.test(before)) return [start, YAML_ERRORS.tab];
  if (mark !== ':') return [position, GENERAL];
  return [start + (/^.*(?::|^ *-)\s+/.exec(before)?.[0].length ?? 0), YAML_ERRORS.secondColon];
}

function lineOf(text: string, position: number): { readonly start: number; readonly before: string } {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return { start, before: text.slice(start, position) };
}
