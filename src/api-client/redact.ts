import { truncate, visible } from '../model/visible-text.ts';

/** Replaces secrets in a foreign text. */
export type Redact = (text: string) => string;

const HIDDEN = '[hidden]';
/** Minimum length of a redacted fragment of a secret, in characters; shorter fragments are useless to an attacker. */
const MIN_FRAGMENT_LENGTH = 12;
/** Maximum length of a searched text, in characters, which bounds the time of the search. */
const MAX_SEARCHED_LENGTH = 20_000;
export const MAX_FOREIGN_TEXT_LENGTH = 500;

/**
 * Creates a function that redacts secrets, and every word that shares 12 characters with one of them, percent-encoded or not, because
 * services echo URLs, also truncated ones (design section 4, rule 10).
 */
export function createRedactor(secrets: readonly string[]): Redact {
  // Longest first, so that no part remains of a secret that begins with another one.
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  // Computed lazily: every request has a signature, but only few have a text to redact.
  let containsFragment: ((word: string) => boolean) | undefined;
  return (text) => {
    const isSecret = containsFragment ?? fragmentTest(known);
    containsFragment = isSecret;
    const whole = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
    return whole.replace(/[A-Za-z0-9+/=%]{12,}/g, (word) => (isSecret(word) ? HIDDEN : word));
  };
}

/** Creates a function that decides whether a word contains a fragment of a secret. */
function fragmentTest(known: readonly string[]): (word: string) => boolean {
  const fragments = new Set(known.flatMap((secret) => piecesOf(secret, MIN_FRAGMENT_LENGTH)));
  const halves = new Set(known.flatMap((secret) => piecesOf(secret, MIN_FRAGMENT_LENGTH / 2)));
  return (word) => {
    const decoded = word.includes('%') ? percentDecoded(word) : word;
    // A fragment always covers one of the adjacent half-length pieces, so that nearly every word is rejected after a few lookups.
    return (
      hasPiece(decoded, MIN_FRAGMENT_LENGTH / 2, MIN_FRAGMENT_LENGTH / 2, halves) && hasPiece(decoded, MIN_FRAGMENT_LENGTH, 1, fragments)
    );
  };
}

/** Returns all substrings of this length. */
function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

/** Decides whether a substring of this length, starting at a multiple of `step`, is in `known`. */
function hasPiece(text: string, length: number, step: number, known: ReadonlySet<string>): boolean {
  // A loop without intermediate lists, since it runs for every word of large plans.
  for (let at = 0; at + length <= text.length; at += step) if (known.has(text.slice(at, at + length))) return true;
  return false;
}

/** Formats a foreign text as one line of at most 500 characters, without secrets and with control and formatting characters escaped. */
export function quoteForeignText(text: string, redact: Redact): string {
  return truncate(visible(redact(text.slice(0, MAX_SEARCHED_LENGTH)).trim()), MAX_FOREIGN_TEXT_LENGTH);
}

/** Percent-decodes three times: services echo at most a URL inside a URL inside a redirect. */
function percentDecoded(text: string): string {
  const once = (rest: string): string =>
    rest.replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once(once(once(text)));
}
