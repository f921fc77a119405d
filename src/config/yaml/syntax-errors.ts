/** Describes errors of js-yaml in upkeep's own words, since its messages quote the file, which may contain secrets. */

import { pastBlank } from './blank-space.ts';

/** A syntax error at an offset of the text. */
export interface YamlError {
  readonly offset: number;
  readonly code: 'yaml-syntax' | 'too-deep';
  readonly summary: string;
  readonly hint?: string;
}

type ErrorText = readonly [summary: string, hint: string];

/** Forms that upkeep rejects although YAML allows them, since parsers read them differently or they have no meaning here. */
export const REFUSED = {
  tag: ['this tag is not supported', 'Write plain values; tags beginning with ! have no meaning here.'],
  key: ['a key must be plain text', 'Quote the key; lists, maps and aliases cannot be keys.'],
  directive: ['this directive is not supported', 'Leave lines beginning with % out.'],
  carriageReturn: ['a carriage return stands here without a line feed', 'Save the file with the line ends of Unix or Windows.'],
  byteOrderMark: ['a byte order mark stands here, where it is invisible', 'Remove it; it may stand at the beginning of the file only.'],
  tab: ['a tab is used for indentation', 'YAML is indented with spaces only.'],
  escape: ['this escape is not valid in a double-quoted text', 'Use single quotes to take every character as it is.'],
  blockIndicator: ['a document cannot be a block with a number in its first line', 'Write a map of sections.'],
  blankEnd: ['a block text ends with a line of nothing but spaces', 'Remove the spaces, or write the text in quotes.'],
  documentEnd: ['this end of a document is out of place', 'Leave lines beginning with ... out.'],
  secondColon: ['a second colon on one line', 'Quote a text that contains a colon and a space.'],
  anchor: ['this alias or anchor is not valid', 'Quote the text if it was not meant as an alias.'],
  longKey: ['a key must not be longer than 1,024 characters', 'Check for a quote or a line break that is not there.'],
} as const satisfies { readonly [form: string]: ErrorText };

const GENERAL: ErrorText = ['this is not valid YAML', 'Check indentation, colons and quotes on this line and the one before it.'];
const INDENTATION: ErrorText = ['the indentation does not fit', 'Keys of one map begin in the same column.'];
const MISSING: ErrorText = ['a character is missing here', 'Look for a quote, a bracket or a comma that is not there.'];
const MULTILINE_KEY: ErrorText = ['a key must stand on one line', 'Check for a missing colon on this line or the one before it.'];

/** Converts a reason of js-yaml to an error at the offset where the cause probably is. */
export function syntaxError(text: string, reason: string, position: number): YamlError {
  if (reason.startsWith('nesting exceeded')) return tooDeep(position);
  const [offset, [summary, hint]] = locateCause(text, reason, position);
  return { offset, code: 'yaml-syntax', summary, hint };
}

/** Builds the error for maps and lists that are nested too deep. */
export function tooDeep(offset: number): YamlError {
  return { offset, code: 'too-deep', summary: 'nested more than 64 levels deep' };
}

function locateCause(text: string, reason: string, position: number): readonly [offset: number, words: ErrorText] {
  if (reason.startsWith('tab ')) return [position, REFUSED.tab];
  if (/\btag\b/.test(reason)) return [Math.max(text.lastIndexOf('!', position), 0), REFUSED.tag];
  if (reason.startsWith('name of an a')) return [position, REFUSED.anchor];
  if (/escape sequence|hexadecimal/.test(reason)) return [Math.max(text.lastIndexOf('\\', position), 0), REFUSED.escape];
  if (/^unexpected end|^missed comma/.test(reason)) return [position, MISSING];
  if (reason === 'deficient indentation') return [position, insufficientIndentation(text, position)];
  if (reason.includes('multiline key')) return [lineOf(text, position).start, MULTILINE_KEY];
  if (reason.startsWith("expected ':'")) return [position, MISSING];
  if (reason.startsWith('end of the stream') && text[position] === ':') return rootAsKey(text, position);
  return /^bad indentation|^end of the stream/.test(reason) ? misplacedText(text, position) : [position, GENERAL];
}

/** Explains a line that begins too far left within quotes or brackets, most often because a quote before it is not closed. */
function insufficientIndentation(text: string, position: number): ErrorText {
  const { start, before } = lineOf(text, position);
  if (before.includes('\t')) return REFUSED.tab;
  const { before: lineBefore } = lineOf(text, Math.max(start - 1, 0));
  return /(?:^|[\s,[{])(?:"[^"]*|'[^']*)$/.test(lineBefore) ? MISSING : INDENTATION;
}

/** Handles a colon after the root of a document, whose lines were meant as a key. */
function rootAsKey(text: string, position: number): readonly [offset: number, words: ErrorText] {
  const root = pastBlank(text, 0, '');
  return text.slice(root, position).includes('\n') ? [root, MULTILINE_KEY] : [position, GENERAL];
}

/** Handles text with a wrong indentation, or text after the end of a value on the same line. */
function misplacedText(text: string, position: number): readonly [offset: number, words: ErrorText] {
  const { start, before } = lineOf(text, position);
  const mark = text.charAt(position);
  if (/^ *$/.test(before) && !/[@`%]/.test(mark)) return [start, INDENTATION];
  if (/^[ \t]*$/.test(before)) return [start, REFUSED.tab];
  if (mark !== ':') return [position, GENERAL];
  return [start + (/^.*(?::|^ *-)\s+/.exec(before)?.[0].length ?? 0), REFUSED.secondColon];
}

function lineOf(text: string, position: number): { readonly start: number; readonly before: string } {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return { start, before: text.slice(start, position) };
}
