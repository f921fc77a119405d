import { createHmac, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** The account's user ID and its API key, both as plain text. */
export interface SigningKey {
  readonly owner: string;
  readonly apiKey: string;
}

/** Members of a JSON object. */
export type Members = { readonly [member: string]: unknown };

/** The signature of one attempt, and the compressed message that it signs, not yet URL-encoded. */
export interface Signature {
  readonly msg: string;
  readonly sig: string;
}

/**
 * Signs one attempt at `now` (Unix milliseconds); `members` are signed beside owner and time, and never replace these (api-notes section
 * 1). Every result is unique: the JSON begins with 64 random bits of white space, because the service rejects a repeated `msg` (design
 * section 4, rule 11).
 */
export function sign(credentials: SigningKey, now: number, members: Members = {}): Signature {
  const msg = messageOf(credentials.owner, now, members);
  return { msg, sig: signatureOf(msg, credentials.apiKey) };
}

/** Builds the message that is signed: compressed JSON. A scoped key sends it in a form without a signature. */
export function messageOf(owner: string, now: number, members: Members): string {
  const text = JSON.stringify({ ...members, _owner: owner, _timestamp: Math.floor(now / 1000) });
  return deflateSync(`{${randomBlanks()}${text.slice(1)}`, DEFLATE).toString('base64');
}

/**
 * The level of the API samples (api-notes section 1, point 2); a low memory level, since allocating more takes longer than compressing a
 * short text.
 */
const DEFLATE = { level: 9, memLevel: 4 };

/** Returns the lower-case hexadecimal HMAC-SHA256 of the base64 text; the key is the text of the API key (api-notes section 1, point 3). */
export function signatureOf(msg: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(msg).digest('hex');
}

const BLANKS = ' \t\n\r';

/** Number of random bits in each signed message (design section 4, rule 11). */
export const RANDOM_BITS = 64;

/** Returns random bits as characters of JSON white space: each is one of four, and so holds two bits. */
function randomBlanks(): string {
  const bits = (byte: number, shift: number): string => BLANKS.charAt((byte >> shift) & 3);
  return Array.from(randomBytes(RANDOM_BITS / 8), (byte) => bits(byte, 6) + bits(byte, 4) + bits(byte, 2) + bits(byte, 0)).join('');
}
