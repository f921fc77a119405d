/**
 * Text from the account or the YAML is data (design section 4, rule 10): here it becomes harmless for the place where it is shown.
 */
import type { Json } from '../model/json.ts';
import { BRACKET_COMMAND, HIDDEN, visible } from '../model/visible-text.ts';

export { visible } from '../model/visible-text.ts';

/** New workflow commands (`::set-output`) are obeyed after white space; a terminal's colours may stand before it too. */
const COLON_COMMAND = /^((?:\s|\u001b\[[\d;]*m)*):(?=(?:\u001b\[[\d;]*m)*:)/;

/** Plain data as JSON that is the same when parsed, but holds no hidden character and no workflow command. `indent` as in JSON.stringify. */
export function visibleJson(value: Json | object, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .replace(HIDDEN, (character) => (character === '\n' ? character : jsonEscape(character)))
    .replace(BRACKET_COMMAND, '\\u0023#');
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('');
}

/** The lines, data in them already visible, as one text in which no line is a command to the CI system that logs it; ends with a line break. */
export function finish(lines: readonly string[]): string {
  return `${lines.map((line) => line.replace(COLON_COMMAND, '$1\\u{3a}')).join('\n')}\n`;
}

/** Data as a Markdown code span: nothing in it is markup, a mention or a link. Pipes are written by number, for they would end a table's cell. */
export function codeSpan(text: string): string {
  const shown = visible(text).replaceAll('|', '\\u{7c}');
  const ticks = fence(shown, 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return shown.trim() === '' ? '`""`' : `${ticks}${pad}${shown}${pad}${ticks}`;
}

/** Backticks that enclose the text: at least `least`, more than any run in it. */
export function fence(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Words and small numbers with their punctuation. */
const PLAIN = /^["(]*(?:\p{L}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*|\d{1,6}(?:\.\d{1,3})?%?|%)[")]*[.,;:!?]?$/u;

/** What looks like the hash of a commit, which some sites link. */
const HASH = /(?<![a-z])[a-f]{7,}(?![a-z])/i;

/** What the author of a sentence put in backticks, with punctuation around it. */
const QUOTED = /^(["(]*)`([^`]+)`([")]*[.,;:!?]?)$/;

/** A sentence with data in it, for Markdown: plain words stay words, all else becomes code spans, where nothing is markup, a mention or a link. */
export function markdownSentence(text: string): string {
  const parts: string[] = [];
  let odd: string[] = [];
  for (const word of text.match(/["(]*`[^`]+`[")]*[.,;:!?]?(?= |$)|[^ ]+/g) ?? []) {
    const plain = plainly(word);
    if (plain === null) odd.push(word);
    else {
      parts.push(...together(odd), plain);
      odd = [];
    }
  }
  return [...parts, ...together(odd)].join(' ');
}

/** The word in Markdown where it can stand by itself, else null. */
function plainly(word: string): string | null {
  const [, before, quoted, after] = QUOTED.exec(word) ?? [];
  if (quoted !== undefined) return `${before}${codeSpan(quoted)}${after}`;
  return PLAIN.test(word) && !HASH.test(word) && visible(word) === word ? word : null;
}

/** One code span for neighbours, without the punctuation that follows them. */
function together(words: readonly string[]): readonly string[] {
  const [, text, mark] = /^(.+?)([.,;:!?]?)$/s.exec(words.join(' ')) ?? [];
  return text === undefined ? [] : [`${codeSpan(text)}${mark}`];
}

const MARKUP: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Data as text of an HTML element that holds nothing else, such as `title`. */
export function htmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => MARKUP[character] ?? '');
}

/** Data in XML 1.0, between tags or in an attribute in double quotes: what XML may not hold (controls, U+FFFE, lone surrogates) is named by its number. */
export function xmlText(text: string): string {
  return htmlText(text);
}

/** Letters that run from right to left: the ranges that Unicode keeps for them, with the spaces between their words. */
const RIGHT_TO_LEFT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)*)/u;

/** Data in HTML: nothing in it is markup, and what runs from right to left moves nothing around it. */
export function html(text: string): string {
  const parts = visible(text).split(RIGHT_TO_LEFT);
  return parts.map((part, index) => (index % 2 === 1 ? `<bdi>${htmlText(part)}</bdi>` : htmlText(part))).join('');
}
