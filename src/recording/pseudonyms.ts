/** Replaces texts and numbers by others of the same shape and length (design section 14, rule 2). */
import { createCipheriv, createHmac } from 'node:crypto';

import { credentialFormsIn } from './credential-forms.ts';
import { HEXADECIMAL_RUN } from './recording.ts';

/** The pseudonyms of one recording. Equal values have equal pseudonyms, different values different ones. */
export interface Pseudonyms {
  /**
   * Returns the pseudonym of a text. A digit becomes a digit and a letter a letter of the same case; 16 or more hexadecimal digits stay
   * hexadecimal. Spaces, punctuation, control characters and accents that stand alone are kept.
   */
  text(text: string): string;
  /** Returns the pseudonym of a number: its digits are replaced, its sign and its decimal point are kept. */
  number(number: number): number;
}

/**
 * Creates pseudonyms by a keyed hash; nothing of a value can be computed from its pseudonym without the key. No text gets a `reserved` one.
 */
export function createPseudonyms(key: Uint8Array, reserved: Iterable<string> = []): Pseudonyms {
  const texts = new Map<string, string>();
  const numbers = new Map<string, string>();
  const taken = new Set(reserved);
  const takenNumbers = new Set<string>();

  /** Returns a replacement that no other value has, and that does not look like a credential: one attempt nearly always suffices. */
  function unique(text: string, known: Map<string, string>, used: Set<string>, replace: (attempt: number) => string): string {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    let pseudonym = replace(0);
    for (let attempt = 1; attempt < MAX_ATTEMPTS && (used.has(pseudonym) || credentialFormsIn(pseudonym).length > 0); attempt++)
      pseudonym = replace(attempt);
    known.set(text, pseudonym);
    used.add(pseudonym);
    return pseudonym;
  }

  return {
    text(text) {
      if (!hasReplaced(text)) return text;
      // Spaces at the ends are kept apart, so that a service that trims names is recognized.
      const core = text.trim();
      const start = text.indexOf(core);
      const replace = (attempt: number) => replaceCharacters(core, hashOf(key, `${attempt} ${core}`, core.length), attempt);
      return text.slice(0, start) + unique(core, texts, taken, replace) + text.slice(start + core.length);
    },
    number(number) {
      const text = String(number);
      const replace = (attempt: number) => replaceDigits(text, hashOf(key, `number ${attempt} ${text}`, text.length));
      return Number(unique(text, numbers, takenNumbers, replace));
    },
  };
}

/** How often another replacement is tried. */
const MAX_ATTEMPTS = 200;
/** The attempt from which letters become letters of a large alphabet, because the replacements of a short text may all be taken. */
const LARGE_ALPHABET_FROM = 100;

/** Returns as many bytes as asked for, which depend on the key and on all of the text. */
function hashOf(key: Uint8Array, text: string, length: number): Uint8Array {
  const digest = createHmac('sha256', key).update(text).digest();
  if (length <= digest.length) return digest;
  return createCipheriv('aes-256-ctr', digest, Buffer.alloc(16)).update(Buffer.alloc(length));
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LOWER_ACCENTED = 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüý';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
/** The first characters of two blocks of Chinese characters: within and beyond the first plane of Unicode. */
const FIRST_IDEOGRAPH = 0x4e00;
const FIRST_RARE_IDEOGRAPH = 0x20000;
const IDEOGRAPHS = 0x4000;

/** The characters that are kept: spaces, punctuation, ASCII symbols, control characters, accents and joiners that stand alone. */
const KEPT = /^(?:[\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{P}!-/:-@[-`{-~]|[\u0300-\u036f]|[\u200b-\u200f])$/u;

function hasReplaced(text: string): boolean {
  if (/[A-Za-z0-9]/.test(text)) return true;
  for (const character of text) if (!KEPT.test(character)) return true;
  return false;
}

function replaceCharacters(text: string, random: Uint8Array, attempt: number): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: run, index } of text.matchAll(HEXADECIMAL_RUN)) {
    if (!/[A-Fa-f]/.test(run)) continue;
    replacePart(parts, text, done, index, random, attempt);
    const alphabet = /[A-F]/.test(run) ? HEX.toUpperCase() : HEX;
    done = index + run.length;
    for (let at = index; at < done; at++) parts.push(alphabet.charAt(numberAt(random, at) % alphabet.length));
  }
  replacePart(parts, text, done, text.length, random, attempt);
  return parts.join('');
}

/** Adds the replacements of the characters from `start` up to, and without, `end`. */
function replacePart(parts: string[], text: string, start: number, end: number, random: Uint8Array, attempt: number): void {
  let at = start;
  while (at < end) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    parts.push(replacement(character, numberAt(random, at), attempt));
    at += character.length;
  }
}

function numberAt(random: Uint8Array, at: number): number {
  return (random[at] ?? 0) * 256 + (random[at + 1] ?? random[0] ?? 0);
}

function replacement(character: string, number: number, attempt: number): string {
  const known = character < '\u0080' ? ASCII_ALPHABETS[character.charCodeAt(0)] : undefined;
  if (known === undefined && KEPT.test(character)) return character;
  const alphabet = known ?? alphabetOf(character);
  const isLetter = attempt >= LARGE_ALPHABET_FROM && alphabet !== character && alphabet !== DIGITS;
  if (alphabet !== undefined && !isLetter) return alphabet.charAt(number % alphabet.length);
  return String.fromCodePoint((character.length === 1 ? FIRST_IDEOGRAPH : FIRST_RARE_IDEOGRAPH) + (number % IDEOGRAPHS));
}

/** Returns the characters among which the replacement of a character is; undefined = a large alphabet. */
function alphabetOf(character: string): string | undefined {
  if (/[0-9]/.test(character)) return DIGITS;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return LOWER.toUpperCase();
  if (character.length > 1) return undefined;
  if (/\p{Ll}/u.test(character)) return LOWER_ACCENTED;
  return /\p{Lu}/u.test(character) ? LOWER_ACCENTED.toUpperCase() : undefined;
}

/** The alphabets of ASCII, by code; one that is kept has only itself. */
const ASCII_ALPHABETS = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return alphabetOf(character) ?? character;
});

function replaceDigits(text: string, random: Uint8Array): string {
  let isFirst = true;
  const digitAt = (at: number): string => {
    const digit = isFirst ? 1 + ((random[at] ?? 0) % 9) : (random[at] ?? 0) % 10;
    isFirst = false;
    return String(digit);
  };
  return text.replace(/^-?\d+(\.\d+)?/, (digits) => digits.replace(/\d/g, (_digit, at: number) => digitAt(at)));
}
