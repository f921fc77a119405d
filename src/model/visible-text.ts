/**
 * Makes foreign text visible: text from the account, the YAML, git or the service is data (design section 4, rule 10).
 * What the eye cannot tell apart is shown by its number, so that two texts that differ also look different.
 */

/** Controls, format and bidi characters, lone surrogates, private and unassigned ones, line separators, what is drawn as nothing, odd spaces. */
export const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** Texts that need no closer look, which is most of them. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Old workflow commands (`##[group]`, `##vso[..]`) are obeyed anywhere in a line. */
export const BRACKET_COMMAND = /##(?=\w*\[)/g;

const SHORT: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns data as it may stand within a line: every character that is not plainly visible becomes `\n`, `\r`, `\t` or `\u{..}`, and old workflow commands are broken. */
export function visible(text: string): string {
  const shown = PRINTABLE.test(text) ? text : text.replace(HIDDEN, named);
  return shown.replace(BRACKET_COMMAND, '\\u{23}#');
}

function named(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Returns at most so many characters of a text; a longer one ends with an ellipsis. */
export function truncate(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}
