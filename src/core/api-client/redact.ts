import { REDACTED, truncate, visible } from '../model/visible-text.ts';
import { decodings, type View } from './decode-text.ts';

/** Replaces secrets in a foreign text. */
export type Redact = (text: string) => string;

/** Length of the pieces by which fragments of secrets are found, and minimum length of a fragment, in characters. */
const PIECE_LENGTH = 12;
const HALF = PIECE_LENGTH / 2;
/** Above this length, characters, more than half of a secret may be known to everybody: the private key in a PEM is a small part of it. */
export const LONG_SECRET = 128;
/** In how many places of secrets a piece is looked for, so that a secret that repeats itself does not slow the search down. */
const MAX_PLACES = 8;
/** Maximum length of a searched text, in characters, which bounds the time of the search. */
const MAX_SEARCHED_LENGTH = 20_000;
export const MAX_FOREIGN_TEXT_LENGTH = 500;

/** The characters of a word, which is redacted whole. */
const WORD = /[A-Za-z0-9+/=%_-]/;

/**
 * Creates a function that redacts secrets, and every word that shares a large part with one of them: as it is, in base64 or hexadecimal, and
 * escaped for a URL, JSON or HTML, because services echo URLs, also truncated ones (design section 4, rule 10). A part is large with half of
 * the characters of a secret, three quarters of those of a long one, and at least twelve. Of a smaller part nothing is redacted: who writes a
 * text could try what its characters are, and see it in the report.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  // Longest first, so that no part remains of a secret that begins with another one.
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  // What is a part of another secret may be in a text with more of that one.
  const outermost = known.filter((secret) => !known.some((other) => other !== secret && other.includes(secret)));
  // Computed lazily: every request has a signature, but only few have a text to redact.
  let search: Search | undefined;
  return (text) => {
    const rest = hideWhole(outermost, text);
    search ??= fragmentSearch(known);
    return hideWhole(known, rest.length < PIECE_LENGTH ? rest : withoutSpans(rest, [...decodings(rest)].flatMap(search)));
  };
}

function hideWhole(secrets: readonly string[], text: string): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
}

/** A part of a text that is redacted: from `start` up to, and without, `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds the fragments of secrets in a text, by their places in the text from which it was decoded. */
type Search = (view: View) => readonly Span[];

/** One way to write a secret, in canonical characters, and how many of them in a row are a large part of it. */
interface Writing {
  readonly text: string;
  readonly largePart: number;
}

/** Where a piece is in a writing. */
interface Place {
  readonly writing: Writing;
  readonly at: number;
}

function fragmentSearch(known: readonly string[]): Search {
  const writings = known.flatMap(writingsOf);
  const placesOf = new Map<string, Place[]>();
  for (const writing of writings) {
    for (const [at, piece] of piecesOf(writing.text, PIECE_LENGTH).entries()) {
      const places = placesOf.get(piece);
      if (places === undefined) placesOf.set(piece, [{ writing, at }]);
      else if (places.length < MAX_PLACES) places.push({ writing, at });
    }
  }
  const mayBeHalf = halfFilter(writings.flatMap(({ text }) => piecesOf(text, HALF)));
  return ({ text, offset }) => {
    const spans: Span[] = [];
    // Up to here, the text is redacted: a word that repeats a fragment is not gone through again for each of them.
    let done = 0;
    // Where a part that is not large ends, by its writing and its place there: it is not measured again for each of its pieces.
    const smallParts = new Map<Writing, Map<number, number>>();
    // A piece always covers one of the adjacent half-length pieces, so that nearly every place is passed over after one lookup.
    for (let at = 0; at + HALF <= text.length; at += HALF) {
      if (!mayBeHalf(text, at)) continue;
      const from = Math.max(0, at - HALF);
      const around = canonical(text.slice(from, at + PIECE_LENGTH));
      for (const [index, piece] of piecesOf(around, PIECE_LENGTH).entries()) {
        const start = from + index;
        if (start + PIECE_LENGTH <= done) continue;
        for (const place of placesOf.get(piece) ?? []) {
          const ends = smallParts.get(place.writing) ?? new Map<number, number>();
          if (start < (ends.get(start - place.at) ?? 0)) continue;
          const part = partAround(text, start, place);
          if (part.end - part.start < place.writing.largePart) {
            smallParts.set(place.writing, ends.set(start - place.at, part.end));
            continue;
          }
          const word = wordAround(text, part);
          done = Math.max(done, word.end);
          spans.push({ start: offset(word.start), end: offset(word.end) });
          break;
        }
      }
    }
    return spans;
  };
}

