/**
 * Makes foreign text visible: text from the account, the YAML, git or the service is data (design section 4, rule 10).
 * Characters that look alike are replaced by their code point, so that two texts that differ also look different.
 */

/** Control, format, bidi, private, unassigned and invisible characters, lone surrogates, line separators, spaces other than U+0020. */
export const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** The text that stands for a secret. */
export const REDACTED = '[hidden]';

/** Printable ASCII, which needs no replacement. Most texts are. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Old workflow commands (`##[group]`, `##vso[..]`), which CI systems execute anywhere in a line. */
export const BRACKET_COMMAND = /##(?=\w*\[)/g;

const SHORT: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes foreign text for use within a line: every character that is not visible becomes `\n`, `\r`, `\t` or `\u{..}`, and old workflow
 * commands are disabled.
 */
export function visible(text: string): string {
  const escaped = PRINTABLE.test(text) ? text : text.replace(HIDDEN, escapeCharacter);
  return escaped.replace(BRACKET_COMMAND, '\\u{23}#');
}

function escapeCharacter(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Truncates a text to at most `maxLength` characters. A longer one ends with an ellipsis. */
export function truncate(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text;
}
