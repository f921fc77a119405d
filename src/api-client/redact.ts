import { truncate, visible } from '../model/visible-text.ts';

/** Gives a foreign text without the secrets it may repeat. */
export type Redact = (text: string) => string;

const HIDDEN = '[hidden]';
/** Shorter fragments of a secret are no help to anybody. */
const FRAGMENT = 12;
/** Nobody reads further, and the search for fragments stays cheap; characters. */
const LONGEST_SEARCHED = 20_000;
const LONGEST_SHOWN = 500;

/**
 * A `Hide` for these secrets: whole, and every word that shares 12 characters with one, percent-encoded or not, because
 * services echo URLs, cut ones too (design section 4, rule 10).
 */
export function createRedactor(secrets: readonly string[]): Redact {
  // Longest first: of a secret that begins with another one nothing is to be left over.
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  // Every request has a signature to hide, and hardly one has a text to hide it in.
  let made: ((word: string) => boolean) | undefined;
  return (text) => {
    const leaks = made ?? leaksOf(known);
    made = leaks;
    const whole = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
    return whole.replace(/[A-Za-z0-9+/=%]{12,}/g, (word) => (leaks(word) ? HIDDEN : word));
  };
}

/** Tells whether a word holds a fragment of a secret. */
function leaksOf(known: readonly string[]): (word: string) => boolean {
  const fragments = new Set(known.flatMap((secret) => piecesOf(secret, FRAGMENT)));
  const halves = new Set(known.flatMap((secret) => piecesOf(secret, FRAGMENT / 2)));
  return (word) => {
    const decoded = word.includes('%') ? percentDecoded(word) : word;
    // Wherever a fragment stands, it covers one of the halves side by side: nearly every word is done with after a few looks.
    return hasPiece(decoded, FRAGMENT / 2, FRAGMENT / 2, halves) && hasPiece(decoded, FRAGMENT, 1, fragments);
  };
}

/** The stretches of this length that begin at every character. */
function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

/** Whether one of the stretches of this length that begin at every `step` characters is among the known. */
function hasPiece(text: string, length: number, step: number, known: ReadonlySet<string>): boolean {
  // In a loop, as the words of large plans are looked at in this way, and none of them is worth a list.
  for (let at = 0; at + length <= text.length; at += step) if (known.has(text.slice(at, at + length))) return true;
  return false;
}

/** A foreign text without secrets, as one quiet line of at most 500 characters: control and formatting characters become visible escapes. */
export function quoteForeignText(text: string, hide: Redact): string {
  return truncate(visible(hide(text.slice(0, LONGEST_SEARCHED)).trim()), LONGEST_SHOWN);
}

/** Decoded three times: a URL inside a URL inside a redirect is the deepest that services are seen to echo. */
function percentDecoded(text: string): string {
  const once = (rest: string): string =>
    rest.replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once(once(once(text)));
}
