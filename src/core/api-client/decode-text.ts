/** A text, and the place in an original text that each of its characters comes from. */
export interface View {
  readonly text: string;
  /** Returns the place in the original of the character at `at`; of the text's length, the end of the original. */
  offset(at: number): number;
}

/** A way to escape characters: what an escape looks like, and what it stands for; undefined where it stands for nothing. */
interface Escaping {
  readonly pattern: RegExp;
  decode(escaped: string): string | undefined;
}

const SHORT_ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Escapes with a backslash: those of JSON, of YAML and JavaScript (`\x2f`), and of our own reports (`\u{2f}`). */
const backslash: Escaping = {
  pattern: /\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|["'\\/bfnrt])/g,
  decode(escaped) {
    const hex = /\\[ux]\{?([0-9A-Fa-f]+)/.exec(escaped)?.[1];
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    const letter = escaped.charAt(1);
    return SHORT_ESCAPES[letter] ?? letter;
  },
};

const NAMED: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

/** Character references of HTML: by number, and the five names that escaping uses. */
const html: Escaping = {
  pattern: /&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);/g,
  decode(escaped) {
    const number = /#(.+);/.exec(escaped)?.[1];
    // With a zero before it, a hexadecimal number is one for JavaScript, too.
    return number === undefined ? NAMED[escaped] : characterOf(Number(`0${number}`));
  },
};

/** Escapes of URLs: the bytes of one character in UTF-8. */
const percent: Escaping = {
  pattern:
    /%[CDcd][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|%[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2}|%[Ff][0-4](?:%[89ABab][0-9A-Fa-f]){3}|%[0-9A-Fa-f]{2}/g,
  decode: (escaped) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8'),
};

function characterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Services echo at most a URL inside a URL inside a redirect, or in as many layers of other escapes. */
export const MAX_ESCAPE_LAYERS = 3;

/** Returns a text as it is, and as it reads with up to three layers of escapes removed, in every order of the kinds of escapes. */
export function decodings(text: string): Iterable<View> {
  const known = new Map<string, View>([[text, { text, offset: (at) => at }]]);
  let outer = [...known.values()];
  for (let layer = 1; layer <= MAX_ESCAPE_LAYERS; layer++) {
    const inner = outer.flatMap((view) => [backslash, html, percent].flatMap((escaping) => decoded(view, escaping) ?? []));
    outer = inner.filter((view) => !known.has(view.text) && known.set(view.text, view));
  }
  return known.values();
}

/** Removes one layer of escapes; returns undefined where there are none. */
function decoded({ text, offset }: View, { pattern, decode }: Escaping): View | undefined {
  const parts: string[] = [];
  // Behind each escape, the place in the decoded text, and by how much it is shorter up to there.
  const [places, shifts]: [number[], number[]] = [[0], [0]];
  let [read, shift] = [0, 0];
  for (const { 0: escaped, index } of text.matchAll(pattern)) {
    const character = decode(escaped);
    if (character === undefined) continue;
    parts.push(text.slice(read, index), character);
    read = index + escaped.length;
    shift += escaped.length - character.length;
    places.push(read - shift);
    shifts.push(shift);
  }
  if (read === 0) return undefined;
  parts.push(text.slice(read));
  return { text: parts.join(''), offset: (at) => offset(at + (shifts[lastUpTo(places, at)] ?? 0)) };
}

/** Returns the index of the last number that is at most `limit`. The numbers ascend, and the first one is at most `limit`. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
