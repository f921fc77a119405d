/**
 * Escapes text from the account or the YAML, which is data (design section 4, rule 10), so that it is harmless where it is shown.
 */
import type { Json } from '../core/model/json.ts';
import { BRACKET_COMMAND, HIDDEN, visible } from '../core/model/visible-text.ts';

export { visible } from '../core/model/visible-text.ts';

/** The colon of a workflow command (`::set-output`): white space and terminal colors may precede it. */
const COLON_COMMAND = /^((?:\s|\u001b\[[\d;]*m)*):(?=(?:\u001b\[[\d;]*m)*:)/;

/** Renders plain data as equivalent JSON without hidden characters and workflow commands. `indent` as in JSON.stringify. */
export function visibleJson(value: Json | object, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .replace(HIDDEN, (character) => (character === '\n' ? character : jsonEscape(character)))
    .replace(BRACKET_COMMAND, '\\u0023#');
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('');
}

/** Joins lines, whose data is escaped already, into a text in which no line is a workflow command. Ends with a line break. */
export function finish(lines: readonly string[]): string {
  return `${lines.map((line) => line.replace(COLON_COMMAND, '$1\\u{3a}')).join('\n')}\n`;
}

/**
 * Renders data as a Markdown code span, in which nothing is markup, a mention or a link. Pipes, which would end a table cell, are escaped.
 */
export function codeSpan(text: string): string {
  const escaped = visible(text).replaceAll('|', '\\u{7c}');
  const ticks = fence(escaped, 1);
  const pad = /^`|`$|^ .* $/.test(escaped) ? ' ' : '';
  return escaped.trim() === '' ? '`""`' : `${ticks}${pad}${escaped}${pad}${ticks}`;
}

/** Returns backticks that can enclose a text: at least `min`, and more than any run in it. */
export function fence(text: string, min: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(min, longest + 1));
}

/** Escapes the backticks of a sentence that enclose nothing, so that those that remain are pairs. */
export function pairedBackticks(text: string): string {
  return text.replace(/`[^`]+`|`/g, (found) => (found === '`' ? '\\u{60}' : found));
}

/** Plain words, small numbers, and the names of the API documents: `films`, `12.5`, `70%`, `4K`, `UHD1`, `1.x`, `drm-api-v3`. */
const PLAIN_WORD =
  /^(?:\p{L}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*|\d{1,6}(?:\.\d{1,3})?%?|%|[A-Z]{1,6}\d{1,2}|\d{1,4}[Kp]|\d{1,2}\.x|[a-z]{1,12}-api-v\d)$/u;

/** What looks like the hash of a commit, which code hosts link. */
const COMMIT_HASH = /(?<![a-z])[a-f]{7,}(?![a-z])/i;

/** A word, or text in backticks, with the punctuation around it. */
const WORD = /["(]*`[^`]+`[")]*[.,;:!?]*(?= |$)|[^ ]+/g;
const PUNCTUATED = /^(["(]*)(.*?)([").,;:!?]*)$/s;

/**
 * Renders a sentence with data in it as Markdown: plain words stay words, and everything else becomes code, without punctuation around it.
 */
export function markdownSentence(text: string): string {
  const parts: string[] = [];
  let others: Punctuated[] = [];
  const flush = () => {
    parts.push(...joinAsCode(others));
    others = [];
  };
  for (const word of text.match(WORD) ?? []) {
    const punctuated = withoutPunctuation(word);
    const rendered = renderWord(punctuated);
    if (rendered !== null || punctuated.before !== '' || /^".+"$/.test(punctuated.core)) flush();
    if (rendered !== null) parts.push(rendered);
    else others.push(punctuated);
    if (punctuated.after !== '') flush();
  }
  flush();
  return parts.join(' ');
}

/** A word with the punctuation around it. */
interface Punctuated {
  readonly before: string;
  readonly core: string;
  readonly after: string;
}

/** Splits the punctuation off a word. Parentheses and quotes that belong to it, as in `f(x)`, stay; so does a word of punctuation only. */
function withoutPunctuation(word: string): Punctuated {
  const [, before = '', core = '', after = ''] = PUNCTUATED.exec(word) ?? [];
  if (core === '') return { before: '', core: word, after: '' };
  const isOpen = (core.match(/\(/g)?.length ?? 0) > (core.match(/\)/g)?.length ?? 0) || (core.match(/"/g)?.length ?? 0) % 2 === 1;
  const kept = isOpen ? (/^[")]+/.exec(after)?.[0] ?? '') : '';
  const rest = after.slice(kept.length);
  // The quotes of a value that becomes code are part of it.
  if (before === '"' && rest.startsWith('"') && renderWord({ before: '', core, after: '' }) === null)
    return { before: '', core: `"${core}"`, after: rest.slice(1) };
  return { before, core: core + kept, after: rest };
}

/** Renders a plain word, or one in backticks; null if the word is neither. */
function renderWord({ before, core, after }: Punctuated): string | null {
  const quoted = /^`([^`]+)`$/.exec(core)?.[1];
  if (quoted !== undefined) return before + codeSpan(quoted) + after;
  if (core === '->') return `${before}→${after}`;
  return PLAIN_WORD.test(core) && !COMMIT_HASH.test(core) && visible(core) === core ? before + core + after : null;
}

/** Renders adjacent words as one code span, with the punctuation before the first and after the last one; empty if there are none. */
function joinAsCode(words: readonly Punctuated[]): readonly string[] {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  return [first.before + codeSpan(words.map(({ core }) => core).join(' ')) + last.after];
}

const ENTITIES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes data for an HTML element that contains only text, such as `title`. */
export function htmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Escapes data for XML 1.0, between tags or in an attribute in double quotes. Characters that XML forbids are shown by their number. */
export function xmlText(text: string): string {
  return htmlText(text);
}

/** Words in right-to-left scripts: the ranges that Unicode reserves for them, with the spaces between words. */
const RIGHT_TO_LEFT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)*)/u;

/** Escapes data for HTML. Right-to-left text is isolated, so that it does not reorder the text around it. */
export function html(text: string): string {
  const parts = visible(text).split(RIGHT_TO_LEFT);
  return parts.map((part, index) => (index % 2 === 1 ? `<bdi>${htmlText(part)}</bdi>` : htmlText(part))).join('');
}
