/** Scoped keys: reads the file of one, and signs the token of each attempt (api-notes section 1, points 11 and 12). */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** A key with a scope. The private key is never written anywhere. */
export interface ScopedKey {
  readonly id: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly privateKey: KeyObject;
  /** Unix milliseconds; null where the file does not say when the key ends. */
  readonly endsAt: number | null;
}

/** What is wrong with the file of a scoped key: a clause that never contains any of its values. */
export class ScopedKeyError extends Error {}

/** A scoped key, and the texts of its private key that must not be shown. */
export interface ParsedScopedKey {
  readonly key: ScopedKey;
  readonly secrets: readonly string[];
}

const REQUIRED = ['KID', 'SUB', 'PRIVATE_B64', 'SCP'] as const;
/** Maximum number of scopes of a key. */
const MAX_SCOPES = 100;

/** Reads the file that is downloaded with a scoped key: lines of the form NAME=VALUE. @throws ScopedKeyError */
export function parseScopedKey(text: string): ParsedScopedKey {
  const values = linesOf(text);
  const missing = REQUIRED.filter((name) => !values.has(name));
  if (missing.length > 0) throw new ScopedKeyError(`is not the file of a scoped key: it has no ${missing.join(', ')}`);
  const value = (name: (typeof REQUIRED)[number]): string => values.get(name) ?? '';
  const { privateKey, pem } = privateKeyOf(value('PRIVATE_B64'));
  const key = {
    id: nameOf('KID', value('KID')),
    subject: nameOf('SUB', value('SUB')),
    scopes: scopesOf(value('SCP')),
    privateKey,
    endsAt: endOf(values.get('EXP')),
  };
  return { key, secrets: textsOf(value('PRIVATE_B64'), pem, privateKey) };
}

/**
 * Returns the texts of a private key: as they are in the file, and by itself the number of which it consists, because most of the file is the
 * same in all files or follows from the public key.
 */
function textsOf(base64: string, pem: string, privateKey: KeyObject): readonly string[] {
  const body = pem.replace(/-----[A-Z ]+-----|\s/g, '');
  const number = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  const ofNumber = partOfBase64(body, Buffer.from(body, 'base64').indexOf(number), number.length);
  // The lines of a PEM may break anywhere, and somebody may write one of them elsewhere.
  const inPem = new RegExp([...ofNumber].map((character) => character.replace('+', '\\+')).join('\\s*')).exec(pem);
  const inLines = inPem?.[0].split(/\s+/) ?? [];
  return [base64, pem, body, ofNumber, ...inLines, partOfBase64(base64, inPem?.index ?? 0, inPem?.[0].length ?? pem.length)];
}

/** Returns the characters of a base64 text that stand for some of its bytes and for no others. */
function partOfBase64(base64: string, from: number, length: number): string {
  return base64.slice(Math.ceil((from * 4) / 3), Math.floor(((from + length) * 4) / 3));
}

/** Reads the lines; blank ones and comments are passed over. The names of other members do not matter: there may be more of them one day. */
function linesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name = '', quote = '', value = ''] = /^([A-Z][A-Z0-9_]*)=(["']?)(.*)\2\s*$/.exec(line) ?? [];
    if (name === '') throw new ScopedKeyError(`is not the file of a scoped key: line ${index + 1} is not NAME=VALUE`);
    if (values.has(name))
      throw new ScopedKeyError(`says ${REQUIRED.find((known) => known === name) ?? 'a name'} twice, in line ${index + 1} again`);
    values.set(name, quote === '' ? value.trim() : value);
  }
  return values;
}

function nameOf(member: string, value: string): string {
  if (!/^[!-~]{1,256}$/.test(value))
    throw new ScopedKeyError(`holds a ${member} that is empty, too long, or not plain ASCII without spaces`);
  return value;
}

/** Reads the private key: base64 of a PKCS#8 PEM, on the curve of ES256. */
function privateKeyOf(base64: string): { readonly privateKey: KeyObject; readonly pem: string } {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && base64.length % 4 === 0;
  const pem = isBase64 ? Buffer.from(base64, 'base64').toString('latin1') : '';
  if (!/^-----BEGIN PRIVATE KEY-----\s[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/.test(pem))
    throw new ScopedKeyError('holds a PRIVATE_B64 that is not base64 of a PKCS#8 private key in PEM form');
  const privateKey = keyIn(pem);
  if (privateKey?.asymmetricKeyType !== 'ec' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new ScopedKeyError('holds a PRIVATE_B64 that is no key of ES256 (an EC key on the curve P-256)');
  return { privateKey, pem };
}

function keyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' });
  } catch {
    // The error of the library may quote the key.
    return null;
  }
}

/** Reads a list of scopes: separated by commas or spaces, or as JSON. */
function scopesOf(text: string): readonly string[] {
  const scopes: readonly unknown[] = text.startsWith('[') ? jsonList(text) : text.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length === 0 || scopes.length > MAX_SCOPES || !scopes.every(isScope))
    throw new ScopedKeyError('holds an SCP that is not a list of scopes');
  return scopes;
}

function isScope(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,256}$/.test(value);
}

function jsonList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Reads when the key ends: Unix seconds or an ISO date. */
function endOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const time = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new ScopedKeyError('holds an EXP that is neither Unix seconds nor a date');
  return time;
}

/** How long a token is valid, seconds. */
export const TOKEN_SECONDS = 300;

/** Signs the token (JWT) of one attempt at `now`, Unix milliseconds. Each one differs, because each signature of ES256 is random. */
export function signToken({ id, subject, scopes, privateKey }: ScopedKey, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: 'ES256', typ: 'JWT', kid: id };
  const claims = { sub: subject, scp: scopes, iat: issuedAt, exp: issuedAt + TOKEN_SECONDS };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
