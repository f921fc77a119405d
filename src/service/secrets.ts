/** Gives a foreign text without the secrets it may repeat. */
export type Hide = (text: string) => string;

const HIDDEN = '[hidden]';
/** Shorter fragments of a secret are no help to anybody. */
const FRAGMENT = 12;
/** Nobody reads further, and the search for fragments stays cheap. */
const LONGEST_SEARCHED = 20_000;
const LONGEST_SHOWN = 500;

/**
 * A `Hide` for these secrets: whole, and every word that shares 12 characters with one, percent-encoded or not, because
 * services echo URLs, cut ones too (design section 4, rule 10). Only the first 20,000 characters of a text are kept.
 */
export function hiding(secrets: readonly string[]): Hide {
  const known = secrets.filter((secret) => secret !== '');
  return (text) => {
    const whole = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text.slice(0, LONGEST_SEARCHED));
    const fragments = new Set(known.flatMap(fragmentsOf));
    const leaks = (word: string): boolean => fragmentsOf(percentDecoded(word)).some((fragment) => fragments.has(fragment));
    return whole.replace(/[A-Za-z0-9+/=%]{12,}/g, (word) => (leaks(word) ? HIDDEN : word));
  };
}

/** Every stretch of 12 characters. */
function fragmentsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - FRAGMENT + 1) }, (_, at) => text.slice(at, at + FRAGMENT));
}

/** A foreign text as one quiet line of at most 500 characters: control and formatting characters become visible escapes. */
export function quoted(text: string): string {
  const visible = text.trim().replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
  const characters = Array.from(visible);
  return characters.length > LONGEST_SHOWN ? `${characters.slice(0, LONGEST_SHOWN - 1).join('')}…` : visible;
}

/** Decoded three times: a URL inside a URL inside a redirect is the deepest that services are seen to echo. */
function percentDecoded(text: string): string {
  const once = (rest: string): string =>
    rest.replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once(once(once(text)));
}
