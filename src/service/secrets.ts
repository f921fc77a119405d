/** Gives a foreign text without the secrets it may repeat. */
export type Hide = (text: string) => string;

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
export function hiding(secrets: readonly string[]): Hide {
  const known = secrets.filter((secret) => secret !== '');
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
  const fragments = new Set(known.flatMap((secret) => piecesOf(secret, FRAGMENT, 1)));
  const halves = new Set(known.flatMap((secret) => piecesOf(secret, FRAGMENT / 2, 1)));
  return (word) => {
    const decoded = word.includes('%') ? percentDecoded(word) : word;
    // Wherever a fragment stands, it covers one of the halves side by side: nearly every word is done with after a few looks.
    if (!piecesOf(decoded, FRAGMENT / 2, FRAGMENT / 2).some((half) => halves.has(half))) return false;
    return piecesOf(decoded, FRAGMENT, 1).some((fragment) => fragments.has(fragment));
  };
}

/** The stretches of this length that begin at every `step` characters. */
function piecesOf(text: string, length: number, step: number): string[] {
  const count = Math.max(0, Math.floor((text.length - length) / step) + 1);
  return Array.from({ length: count }, (_, index) => text.slice(index * step, index * step + length));
}

/** A foreign text without secrets, as one quiet line of at most 500 characters: control and formatting characters become visible escapes. */
export function quoted(text: string, hide: Hide): string {
  const visible = hide(text.slice(0, LONGEST_SEARCHED))
    .trim()
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
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
