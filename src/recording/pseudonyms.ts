/** Replaces texts and numbers by others of the same shape and length (design section 14, rule 2). */
import { createCipheriv, createHmac } from 'node:crypto';

import { credentialFormsIn } from './credential-forms.ts';

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

/** Creates pseudonyms by a keyed hash; nothing of a value can be computed from its pseudonym without the key. No text gets a `reserved` one. */
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
const HEX = '0123456789abcdef';
/** The first characters of two blocks of Chinese characters: within and beyond the first plane of Unicode. */
const FIRST_IDEOGRAPH = 0x4e00;
const FIRST_RARE_IDEOGRAPH = 0x20000;
const IDEOGRAPHS = 0x4000;

/** The characters that are kept: spaces, punctuation, ASCII symbols, control characters, accents and joiners that stand alone. */
const KEPT = /^(?:[\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{P}!-/:-@[-`{-~]|[\u0300-\u036f]|[\u200b-\u200f])$/u;

function hasReplaced(text: string): boolean {
  for (const character of text) if (!KEPT.test(character)) return true;
  return false;
}

function replaceCharacters(text: string, random: Uint8Array, attempt: number): string {
  const hexAt = hexadecimalRuns(text);
  const parts: string[] = [];
  let at = 0;
  for (const character of text) {
    const number = (random[at] ?? 0) * 256 + (random[at + 1] ?? random[0] ?? 0);
    parts.push(replacement(character, alphabetOf(character, hexAt.get(at), attempt), number));
    at += character.length;
  }
  return parts.join('');
}

/** Returns the alphabets of the characters that belong to 16 or more hexadecimal digits with a letter among them, by their places. */
function hexadecimalRuns(text: string): ReadonlyMap<number, string> {
  const alphabets = new Map<number, string>();
  for (const { 0: run, index } of text.matchAll(/[0-9A-F]{16,}|[0-9a-f]{16,}/g)) {
    if (!/[a-f]/i.test(run)) continue;
    const alphabet = /[A-F]/.test(run) ? HEX.toUpperCase() : HEX;
    for (let at = 0; at < run.length; at++) alphabets.set(index + at, alphabet);
  }
  return alphabets;
}

/** Returns the characters among which the replacement of a character is; undefined = a large alphabet. */
function alphabetOf(character: string, hexadecimal: string | undefined, attempt: number): string | undefined {
  if (hexadecimal !== undefined) return hexadecimal;
  if (/[0-9]/.test(character)) return '0123456789';
  if (character.length > 1 || attempt >= LARGE_ALPHABET_FROM) return undefined;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return LOWER.toUpperCase();
  if (/\p{Ll}/u.test(character)) return LOWER_ACCENTED;
  return /\p{Lu}/u.test(character) ? LOWER_ACCENTED.toUpperCase() : undefined;
}

function replacement(character: string, alphabet: string | undefined, number: number): string {
  if (KEPT.test(character)) return character;
  if (alphabet !== undefined) return alphabet.charAt(number % alphabet.length);
  return String.fromCodePoint((character.length === 1 ? FIRST_IDEOGRAPH : FIRST_RARE_IDEOGRAPH) + (number % IDEOGRAPHS));
}

function replaceDigits(text: string, random: Uint8Array): string {
  let isFirst = true;
  const digitAt = (at: number): string => {
    const digit = isFirst ? 1 + ((random[at] ?? 0) % 9) : (random[at] ?? 0) % 10;
    isFirst = false;
    return String(digit);
  };
  return text.replace(/^-?\d+(\.\d+)?/, (digits) => digits.replace(/\d/g, (_digit, at: number) => digitAt(at)));
}
