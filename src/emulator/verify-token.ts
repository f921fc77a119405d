/** Verifies the tokens of scoped keys (api-notes section 1, point 11): JWTs that are signed with ES256. */
import { createPublicKey, verify } from 'node:crypto';
import { isObject } from '../core/model/json.ts';
import { RouteError } from './contract.ts';

/** A scoped key of an account, as the service knows it: everything but the private key. */
export interface EmulatedScopedKey {
  /** The `kid` of its tokens. */
  readonly id: string;
  /** The `sub` of its tokens. */
  readonly subject: string;
  /** The account that it belongs to. */
  readonly owner: string;
  /** The public key as PEM. */
  readonly publicKey: string;
  /** What its tokens may claim at most: `<emulated kind>:read` and `<emulated kind>:write`. */
  readonly scopes: readonly string[];
  /** Unix milliseconds after which the key is rejected [never]. */
  readonly endsAt?: number;
}

/** Longest time between `iat` and `exp`, seconds. */
const LONGEST_TOKEN_SECONDS = 300;

/** What a token proves. */
export interface VerifiedToken {
  readonly owner: string;
  readonly scopes: readonly string[];
}

/** Verifies a token at `now`, Unix milliseconds. @throws RouteError 401 */
export function verifyToken(
  token: string,
  {
    scopedKeys,
    timestampToleranceSeconds: tolerance,
  }: { readonly scopedKeys: readonly EmulatedScopedKey[]; readonly timestampToleranceSeconds: number },
  now: number,
): VerifiedToken {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || ![head, body, signature].every((part) => /^[\w-]+$/.test(part))) rejected('the token is not a JWT');
  const header = membersOf(head);
  const key = scopedKeys.find(({ id }) => id === header.kid) ?? rejected('the key of the token is not known');
  if (header.alg !== 'ES256' || header.typ !== 'JWT') rejected('the token is not signed with ES256');
  if (!isSigned(`${head}.${body}`, signature, key)) rejected('the signature of the token does not match');
  if (key.endsAt !== undefined && key.endsAt <= now) rejected('the key has ended');
  const { sub, scp, iat, exp } = membersOf(body);
  if (sub !== key.subject) rejected('the subject of the token is not that of its key');
  if (!isTime(iat) || !isTime(exp) || exp <= iat || exp - iat > LONGEST_TOKEN_SECONDS) rejected('the times of the token are wrong');
  if (iat * 1000 > now + tolerance * 1000 || exp * 1000 < now) rejected('the token is not valid at this time');
  if (!Array.isArray(scp) || !scp.every((scope) => key.scopes.includes(scope)))
    rejected('the token claims scopes that its key does not have');
  return { owner: key.owner, scopes: scp };
}

function rejected(title: string): never {
  throw new RouteError(401, 'unauthorized', title);
}

function membersOf(part: string): { readonly [member: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : rejected('a part of the token is not an object');
  } catch {
    return rejected('a part of the token is not JSON');
  }
}

function isSigned(text: string, signature: string, { publicKey }: EmulatedScopedKey): boolean {
  const key = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' as const };
  return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