/** Returns the part around a piece that a text shares with a writing. */
function partAround(text: string, start: number, { writing, at }: Place): Span {
  const isShared = (shift: number): boolean => {
    const [shown, written] = [text[start + shift], writing.text[at + shift]];
    return shown !== undefined && written !== undefined && canonical(shown) === written;
  };
  let [from, to] = [0, PIECE_LENGTH];
  while (isShared(from - 1)) from--;
  while (isShared(to)) to++;
  return { start: start + from, end: start + to };
}

/** Returns how many characters in a row are a large part of a secret. */
function largePartOf({ length }: string): number {
  return Math.max(PIECE_LENGTH, Math.ceil(length * (length > LONG_SECRET ? 0.75 : 0.5)));
}

/**
 * Returns a secret and its writings that contain its characters not one by one: base64 and hexadecimal. In base64, the first and the last
 * characters depend on the neighbors, and the others on the place in groups of three bytes.
 */
function writingsOf(secret: string): readonly Writing[] {
  const largePart = largePartOf(secret);
  const base64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const hex = Buffer.from(secret).toString('hex');
  return [
    { text: canonical(secret), largePart },
    ...base64.map((text) => ({ text: canonical(text), largePart: Math.floor((largePart * 8) / 6) - 1 })),
    ...[hex, hex.toUpperCase()].map((text) => ({ text, largePart: 2 * largePart })),
  ];
}

/** Characters that stand for one another: of base64 and base64url, and a space that a form writes as `+`. */
const SAME: { readonly [character: string]: string } = { '-': '+', ' ': '+', _: '/' };

/** Writes a text so that the alphabet of base64 and the spaces of forms make no difference. Keeps the length. */
function canonical(text: string): string {
  return text.replace(/[ _-]/g, (character) => SAME[character] ?? character);
}

/** The canonical codes of ASCII characters. */
const CANONICAL_CODES = Uint8Array.from({ length: 128 }, (_, code) => canonical(String.fromCharCode(code)).charCodeAt(0));

/**
 * Creates a fast test that is true where a text may have one of these canonical pieces of half length. It is nearly always false elsewhere.
 * It makes no strings, because it runs at every sixth character of large plans.
 */
function halfFilter(pieces: readonly string[]): (text: string, at: number) => boolean {
  const bits = Math.min(24, Math.ceil(Math.log2(pieces.length + 1)) + 5);
  const isKnown = new Uint8Array(2 ** bits);
  const hash = (text: string, at: number): number => {
    let value = 0;
    for (let index = at; index < at + HALF; index++) {
      const code = text.charCodeAt(index);
      value = Math.imul(value ^ (CANONICAL_CODES[code] ?? code), 0x9e3779b1);
      value ^= value >>> 15;
    }
    return value & (isKnown.length - 1);
  };
  for (const piece of pieces) isKnown[hash(piece, 0)] = 1;
  return (text, at) => isKnown[hash(text, at)] === 1;
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

/** Extends a span to the whole word of which it is a part. A space at its ends is a space, and not the `+` of a secret. */
function wordAround(text: string, { start, end }: Span): Span {
  const isWord = (at: number): boolean => WORD.test(text[at] ?? '');
  let [from, to] = [start, end];
  while (text[from] === ' ') from++;
  while (text[to - 1] === ' ') to--;
  while (isWord(from) && isWord(from - 1)) from--;
  while (isWord(to - 1) && isWord(to)) to++;
  return { start: from, end: to };
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let shown = '';
  let done = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    // Spans that overlap or adjoin are one.
    if (start > done || shown === '') shown += `${text.slice(done, start)}${REDACTED}`;
    done = Math.max(done, end);
  }
  return shown + text.slice(done);
}

/** Formats a foreign text as one line of at most 500 characters, without secrets and with control and formatting characters escaped. */
export function quoteForeignText(text: string, redact: Redact): string {
  return truncate(visible(redact(text.slice(0, MAX_SEARCHED_LENGTH)).trim()), MAX_FOREIGN_TEXT_LENGTH);
}
