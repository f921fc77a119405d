import { createHmac, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** The account's user ID and its API key, both as plain text. */
export interface SigningKey {
  readonly owner: string;
  readonly apiKey: string;
}

/** Members of a JSON object. */
export type Members = { readonly [member: string]: unknown };

/** What proves one attempt: the packed message and its signature, not yet URL-encoded. */
export interface Signature {
  readonly msg: string;
  readonly sig: string;
}

/**
 * Signs one attempt at `now` (Unix milliseconds); `members` are what the dialect signs beside owner and time, which they never replace (api-notes section 1).
 * No two results are alike: the JSON begins with 64 random bits of white space, because the service refuses a repeated `msg` (design section 4, rule 11).
 */
export function sign(credentials: SigningKey, now: number, members: Members = {}): Signature {
  const text = JSON.stringify({ ...members, _owner: credentials.owner, _timestamp: Math.floor(now / 1000) });
  const msg = deflateSync(`{${randomBlanks()}${text.slice(1)}`, DEFLATE).toString('base64');
  return { msg, sig: signatureOf(msg, credentials.apiKey) };
}

/** The level of the samples (api-notes section 1, point 2); with little memory, as preparing more takes longer than packing so short a text. */
const DEFLATE = { level: 9, memLevel: 4 };

/** Lower-case hexadecimal HMAC-SHA256 of the base64 text, keyed with the API key as it is written (api-notes section 1, point 3). */
export function signatureOf(msg: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(msg).digest('hex');
}

const BLANKS = ' \t\n\r';

/** 32 characters of JSON white space carry 64 bits: each is one of four. */
function randomBlanks(): string {
  const bits = (byte: number, shift: number): string => BLANKS.charAt((byte >> shift) & 3);
  return Array.from(randomBytes(8), (byte) => bits(byte, 6) + bits(byte, 4) + bits(byte, 2) + bits(byte, 0)).join('');
}
